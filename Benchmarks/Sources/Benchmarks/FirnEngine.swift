import Firn
import Foundation

/// Firn through its public API.
///
/// The class itself is not generic: generic functions that are called with a model class by name are compiled for that
/// class, as the code of a program would be.
final class FirnEngine: Engine {
    let realm: Realm
    private let keys: KeyKind

    init(path: String, keys: KeyKind) throws {
        let items: ObjectBase.Type = keys == .integer ? IntegerItem.self : UUIDItem.self
        realm = try Realm(configuration: .init(fileURL: URL(fileURLWithPath: path), objectTypes: [Group.self, items]))
        self.keys = keys
    }

    func insertGroups(_ count: Int) throws {
        try realm.write {
            for id in 0..<count {
                let group = Group()
                group.id = id
                group.name = "group \(id)"
                realm.add(group)
            }
        }
    }

    func insert(_ batch: Batch) throws {
        switch keys {
        case .integer: try insert(batch, as: IntegerItem.self)
        case .uuid: try insert(batch, as: UUIDItem.self)
        }
    }

    private func insert<Item: BenchmarkItem>(_ batch: Batch, as type: Item.Type) throws {
        try realm.write {
            let groups = Array(realm.objects(Group.self).sorted(byKeyPath: "id"))
            for row in batch.rows {
                realm.add(Item.make(of: row, in: groups))
            }
        }
    }

    func read(ids: [Int]) throws -> Sum {
        Self.read(ids, as: IntegerItem.self, in: realm)
    }

    func read(uuids: [UUID]) throws -> Sum {
        Self.read(uuids, as: UUIDItem.self, in: realm)
    }

    private static func read<Item: BenchmarkItem>(
        _ keys: some Sequence<Item.Key>, as type: Item.Type, in realm: Realm
    ) -> Sum {
        var sum = Sum()
        for key in keys {
            guard let item = realm.object(ofType: type, forPrimaryKey: key) else { continue }
            sum.add(item)
        }
        return sum
    }

    func read(ids: [Int], threads: Int) throws -> Sum {
        let frozen = realm.freeze()
        return try Parts(count: ids.count, threads: threads).sum { range in
            Self.read(ids[range], as: IntegerItem.self, in: frozen)
        }
    }

    func read(ids: [Int], threads: Int, besideUpdatesOf updated: ArraySlice<Int>) throws -> Sum {
        let configuration = realm.configuration
        return try Parts(count: ids.count, threads: threads).sum(
            beside: Parts.batches(of: updated),
            write: { ids in
                let realm = try Realm(configuration: configuration)
                try realm.write {
                    for id in ids { realm.object(ofType: IntegerItem.self, forPrimaryKey: id)?.counter = id }
                }
            },
            read: { range in
                let realm = try Realm(configuration: configuration)
                var sum = Sum()
                for batch in Parts.batches(of: ids[range]) {
                    realm.refresh()
                    sum.add(Self.read(batch, as: IntegerItem.self, in: realm))
                }
                return sum
            })
    }

    func readEachInSnapshot(ids: [Int]) throws -> Sum {
        var sum = Sum()
        for id in ids {
            guard let item = realm.freeze().object(ofType: IntegerItem.self, forPrimaryKey: id) else { continue }
            sum.add(item)
        }
        return sum
    }

    func update(ids: [Int], counters: [Int]) throws {
        try realm.write {
            for (id, counter) in zip(ids, counters) {
                realm.object(ofType: IntegerItem.self, forPrimaryKey: id)?.counter = counter
            }
        }
    }

    func iterate() throws -> Sum {
        switch keys {
        case .integer: iterate(IntegerItem.self)
        case .uuid: iterate(UUIDItem.self)
        }
    }

    private func iterate<Item: BenchmarkItem>(_ type: Item.Type) -> Sum {
        var sum = Sum()
        for item in realm.objects(type) {
            sum.add(item)
        }
        return sum
    }

    func countScores(above bound: Double) throws -> Int {
        realm.objects(IntegerItem.self).filter("score > %@", bound).count
    }

    func countActiveScores(above bound: Double) throws -> Int {
        realm.objects(IntegerItem.self).filter("score > %@ AND active == true", bound).count
    }

    func holds(_ row: Row) throws -> Bool {
        switch keys {
        case .integer: holds(row, as: IntegerItem.self)
        case .uuid: holds(row, as: UUIDItem.self)
        }
    }

    private func holds<Item: BenchmarkItem>(_ row: Row, as type: Item.Type) -> Bool {
        let item = realm.object(ofType: type, forPrimaryKey: Item.key(of: row))
        let byToken = realm.objects(type).filter("token == %@", row.token)
        return item?.equals(row) == true && byToken.count == 1 && byToken.first?.id == Item.key(of: row)
    }

    func count(category: Int) throws -> Int {
        switch keys {
        case .integer: realm.objects(IntegerItem.self).filter("category == %@", category).count
        case .uuid: realm.objects(UUIDItem.self).filter("category == %@", category).count
        }
    }
}

extension Sum {
    fileprivate mutating func add(_ item: some BenchmarkItem) {
        count += 1
        counters &+= item.counter
        scores += item.score
    }
}
