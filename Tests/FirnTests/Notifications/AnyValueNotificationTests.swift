import Firn
import Foundation
import TestSupport
import Testing

/// Observers of collections of values of any type: what changes within such a value modifies it.
@Suite struct AnyValueNotificationTests {
    final class Crate: Object {
        @Persisted(primaryKey: true) var id: Int
        @Persisted var size = 0
        @Persisted var values: List<AnyRealmValue>
        @Persisted var byName: Map<String, AnyRealmValue>
    }

    private let directory: TemporaryRealm
    private let realm: Realm
    private let crate: Crate

    init() throws {
        directory = try TemporaryRealm()
        realm = try Realm(configuration: directory.configuration([Crate.self]))
        let realm = realm
        crate = try realm.write {
            let other = realm.create(Crate.self, value: ["id": 2])
            let crate = realm.create(Crate.self, value: ["id": 1])
            crate.values.append(.int(1))
            crate.values.append(.fromArray([.string("a"), .fromDictionary(["deep": .fromArray([.int(1)])])]))
            crate.values.append(.object(other))
            crate.values.append(.fromArray([.object(other)]))
            crate.byName["list"] = .fromArray([.int(1)])
            crate.byName["map"] = .fromDictionary(["a": .int(1)])
            crate.byName["crate"] = .object(other)
            return crate
        }
    }

    /// Notes what the collections' observers are told.
    private func observe(_ note: @escaping (String) -> Void) -> [NotificationToken] {
        [
            crate.values.observe { change in
                if case .update(_, let deletions, let insertions, let modifications) = change {
                    note("values -\(deletions) +\(insertions) ~\(modifications)")
                }
            },
            crate.byName.observe { change in
                if case .update(_, let deletions, let insertions, let modifications) = change {
                    note("byName -\(deletions) +\(insertions) ~\(modifications)")
                }
            },
        ]
    }

    @Test func `a change within nested lists and maps modifies the element`() throws {
        var texts: [String] = []
        let tokens =
            observe { texts.append($0) } + [
                crate.observe { (change: ObjectChange<Crate>) in
                    if case .change(_, let properties) = change { texts.append("crate \(properties.map(\.name))") }
                }
            ]
        realm.refresh()
        func expect(_ expected: [String], _ block: () throws -> Void) throws {
            texts = []
            try realm.write(block)
            realm.refresh()
            #expect(texts == expected)
        }
        try expect(["values -[] +[] ~[1]", "crate [\"values\"]"]) { crate.values[1].listValue?.append(.string("b")) }
        try expect(["values -[] +[] ~[1]", "crate [\"values\"]"]) {
            crate.values[1].listValue?[1].dictionaryValue?["deep"]?.listValue?[0] = .int(2)
        }
        try expect(["values -[0] +[] ~[1]", "crate [\"values\"]"]) {
            crate.values.remove(at: 0)
            crate.values[0].listValue?.remove(at: 0)
        }
        try expect(["byName -[] +[] ~[\"list\"]", "crate [\"byName\"]"]) {
            crate.byName["list"]?.listValue?.append(.int(2))
        }
        // The same values behind another key.
        try expect(["byName -[] +[] ~[\"map\"]", "crate [\"byName\"]"]) {
            let map = crate.byName["map"]?.dictionaryValue
            map?["a"] = nil
            map?["b"] = .int(1)
        }
        try expect([]) { crate.values[0].listValue?[0].dictionaryValue?["deep"]?.listValue?[0] = .int(2) }
        withExtendedLifetime(tokens) {}
    }

    @Test func `a change of an object modifies the elements that lead to it`() throws {
        var texts: [String] = []
        let tokens = observe { texts.append($0) }
        realm.refresh()
        let other = try #require(realm.object(ofType: Crate.self, forPrimaryKey: 2))
        try realm.write { other.size = 5 }
        realm.refresh()
        #expect(texts == ["values -[] +[] ~[2, 3]", "byName -[] +[] ~[\"crate\"]"])
        texts = []
        try onAnotherThread { [configuration = realm.configuration] in
            let realm = try Realm(configuration: configuration)
            try realm.write { realm.create(Crate.self, value: ["id": 3, "size": 1]).values.append(.int(4)) }
        }
        realm.refresh()
        #expect(texts == [])
        withExtendedLifetime(tokens) {}
    }
}
