import Firn
import Foundation
import Testing

/// The table of the article on relations: each rule, with each kind of property, in each of the ways in which objects go.
@Suite struct DeleteRuleTableTests {
    final class Owner: Object {
        @Persisted(primaryKey: true) var id: Int
        @Persisted(deleteRule: .nullify) var oneNullified: Target?
        @Persisted(deleteRule: .nullify) var listNullified: List<Target>
        @Persisted(deleteRule: .nullify) var setNullified: MutableSet<Target>
        @Persisted(deleteRule: .nullify) var mapNullified: Map<String, Target?>
        @Persisted(deleteRule: .cascade) var oneCascaded: Target?
        @Persisted(deleteRule: .cascade) var listCascaded: List<Target>
        @Persisted(deleteRule: .cascade) var setCascaded: MutableSet<Target>
        @Persisted(deleteRule: .cascade) var mapCascaded: Map<String, Target?>
        @Persisted(deleteRule: .deny) var oneDenied: Target?
        @Persisted(deleteRule: .deny) var listDenied: List<Target>
        @Persisted(deleteRule: .deny) var setDenied: MutableSet<Target>
        @Persisted(deleteRule: .deny) var mapDenied: Map<String, Target?>
        @Persisted var oneEmbedded: Part?
        @Persisted var listEmbedded: List<Part>
        @Persisted var mapEmbedded: Map<String, Part?>
    }

    final class Target: Object {
        @Persisted(primaryKey: true) var id: Int
    }

    final class Part: EmbeddedObject {
        @Persisted var id: Int
    }

    /// A kind of property with a rule.
    struct Property: CustomTestStringConvertible {
        let kind: String
        let rule: String

        var name: String { kind + rule }
        var testDescription: String { name }
        var isEmbedded: Bool { rule == "Embedded" }

        /// A value for the property that links to one object.
        func value(_ id: Int) -> Any {
            switch kind {
            case "one": ["id": id]
            case "map": ["x": ["id": id]]
            default: [["id": id]]
            }
        }

        static let all = ["Nullified", "Cascaded", "Denied", "Embedded"].flatMap { rule in
            ["one", "list", "set", "map"].filter { rule != "Embedded" || $0 != "set" }
                .map { Property(kind: $0, rule: rule) }
        }
    }

    private let directory: TemporaryRealm
    private let realm: Realm

    init() throws {
        directory = try TemporaryRealm()
        realm = try directory.open(Owner.self, Target.self, Part.self)
    }

    private func add(_ property: Property) throws {
        try realm.write {
            _ = realm.create(Owner.self, value: ["id": 1, property.name: property.value(1)])
        }
    }

    private var owner: Owner {
        get throws { try #require(realm.object(ofType: Owner.self, forPrimaryKey: 1)) }
    }

    /// The ids of the objects that a property linked to and that are there.
    private func left(_ property: Property) -> [Int] {
        expectIntact(realm)
        let name = property.isEmbedded ? Part.className() : Target.className()
        return realm.dynamicObjects(name).compactMap { $0["id"] as? Int }.sorted()
    }

    @Test(arguments: Property.all)
    func `delete`(property: Property) throws {
        try add(property)
        if property.rule == "Denied" {
            let message = expectError(.invalidInput) { try realm.write { realm.delete(try owner) } }
            #expect(message.contains("'\(property.name)'"))
            #expect(left(property) == [1])
            #expect(try owner.id == 1)
            try realm.write { realm.delete([try owner] as [Object] + Array(realm.objects(Target.self))) }
            #expect(left(property).isEmpty)
        } else {
            try realm.write { realm.delete(try owner) }
            #expect(left(property) == (property.rule == "Nullified" ? [1] : []))
        }
        #expect(realm.objects(Owner.self).isEmpty)
    }

    @Test(arguments: Property.all)
    func `delete of what is linked to`(property: Property) throws {
        try add(property)
        try realm.write {
            if property.isEmbedded {
                realm.dynamicObjects(Part.className()).first.map { realm.delete($0) }
            } else {
                realm.delete(realm.objects(Target.self))
            }
        }
        #expect(left(property).isEmpty)
        #expect(try owner.id == 1)
    }

    @Test(arguments: Property.all)
    func `deleteAll`(property: Property) throws {
        try add(property)
        try realm.write { realm.deleteAll() }
        #expect(realm.isEmpty)
        #expect(left(property).isEmpty)
    }

    @Test(arguments: Property.all)
    func `the property is set`(property: Property) throws {
        try add(property)
        try realm.write { try owner[property.name] = nil }
        #expect(left(property) == (property.isEmbedded ? [] : [1]))
    }

    @Test(arguments: Property.all, [Realm.UpdatePolicy.modified, .all])
    func `an update gives the property others`(property: Property, policy: Realm.UpdatePolicy) throws {
        try add(property)
        try realm.write {
            _ = realm.create(Owner.self, value: ["id": 1, property.name: property.value(2)], update: policy)
        }
        // A set is merged by `.modified`, and so loses nothing; a map has another object under its key.
        let isMerged = property.kind == "set" && policy == .modified
        switch property.rule {
        case "Cascaded": #expect(left(property) == (isMerged ? [1, 2] : [2]))
        case "Embedded": #expect(left(property) == [2])
        default: #expect(left(property) == [1, 2])
        }
    }

    @Test(arguments: Property.all)
    func `the property goes from the class`(property: Property) throws {
        try add(property)
        let name = property.isEmbedded ? Part.className() : Target.className()
        let types: [ObjectBase.Type] = [Bare.self, Target.self, Part.self]
        let file = directory.fileURL
        let other = try TemporaryRealm()
        try FileManager.default.copyItem(at: file, to: other.fileURL)
        let migrated = try Realm(configuration: other.configuration(types, schemaVersion: 1))
        expectIntact(migrated)
        #expect(migrated.objects(Bare.self).count == 1)
        #expect(migrated.dynamicObjects(name).count == (property.isEmbedded ? 0 : 1))
    }

    /// `Owner` without its properties.
    final class Bare: Object {
        @Persisted(primaryKey: true) var id: Int

        override class func className() -> String { "DeleteRuleTableTests.Owner" }
        override class func shouldIncludeInDefaultSchema() -> Bool { false }
    }
}
