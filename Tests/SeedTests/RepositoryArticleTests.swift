import Foundation
import RealmSwift
import Synchronization
import TestSupport
import Testing

// The article's classes, as they stand, but for their access: the names are Firn's own too.

private class Repository<DomainType: Object> {
    var realm: Realm
    init() {
        self.realm = try! Realm()
    }
    // Look-up by primary key
    func find(primaryKey: String) -> DomainType? {
        return realm.objects(DomainType.self).filter("id == %@", primaryKey).first
    }
    // All of them
    func findAll() -> [DomainType] {
        return realm.objects(DomainType.self).map({ $0 })
    }
    // By condition
    func find(predicate: NSPredicate) -> Results<DomainType> {
        return realm.objects(DomainType.self).filter(predicate)
    }
    // Adding and updating
    func add(domains: [DomainType]) {
        try! realm.write {
            realm.add(domains, update: true)
        }
    }
    // Deleting
    func delete(domains: [DomainType]) {
        try! realm.write {
            realm.delete(domains)
        }
    }
    // A transaction
    func transaction(_ transactionBlock: () -> Void) {
        try! realm.write {
            transactionBlock()
        }
    }
    // Objects that crossed threads
    func resolve<Confined: ThreadConfined>(_ reference: ThreadSafeReference<Confined>) -> Confined? {
        return self.realm.resolve(reference)
    }
}

private class Person: Object {
    dynamic var id = UUID().uuidString
    dynamic var name = ""
    // The primary key
    override static func primaryKey() -> String? {
        return "id"
    }
}

/// The programs of the article "The repository pattern on Realm".
@Suite struct RepositoryArticleTests {
    @Test func `persons are made, added, found, changed and deleted`() async {
        await #expect(processExitsWith: .success) {
            let directory = try TemporaryRealm()
            Realm.Configuration.defaultConfiguration.fileURL = directory.fileURL

            let glassonion = Person()
            glassonion.name = "glassonion"
            let jude = Person()
            jude.name = "jude"
            let repo = Repository<Person>()
            repo.add(domains: [glassonion, jude])
            let allPeople = repo.findAll()
            #expect(Set(allPeople.map(\.name)) == ["glassonion", "jude"])
            let predicate = NSPredicate(format: "name CONTAINS %@", "gl")
            let people = repo.find(predicate: predicate)
            #expect(people.map(\.name) == ["glassonion"])
            #expect(repo.find(primaryKey: jude.id)?.name == "jude")
            repo.transaction { allPeople[0].name = "hoge" }
            #expect(repo.findAll().contains { $0.name == "hoge" })
            repo.delete(domains: allPeople)
            #expect(repo.findAll().isEmpty)
            #expect(directory.fileURL == repo.realm.configuration.fileURL)
        }
    }

    @Test func `a person handed to a queue is changed there`() async {
        await #expect(processExitsWith: .success) {
            let directory = try TemporaryRealm()
            Realm.Configuration.defaultConfiguration.fileURL = directory.fileURL
            let done = DispatchSemaphore(value: 0)

            let repo = Repository<Person>()
            repo.add(domains: [Person()])
            let person = repo.findAll().first!
            let personRef = ThreadSafeReference(to: person)
            DispatchQueue(label: "io.realm.RealmTasks.bg").async {
                let repo = Repository<Person>()
                if let person = repo.resolve(personRef) {
                    repo.transaction { person.name = "Michelle" }
                }
                done.signal()
            }

            done.wait()
            repo.realm.refresh()
            #expect(person.name == "Michelle")
            #expect(directory.fileURL == repo.realm.configuration.fileURL)
        }
    }
}
