import Firn
import Foundation
import Testing

@Suite struct RepositoryTests {
    final class Person: Object {
        @Persisted(primaryKey: true) var id = UUID().uuidString
        @Persisted var name = ""
        @Persisted(indexed: true) var badge: ObjectId
        @Persisted(indexed: true) var token: UUID
    }

    private struct Stop: Error {}

    private let directory: TemporaryRealm
    private let people: Repository<Person>

    init() throws {
        directory = try TemporaryRealm()
        people = try Repository(configuration: directory.configuration([Person.self]))
    }

    @Test func `objects are added, found, changed and deleted`() throws {
        let (glassonion, jude) = (Person(), Person())
        glassonion.name = "glassonion"
        jude.name = "jude"
        try people.add(domains: [glassonion, jude])
        #expect(people.count == 2)
        let allPeople = people.findAll()
        #expect(try people.find(predicate: NSPredicate(format: "name CONTAINS %@", "gl")).map(\.name) == ["glassonion"])
        #expect(
            try people.transaction { () -> Int in
                allPeople[0].name = "hoge"
                return 7
            } == 7)
        #expect(people.find(primaryKey: glassonion.id)?.name == "hoge")
        #expect(try people.find(\.badge, equals: jude.badge).first?.name == "jude")
        #expect(try people.find("token", equals: jude.token).first?.name == "jude")
        #expect(try people.delete(primaryKey: jude.id))
        #expect(try !people.delete(primaryKey: "nobody"))
        try people.delete(domains: people.findAll())
        #expect(people.count == 0)
    }

    @Test func `adding an object with a known primary key updates it`() throws {
        try people.add(Person(value: ["id": "a", "name": "one"]))
        try people.add(Person(value: ["id": "a", "name": "two"]))
        #expect(people.findAll().map(\.name) == ["two"])
    }

    @Test func `pages follow each other`() throws {
        try people.add(domains: (0..<10).map { Person(value: ["id": "\($0)", "name": "\($0)"]) })
        #expect(people.page(offset: 0, limit: 4).map(\.name) == ["0", "1", "2", "3"])
        #expect(people.page(offset: 8, limit: 4).map(\.name) == ["8", "9"])
        #expect(people.page(offset: 10, limit: 4).isEmpty)
        #expect(people.page(offset: 3, limit: 0).isEmpty)
    }

    @Test func `a transaction that throws changes nothing`() throws {
        try people.add(Person(value: ["id": "a", "name": "one"]))
        #expect(throws: Stop.self) {
            try people.transaction {
                try people.delete(primaryKey: "a")
                throw Stop()
            }
        }
        #expect(people.findAll().map(\.name) == ["one"])
    }

    @Test func `a predicate that does not fit is an error`() throws {
        expectError(.invalidInput) { _ = try people.find(predicate: NSPredicate(format: "name ==")) }
        expectError(.invalidInput) { _ = try people.find(predicate: NSPredicate(format: "nam == 'x'")) }
        expectError(.invalidInput) { _ = try people.find("name", equals: 3) }
        expectError(.invalidInput) { _ = try people.find(predicate: NSPredicate { _, _ in true }) }
    }
}
