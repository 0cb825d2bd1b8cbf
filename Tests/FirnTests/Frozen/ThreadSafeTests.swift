import Firn
import Foundation
import TestSupport
import Testing

@Suite struct ThreadSafeTests {
    typealias Dog = FrozenModel.Dog
    typealias Person = FrozenModel.Person

    private let directory: TemporaryRealm
    private let realm: Realm

    init() throws {
        directory = try TemporaryRealm()
        realm = try Realm(configuration: directory.configuration(FrozenModel.types))
        try FrozenModel.fill(realm)
    }

    @Test func `a thread safe variable is found on every thread, as often as it is read`() async throws {
        let dog = ThreadSafe(wrappedValue: realm.object(ofType: Dog.self, forPrimaryKey: 1))
        let dogs = ThreadSafe(wrappedValue: realm.objects(Person.self).first?.dogs)
        let configuration = directory.configuration(FrozenModel.types)
        for round in 0..<3 {
            try await onNewThread {
                let own = try #require(dog.wrappedValue)
                #expect(own.name == (round == 0 ? "Dog 1" : "Max \(round - 1)") && !own.isFrozen)
                try own.realm?.write { own.name = "Max \(round)" }
                #expect(dogs.wrappedValue?.count == 3 && dogs.wrappedValue?.realm == own.realm)
            }
        }
        try await onNewThread {
            #expect(dog.wrappedValue?.name == "Max 2")
            try FrozenModel.wreck(try Realm(configuration: configuration))
            #expect(dog.wrappedValue == nil && dogs.wrappedValue == nil)
        }
        try await onNewThread { #expect(dog.wrappedValue == nil) }
    }

    @Test func `a thread safe variable is set on any thread`() async throws {
        let configuration = directory.configuration(FrozenModel.types)
        let dog = ThreadSafe<Dog>(wrappedValue: nil)
        #expect(dog.wrappedValue == nil)
        try await onNewThread {
            let realm = try Realm(configuration: configuration)
            dog.wrappedValue = realm.object(ofType: Dog.self, forPrimaryKey: 2)
        }
        #expect(dog.wrappedValue?.name == "Dog 2")
        dog.wrappedValue = nil
        #expect(dog.wrappedValue == nil)
    }

    @Test func `a wrapped variable is the thread's own`() throws {
        let holder = Holder(realm.objects(Person.self).first)
        try onAnotherThread {
            let person = try #require(holder.person)
            try person.realm?.write { person.age += 1 }
        }
        realm.refresh()
        #expect(holder.person?.age == 31)
    }

    private final class Holder: @unchecked Sendable {
        @ThreadSafe var person: Person?
        init(_ person: Person?) { self.person = person }
    }

    @Test func `references lead to dynamic objects, and to an object whose class is not known where it is handed over`()
        async throws
    {
        let configuration = directory.configuration(FrozenModel.types)
        let dynamic = ThreadSafeReference(
            to: try #require(realm.dynamicObject(ofType: "FrozenModel.Dog", forPrimaryKey: 1)))
        let results = ThreadSafeReference(to: realm.dynamicObjects("FrozenModel.Dog").filter("id > 2"))
        let list = ThreadSafeReference(
            to: try #require(realm.dynamicObjects("FrozenModel.Person").first?.dynamicList("dogs")))
        let any: Object = try #require(realm.object(ofType: Dog.self, forPrimaryKey: 3))
        let typeless = ThreadSafeReference(to: any)
        try await onNewThread {
            let realm = try Realm(configuration: configuration)
            #expect(realm.resolve(dynamic)?["name"] as? String == "Dog 1")
            #expect(realm.resolve(results)?.first?["id"] as? Int == 3)
            #expect(realm.resolve(list)?.map { $0["id"] as? Int } == [3, 0, 3])
            #expect((realm.resolve(typeless) as? Dog)?.name == "Dog 3")
        }
    }
}
