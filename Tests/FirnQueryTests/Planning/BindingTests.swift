import FirnQuery
import FirnStore
import Foundation
import Testing

@Suite struct BindingTests {
    private static let definition = TableDefinition(
        name: "Dog", primaryKey: "id",
        columns: [
            ColumnDefinition(name: "id", type: .int), ColumnDefinition(name: "name", type: .string, isIndexed: true),
            ColumnDefinition(name: "nickname", type: .string, isOptional: true, isIndexed: true),
            ColumnDefinition(name: "age", type: .int), ColumnDefinition(name: "weight", type: .double),
            ColumnDefinition(name: "height", type: .float),
            ColumnDefinition(name: "isGood", type: .bool, isIndexed: true),
            ColumnDefinition(name: "price", type: .decimal), ColumnDefinition(name: "born", type: .date),
            ColumnDefinition(name: "photo", type: .data), ColumnDefinition(name: "chip", type: .uuid, isIndexed: true),
            ColumnDefinition(name: "tag", type: .objectID), ColumnDefinition(name: "any", type: .any),
            ColumnDefinition(name: "code", type: .coded),
            ColumnDefinition(name: "friend", type: .link, isOptional: true, target: "Dog"),
            ColumnDefinition(name: "toys", type: .string, collection: .list),
        ])

    private let fixture: QueryFixture

    init() throws { fixture = try QueryFixture(Self.definition) }

    @Test(arguments: [
        ("age == 1.5", "Dog.age is of type int: it is compared with a whole number of 64 bits, which 1.5 is not"),
        ("age == 1e300", "a whole number"), ("age == 'x'", "compared with an integer, and not with a string"),
        ("age CONTAINS 'x'", "CONTAINS is for strings and data"), ("age ==[c] 1", "[c] is for strings"),
        ("age == nil", "Dog.age is never nil: it is not optional"), ("weight == TRUE", "compared with a number"),
        ("weight == 'x'", "compared with a number"), ("height == 1e300", "within the range of Float"),
        ("isGood == 2", "compared with true, false, 0 or 1"), ("isGood < TRUE", "compared with == and != only"),
        ("isGood == 'YES'", "true, false, 0 or 1"), ("name == 5", "compared with a string, and not with an integer"),
        ("name <[c] 'x'", "takes no [c]"), ("name BEGINSWITH 5", "compared with a string"),
        ("price == 'x'", "compared with a number"), ("born == 5", "compared with a date"),
        ("chip == 'x'", "compared with a UUID, in text uuid('…')"), ("tag == 'x'", "compared with an ObjectId"),
        ("photo == 'x'", "compared with data"), ("friend == 5", "an object of class 'Dog'"),
    ])
    func `a comparison with a constant that the property does not take is a typed error`(text: String, message: String)
    {
        let error = #expect(throws: QueryError.self) { try fixture.predicate(text) }
        #expect(error?.code == .invalidComparison, "\(error?.message ?? "")")
        #expect(error?.message.contains(message) == true, "\(error?.message ?? "")")
        #expect(error?.position == 0)
    }

    @Test(arguments: [
        "code == 5", "code == 'x'", "toys == 'x'", "toys CONTAINS 'x'", "ANY age == 5", "ALL friend.age == 5",
        "friend.friend < nil",
        "age == name", "isGood < isGood", "name CONTAINS age", "age + name == 1", "toys.@sum == 1", "toys.@min == 'x'",
        "age.@count == 1", "friend.@count == 1", "SUBQUERY(toys, $x, $x == 'a').@count > 0", "name.length == 1",
        "age IN 5", "age IN {5, 'x'}", "age BETWEEN {1}", "age BETWEEN {1, 2, 3}", "name BETWEEN {'a', 'b'}",
        "age == {1, 2}",
        "#any.@type == 'what'", "#any.@type < 'int'", "age.@type == 'int'", "age[0] == 1", "toys['k'] == 'x'",
        "toys.@allKeys == 'x'",
        "SELF < nil", "SELF == 5",
        "age geoWithin geoCircle({1, 1}, 1)",
        "price ==[c] 1", "ANY toys <[c] 'x'",
    ])
    func `a comparison that the types do not take is a typed error`(text: String) {
        let error = #expect(throws: QueryError.self) { try fixture.predicate(text) }
        #expect(error?.code == .invalidComparison, "\(error?.message ?? "")")
    }

    @Test func `an object of a class that is gone equals nothing`() throws {
        let table = try fixture.table.id.rawValue
        #expect(try fixture.keys("friend == %@", .link(table: table + 1, key: 1)).isEmpty)
        #expect(throws: QueryError.self) { try fixture.predicate("friend < %@", .link(table: table + 1, key: 1)) }
        #expect(throws: QueryError.self) { try fixture.predicate("friend < %@", .link(table: table, key: 1)) }
        _ = try fixture.predicate("friend == %@", .link(table: table, key: 1))
    }

    @Test(arguments: [
        ("nmae", "Dog has no property “nmae”; did you mean name? (at character 14)"),
        ("Name", "did you mean name?"), ("nick", "did you mean nickname?"), ("is_good", "did you mean isGood?"),
        ("xyzxyz", "Dog has no property “xyzxyz” (at character 14)"),
    ])
    func `an unknown property is an error that names the class and what was perhaps meant`(
        name: String, message: String
    ) {
        let error = #expect(throws: QueryError.self) { try fixture.predicate("age == 1 AND \(name) == 1") }
        #expect(error?.code == .unknownProperty)
        #expect(error?.message.contains(message) == true, "\(error?.message ?? "")")
    }

    @Test(arguments: [
        ("id == 7", "look up primary key id = 7"),
        ("age == 3 AND id == 7 AND name == 'x'", "look up primary key id = 7, test age == 3, name == \"x\""),
        ("id >= 3 AND id < 10", "scan primary keys id 3 ... 9"),
        (
            "id > 3 AND name CONTAINS 'x' AND age == 1",
            "scan primary keys id 4 ... , test age == 1, name CONTAINS \"x\""
        ),
        ("id >= 3 AND id <= 3", "look up primary key id = 3"), ("id > 3 AND id < 3", "nothing can match"),
        ("id IN {1, 5}", "look up primary key id: id IN {1, 5}"), ("id IN {7}", "look up primary key id = 7"),
        ("id != 3", "scan the table, test id != 3"), ("name == 'x'", "look up index name: name == \"x\""),
        ("age < 3 AND name == 'x'", "look up index name: name == \"x\", test age < 3"),
        ("id > 5 AND name == 'x'", "look up index name: name == \"x\", test id > 5"),
        ("nickname == nil", "look up index nickname: nickname == nil"),
        ("name ==[c] 'x'", "scan the table, test name ==[c] \"x\""),
        (
            "name > 'x' AND age == 3 AND name <= 'y'",
            "look up index name: name > \"x\" AND name <= \"y\", test age == 3"
        ),
        ("name BEGINSWITH 'x' AND name != 'xy'", "look up index name: name BEGINSWITH \"x\", test name != \"xy\""),
        ("name > 'x'", "look up index name: name > \"x\""), ("name != 'x'", "scan the table, test name != \"x\""),
        ("isGood == TRUE", "look up index isGood: isGood == true"),
        ("TRUEPREDICATE", "scan the table"), ("FALSEPREDICATE", "nothing can match"),
        ("age == 1 AND FALSEPREDICATE", "nothing can match"), ("nickname < nil", "nothing can match"),
        ("name CONTAINS ''", "nothing can match"), ("name BEGINSWITH nil", "nothing can match"),
        ("age > 9223372036854775807", "nothing can match"),
        ("name BEGINSWITH[cd] 'x' AND weight > 1", "scan the table, test weight > 1, name BEGINSWITH[cd] \"x\""),
    ])
    func `the plan is the cheapest that the comparisons allow`(text: String, explanation: String) throws {
        #expect(try fixture.predicate(text).explanation(in: fixture.connection) == explanation)
    }

    @Test func `a primary key that is no integer is looked up too`() throws {
        let fixture = try QueryFixture(
            TableDefinition(
                name: "City", primaryKey: "name",
                columns: [
                    ColumnDefinition(name: "name", type: .string),
                    ColumnDefinition(name: "size", type: .int, isIndexed: true),
                ]))
        let predicate = try fixture.predicate("size == 5 AND name == 'Rome' AND name != 'x'")
        #expect(
            predicate.explanation(in: fixture.connection)
                == "look up primary key name = \"Rome\", test size == 5, name != \"x\"")
        #expect(
            try fixture.predicate("name > 'Rome' AND size == 5").explanation(in: fixture.connection)
                == "look up index size: size == 5, test name > \"Rome\"")
        try fixture.begin()
        let rome = try fixture.insert([.string("Rome"), .int(5)])
        try fixture.insert([.string("Bern"), .int(5)])
        #expect(try fixture.keys(predicate) == [rome])
        #expect(try fixture.keys("name == 'Paris'").isEmpty)
        #expect(try fixture.keys("size == 5").count == 2)
    }
}
