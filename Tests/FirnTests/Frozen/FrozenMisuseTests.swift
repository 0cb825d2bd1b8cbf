import Firn
import Foundation
import TestSupport
import Testing

/// What must not be done with frozen things, by what the message says. An exit test runs in a process of its own.
@Suite struct FrozenMisuseTests {
    typealias Dog = FrozenModel.Dog
    typealias Person = FrozenModel.Person

    private static func makeRealm() throws -> (Realm, Person) {
        let realm = try Realm(
            configuration: Realm.Configuration(inMemoryIdentifier: UUID().uuidString, objectTypes: FrozenModel.types))
        try FrozenModel.fill(realm)
        guard let person = realm.objects(Person.self).first else { fatalError("nobody was added") }
        return (realm, person)
    }

    @Test func `a write of a frozen realm traps`() async {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            try FrozenMisuseTests.makeRealm().0.freeze().write {}
        }
        expect(result, says: "A write of a frozen realm was begun", "thaw()")
    }

    @Test func `setting a property of a frozen object traps, in a write too`() async {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            let (realm, person) = try FrozenMisuseTests.makeRealm()
            let frozen = person.freeze()
            try realm.write { frozen.name = "Max" }
        }
        expect(result, says: "Person.name was set in a frozen realm", "thaw()")
    }

    @Test func `changing a frozen list traps`() async {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            let (realm, person) = try FrozenMisuseTests.makeRealm()
            let frozen = person.dogs.freeze()
            try realm.write { frozen.removeAll() }
        }
        expect(result, says: "Person.dogs was changed in a frozen realm", "thaw()")
    }

    @Test func `linking to a frozen object traps`() async {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            let (realm, person) = try FrozenMisuseTests.makeRealm()
            let frozen = person.dogs[0].freeze()
            try realm.write { person.favourite = frozen }
        }
        expect(result, says: "Dog' (primary key 3) is frozen", "thaw()")
    }

    @Test func `deleting a frozen object traps`() async {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            let (realm, person) = try FrozenMisuseTests.makeRealm()
            let frozen = person.freeze()
            try realm.write { realm.delete(frozen) }
        }
        expect(result, says: "is frozen", "thaw()")
    }

    @Test func `freezing an unmanaged object traps`() async {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            _ = Dog().freeze()
        }
        expect(result, says: "An unmanaged object of class 'FrozenModel.Dog' was frozen")
    }

    @Test func `freezing an unmanaged list traps`() async {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            _ = List<Int>().freeze()
        }
        expect(result, says: "An unmanaged List<Int> was frozen")
    }

    @Test func `freezing a deleted object traps`() async {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            let (realm, person) = try FrozenMisuseTests.makeRealm()
            try realm.write { realm.delete(person) }
            _ = person.freeze()
        }
        expect(result, says: "is deleted or invalidated, and was frozen")
    }

    @Test func `freezing what the open write has added traps`() async {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            let (realm, _) = try FrozenMisuseTests.makeRealm()
            try realm.write {
                let dog = realm.create(Dog.self, value: ["id": 77])
                _ = dog.freeze()
            }
        }
        expect(result, says: "(primary key 77) was added in the open write transaction", "after the commit")
    }

    @Test func `freezing the list of an object that the open write has added traps`() async {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            let (realm, _) = try FrozenMisuseTests.makeRealm()
            try realm.write {
                let person = realm.create(Person.self)
                _ = person.dogs.freeze()
            }
        }
        expect(result, says: "Person.dogs was frozen", "after the commit")
    }

    @Test func `a live object that a frozen one was thawed to stays on its thread`() async {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            let (_, person) = try FrozenMisuseTests.makeRealm()
            let frozen = Frozen(person)
            nonisolated(unsafe) let live = try await onNewThread {
                nonisolated(unsafe) let live = frozen.value.thaw()
                return Box(live)
            }.value
            _ = live?.name
        }
        expect(result, says: "was used on thread", "belongs to thread")
    }

    private struct Box: @unchecked Sendable {
        let value: Person?
        init(_ value: Person?) { self.value = value }
    }
}
