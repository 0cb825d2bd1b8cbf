import FirnQuery
import FirnStore
import TestSupport
import Testing

/// Integer primary keys, which need no index, as one of the ways to objects.
@Suite struct PrimaryKeyWayTests {
    private let fixture: QueryFixture

    /// 2,000 objects with the ids -3000, -2997, … 2997; code 0 to 99; each is the owner of the one behind it.
    init() throws {
        fixture = try QueryFixture(
            TableDefinition(
                name: "Item", primaryKey: "id",
                columns: [
                    ColumnDefinition(name: "id", type: .int),
                    ColumnDefinition(name: "code", type: .int, isIndexed: true),
                    ColumnDefinition(name: "size", type: .int),
                    ColumnDefinition(name: "owner", type: .link, isOptional: true, target: "Item"),
                ]))
        try fixture.begin()
        var last = StoredValue.null
        for number in 0..<2000 as Range<Int64> {
            let key = try fixture.insert([.int(3 * number - 3000), .int(number % 100), .int(number % 7), last])
            last = .link(key)
        }
        try fixture.connection.commit()
    }

    @Test(arguments: [
        ("id IN {3, 4, 6, -2997}", 3, "look up primary key id: id IN {3, 4, 6, -2997}"),
        ("id IN {3, 3, 3, 3, 3}", 1, "look up primary key id = 3"),
        ("id IN {}", 0, "nothing can match"),
        ("id IN {3, 6} AND size > 0", 1, "look up primary key id: id IN {3, 6}, test size > 0"),
        ("id IN {3, 6, 9} AND id > 5", 2, "look up primary key id: id IN {3, 6, 9}, test id > 5"),
        ("id == 3 OR id == 5 OR id == 6", 2, "id == 3 or primary key id: id == 5 or primary key id: id == 6"),
        ("id == 3 OR code == 7", 21, "look up primary key id: id == 3 or index code: code == 7"),
        ("id == 21 OR code == 7", 20, "look up primary key id: id == 21 or index code: code == 7"),
        ("id < -2950 OR code == 7", 36, "look up primary key id: id < -2950 or index code: code == 7"),
        ("id BETWEEN {0, 9} OR id > 2990", 7, "look up primary key id: id BETWEEN {0, 9} or primary key id: id > 2990"),
        ("id > 0 OR code == 7", 1009, "scan the table, test (id > 0 OR code == 7)"),
        ("id != 3 OR code == 7", 1999, "scan the table, test (id != 3 OR code == 7)"),
        ("(id == 3 AND size == 0) OR id == 6", 2, "primary key id: id == 6, test ((id == 3 AND size == 0) OR id == 6)"),
        ("owner.id == 3", 1, "look up primary key id: owner.id == 3, then links by Item.owner"),
        ("owner.owner.id IN {0, 3}", 2, "then links by Item.owner, then links by Item.owner"),
        ("owner.id == 4", 0, "look up primary key id"),
        ("id IN {9223372036854775807, -9223372036854775808}", 0, "look up primary key id"),
    ])
    func `primary keys are looked up wherever an index would be`(text: String, count: Int, plan: String) throws {
        let predicate = try fixture.predicate(text)
        let explanation = predicate.explanation(in: fixture.connection)
        #expect(explanation.contains(plan), "\(explanation)")
        #expect(try fixture.keys(predicate).count == count)
    }

    @Test func `a write that is open is looked at`() throws {
        try fixture.begin()
        let added = try fixture.insert([.int(10_001), .int(1), .int(0), .null])
        try fixture.connection.delete(try fixture.table.id, try #require(try fixture.keys("id == 3").first))
        #expect(try fixture.keys("id IN {3, 10001}") == [added])
        #expect(try fixture.keys("id > 10000 OR id == 3") == [added])
    }

    @Test func `keys in a range are counted as far as the limit`() throws {
        let table = try fixture.table.id
        func count(_ range: ClosedRange<Int64>, atMost limit: Int) -> Int {
            fixture.connection.count(
                table, keys: objectKey(ofInteger: range.lowerBound)...objectKey(ofInteger: range.upperBound),
                atMost: limit)
        }
        #expect(count(0...299, atMost: 1000) == 300, "fewer keys than the limit are not looked for")
        #expect(count(0...2999, atMost: 1500) == 1000)
        #expect(count(1...2996, atMost: 1500) == 998)
        #expect(count(0...2999, atMost: 77) == 77)
        #expect(count(.min ... .max, atMost: 5000) == 2000)
        #expect(count(4000 ... .max, atMost: 5) == 0)
        #expect(count(.min ... -3001, atMost: 5) == 0)
        #expect(count(0...9, atMost: 0) == 0)
    }
}
