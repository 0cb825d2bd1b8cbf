import Firn
import Foundation
import Testing

@Suite struct DeleteRuleTests {
    final class Owner: Object {
        @Persisted(primaryKey: true) var id: Int
        @Persisted(deleteRule: .cascade) var pet: Pet?
        @Persisted(deleteRule: .cascade) var pets: List<Pet>
        @Persisted(deleteRule: .cascade) var herd: MutableSet<Pet>
        @Persisted(deleteRule: .cascade) var named: Map<String, Pet?>
        @Persisted(deleteRule: .cascade) var partner: Owner?
        @Persisted(deleteRule: .nullify) var favourite: Pet?
        @Persisted var liked: List<Pet>
        @Persisted(deleteRule: .deny) var contract: Contract?
        @Persisted(deleteRule: .deny) var contracts: List<Contract>

        convenience init(_ id: Int, pets: [Pet] = []) {
            self.init()
            self.id = id
            self.pets.append(objectsIn: pets)
        }
    }

    final class Pet: Object {
        @Persisted(primaryKey: true) var id: Int
        @Persisted(deleteRule: .cascade) var collar: Collar? = nil

        convenience init(_ id: Int, collar: Collar? = nil) {
            self.init()
            self.id = id
            self.collar = collar
        }
    }

    final class Collar: Object {
        @Persisted var text = ""
    }

    final class Contract: Object {
        @Persisted(primaryKey: true) var id: Int
    }

    final class Node: Object {
        @Persisted(deleteRule: .cascade) var next: Node?
    }

    private struct Stop: Error {}

    private let directory: TemporaryRealm
    private let realm: Realm

    init() throws {
        directory = try TemporaryRealm()
        realm = try directory.open(Owner.self, Pet.self, Collar.self, Contract.self)
    }

    private func ids<T: Object>(_ type: T.Type) -> [Int] {
        realm.objects(type).map { $0["id"] as? Int ?? -1 }.sorted()
    }

    @Test func `cascade deletes what every kind of property links to, and what that cascades to`() throws {
        let owner = Owner(1, pets: [Pet(2, collar: Collar())])
        owner.pet = Pet(1, collar: Collar())
        owner.herd.insert(Pet(3))
        owner.named["x"] = Pet(4)
        owner.named.updateValue(nil, forKey: "y")
        try realm.write {
            realm.add(owner)
            realm.add(Pet(9))
        }
        #expect(ids(Pet.self) == [1, 2, 3, 4, 9])
        try realm.write { realm.delete(owner) }
        #expect(ids(Pet.self) == [9])
        #expect(realm.objects(Collar.self).isEmpty)
        expectIntact(realm)
    }

    @Test func `nullify leaves what is linked to`() throws {
        let owner = Owner(1)
        owner.favourite = Pet(1)
        owner.liked.append(Pet(2))
        try realm.write { realm.add(owner) }
        try realm.write { realm.delete(owner) }
        #expect(ids(Pet.self) == [1, 2])
        expectIntact(realm)
    }

    @Test func `an object of two owners goes with the first, and the other's links with it`() throws {
        let shared = Pet(1)
        let first = Owner(1, pets: [shared])
        let second = Owner(2, pets: [Pet(2), shared])
        second.pet = shared
        second.favourite = shared
        second.named["x"] = shared
        try realm.write { realm.add([first, second]) }
        try realm.write { realm.delete(first) }
        #expect(shared.isInvalidated)
        #expect(ids(Pet.self) == [2])
        #expect(second.pets.map(\.id) == [2])
        #expect(second.pet == nil)
        #expect(second.favourite == nil)
        #expect(second.named.keys == ["x"])
        #expect(second.named["x"] == .some(nil))
        expectIntact(realm)
    }

    @Test func `a cycle of cascades ends`() throws {
        let first = Owner(1)
        let second = Owner(2)
        first.partner = second
        second.partner = first
        let third = Owner(3)
        third.partner = third
        try realm.write { realm.add([first, third]) }
        try realm.write { realm.delete(second) }
        #expect(ids(Owner.self) == [3])
        try realm.write { realm.delete(third) }
        #expect(ids(Owner.self).isEmpty)
        expectIntact(realm)
    }

    @Test func `a chain of a hundred thousand objects goes with its first`() throws {
        let realm = try TemporaryRealm().open(Node.self)
        let first = Node()
        var last = first
        for _ in 1..<100_000 {
            let next = Node()
            last.next = next
            last = next
        }
        try realm.write { realm.add(first) }
        #expect(realm.objects(Node.self).count == 100_000)
        try realm.write { realm.delete(first) }
        #expect(realm.objects(Node.self).isEmpty)
    }

    @Test func `deny refuses with the property's name, and nothing is deleted`() throws {
        let owner = Owner(1, pets: [Pet(1)])
        owner.contract = Contract(value: [1])
        try realm.write { realm.add(owner) }
        let message = expectError(.invalidInput) {
            try realm.write {
                owner.pets.append(Pet(2))
                realm.delete(owner)
                #expect(!owner.isInvalidated)
                #expect(owner.pets.count == 2)
            }
        }
        #expect(
            message.hasPrefix(
                """
                the object of class 'DeleteRuleTests.Owner' with id = 1 cannot be deleted while its property 'contract', whose \
                delete rule is `.deny`, links to the object of class 'DeleteRuleTests.Contract' with id = 1; delete that too, \
                or take it out of the property first
                """))
        #expect(owner.pets.map(\.id) == [1])
        try realm.write {
            owner.contract = nil
            realm.delete(owner)
        }
        #expect(ids(Contract.self) == [1])
    }

    @Test func `deny holds for each object of a list, and once it is reached by a cascade`() throws {
        let partner = Owner(2)
        partner.contracts.append(Contract(value: [1]))
        let owner = Owner(1)
        owner.partner = partner
        try realm.write { realm.add(owner) }
        expectError(.invalidInput) { try realm.write { realm.delete(owner) } }
        #expect(ids(Owner.self) == [1, 2])
        try realm.write {
            realm.delete(partner.contracts)
            realm.delete(owner)
        }
        #expect(ids(Owner.self).isEmpty)
        expectIntact(realm)
    }

    @Test(arguments: [false, true])
    func `what one call deletes is judged together`(isReversed: Bool) throws {
        let contract = Contract(value: [1])
        let owner = Owner(1)
        owner.contract = contract
        owner.contracts.append(contract)
        try realm.write { realm.add(owner) }
        let objects: [Object] = [owner, contract]
        try realm.write { realm.delete(isReversed ? objects.reversed() : objects) }
        #expect(ids(Owner.self).isEmpty)
        #expect(ids(Contract.self).isEmpty)
        #expect(owner.realm == nil)
    }

    @Test func `deleteAll is not denied, and takes everything`() throws {
        let owner = Owner(1, pets: [Pet(1, collar: Collar())])
        owner.contract = Contract(value: [1])
        owner.partner = owner
        try realm.write { realm.add(owner) }
        try realm.write { realm.deleteAll() }
        #expect(realm.isEmpty)
        #expect(owner.isInvalidated)
        expectIntact(realm)
    }

    @Test func `results, lists, sets and maps are deleted as one and are empty then`() throws {
        let owner = Owner(1, pets: [Pet(1), Pet(2)])
        owner.liked.append(objectsIn: owner.pets)
        owner.herd.insert(objectsIn: [Pet(3), Pet(4)])
        owner.named["x"] = Pet(5)
        try realm.write {
            realm.add(owner)
            realm.add(Pet(6))
        }
        try realm.write {
            realm.delete(owner.pets)
            #expect(owner.pets.isEmpty)
            #expect(owner.liked.isEmpty)
            realm.delete(owner.herd)
            #expect(owner.herd.isEmpty)
            realm.delete(owner.named)
            #expect(owner.named.isEmpty)
            #expect(ids(Pet.self) == [6])
            realm.delete(realm.objects(Pet.self))
        }
        #expect(ids(Pet.self).isEmpty)
        expectIntact(realm)
    }

    @Test func `what a cascade deletes comes back when the write is rolled back, its accessors do not`() throws {
        let owner = Owner(1, pets: [Pet(1, collar: Collar(value: ["text": "Rex"]))])
        try realm.write { realm.add(owner) }
        let pet = owner.pets[0]
        let collar = try #require(pet.collar)
        #expect(throws: Stop.self) {
            try realm.write {
                realm.delete(owner)
                throw Stop()
            }
        }
        #expect(pet.isInvalidated)
        #expect(collar.isInvalidated)
        #expect(realm.objects(Owner.self).first?.pets.first?.collar?.text == "Rex")
        expectIntact(realm)
    }

    @Test func `rules are the file's: they hold where a program does not know the classes`() throws {
        let owner = Owner(1, pets: [Pet(1, collar: Collar())])
        let guarded = Owner(2)
        guarded.contract = Contract(value: [1])
        try realm.write { realm.add([owner, guarded]) }
        let other = try directory.open(Pet.self, Collar.self)
        try other.write { other.delete(try #require(other.object(ofType: Pet.self, forPrimaryKey: 1))) }
        #expect(other.objects(Collar.self).isEmpty)
        realm.refresh()
        #expect(owner.pets.isEmpty)
        let contracts = try directory.open(Contract.self)
        try contracts.write { contracts.deleteAll() }
        realm.refresh()
        #expect(guarded.contract == nil)
        expectIntact(realm)
    }
}
