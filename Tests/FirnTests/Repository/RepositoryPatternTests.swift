import Firn
import Foundation
import TestSupport
import Testing

// A user's own repository class on our Realm, as it stands in an article on the pattern: its name shadows ours.
private class Repository<DomainType: Object> {
    var realm: Realm
    init(_ configuration: Realm.Configuration) { self.realm = try! Realm(configuration: configuration) }
    func find(primaryKey: String) -> DomainType? {
        return realm.objects(DomainType.self).filter("id == %@", primaryKey).first
    }
    func findAll() -> [DomainType] { return realm.objects(DomainType.self).map({ $0 }) }
    func find(predicate: NSPredicate) -> Results<DomainType> {
        return realm.objects(DomainType.self).filter(predicate)
    }
    func add(domains: [DomainType]) { try! realm.write { realm.add(domains, update: true) } }
    func delete(domains: [DomainType]) { try! realm.write { realm.delete(domains) } }
    func transaction(_ transactionBlock: () -> Void) { try! realm.write { transactionBlock() } }
    func resolve<Confined: ThreadConfined>(_ reference: ThreadSafeReference<Confined>) -> Confined? {
        return self.realm.resolve(reference)
    }
}

@Suite struct RepositoryPatternTests {
    final class Person: Object {
        @Persisted(primaryKey: true) var id = UUID().uuidString
        @Persisted var name = ""
    }

    @Test func `a user's repository works as it is written`() throws {
        let directory = try TemporaryRealm()
        let configuration = directory.configuration([Person.self])
        let glassonion = Person()
        glassonion.name = "glassonion"
        let jude = Person()
        jude.name = "jude"
        let repo = Repository<Person>(configuration)
        repo.add(domains: [glassonion, jude])
        let allPeople = repo.findAll()
        #expect(allPeople.count == 2)
        let people = repo.find(predicate: NSPredicate(format: "name CONTAINS %@", "gl"))
        #expect(people.map(\.id) == [glassonion.id])
        repo.transaction { allPeople[0].name = "hoge" }
        #expect(repo.find(primaryKey: glassonion.id)?.name == "hoge")

        let personRef = ThreadSafeReference(to: jude)
        let resultsRef = ThreadSafeReference(to: people)
        try onAnotherThread {
            let repo = Repository<Person>(configuration)
            if let person = repo.resolve(personRef) {
                repo.transaction { person.name = "Michelle" }
            }
            #expect(repo.resolve(resultsRef)?.count == 0)
        }
        #expect(personRef.isInvalidated)
        repo.realm.refresh()
        #expect(jude.name == "Michelle")
        repo.delete(domains: allPeople)
        #expect(repo.findAll().isEmpty)
    }
}
