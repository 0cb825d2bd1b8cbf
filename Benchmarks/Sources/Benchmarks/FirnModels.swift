import Firn
import Foundation

final class Group: Object {
    @Persisted(primaryKey: true) var id: Int
    @Persisted var name: String
}

/// The benchmark's object with an integer primary key.
final class IntegerItem: Object, BenchmarkItem {
    @Persisted(primaryKey: true) var id: Int
    @Persisted(indexed: true) var category: Int
    @Persisted(indexed: true) var token: UUID
    @Persisted var name: String
    @Persisted var score: Double
    @Persisted var counter: Int
    @Persisted var active: Bool
    @Persisted var group: Group?

    static func key(of row: Row) -> Int { row.id }
}

/// The same with a UUID for its primary key.
final class UUIDItem: Object, BenchmarkItem {
    @Persisted(primaryKey: true) var id: UUID
    @Persisted(indexed: true) var category: Int
    @Persisted(indexed: true) var token: UUID
    @Persisted var name: String
    @Persisted var score: Double
    @Persisted var counter: Int
    @Persisted var active: Bool
    @Persisted var group: Group?

    static func key(of row: Row) -> UUID { row.uuid }
}

/// What the two have in common.
protocol BenchmarkItem: Object {
    associatedtype Key: Equatable

    var id: Key { get set }
    var category: Int { get set }
    var token: UUID { get set }
    var name: String { get set }
    var score: Double { get set }
    var counter: Int { get set }
    var active: Bool { get set }
    var group: Group? { get set }

    /// The primary key of the object that is made of `row`.
    static func key(of row: Row) -> Key
}

extension BenchmarkItem {
    /// A new object, not yet in a realm.
    static func make(of row: Row, in groups: [Group]) -> Self {
        let item = Self()
        item.id = key(of: row)
        item.category = row.category
        item.token = row.token
        item.name = row.name
        item.score = row.score
        item.counter = row.counter
        item.active = row.active
        item.group = groups[row.group]
        return item
    }

    /// Whether this object is the one made of `row`, property by property.
    func equals(_ row: Row) -> Bool {
        id == Self.key(of: row) && category == row.category && token == row.token && name == row.name
            && score == row.score && counter == row.counter && active == row.active && group?.id == row.group
    }
}
