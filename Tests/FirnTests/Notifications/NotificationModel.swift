import Firn
import Testing

/// Classes that lead to each other in every way that an observer may look along.
enum NotificationModel {
    final class Part: EmbeddedObject {
        @Persisted var weight = 0
    }

    final class Item: Object {
        @Persisted(primaryKey: true) var id: Int
        @Persisted var name = ""
        @Persisted(indexed: true) var rank = 0
        @Persisted var isActive = false
        @Persisted var friend: Item?
        @Persisted var part: Part?
        @Persisted var box: Box?
        @Persisted var anything: AnyRealmValue
        @Persisted(originProperty: "items") var boxes: LinkingObjects<Box>
    }

    final class Box: Object {
        @Persisted(primaryKey: true) var id: Int
        @Persisted var label = ""
        @Persisted var items: List<Item>
        @Persisted var chosen: MutableSet<Item>
        @Persisted var byName: Map<String, Item?>
        @Persisted var numbers: List<Int>
        @Persisted var words: MutableSet<String>
        @Persisted var counts: Map<String, Int>
    }

    static let types: [ObjectBase.Type] = [Item.self, Box.self, Part.self]

    /// A new file with what `fill` adds, and its realm.
    static func open() throws -> (TemporaryRealm, Realm) {
        let directory = try TemporaryRealm()
        let realm = try Realm(configuration: directory.configuration(types))
        try fill(realm)
        return (directory, realm)
    }

    /// Ten items, of which every second is active, and a box with the first five.
    static func fill(_ realm: Realm) throws {
        try realm.write {
            let items = (0..<10).map { number in
                Item(value: ["id": number, "name": "Item \(number)", "rank": number, "isActive": number % 2 == 0])
            }
            realm.add(items)
            let box = Box(value: ["id": 0, "label": "first"])
            realm.add(box)
            box.items.append(objectsIn: items[..<5])
            box.numbers.append(objectsIn: [1, 2, 3])
        }
    }
}

extension Realm {
    /// One of the items that `NotificationModel.fill` has made.
    func item(_ id: Int) throws -> NotificationModel.Item {
        try #require(object(ofType: NotificationModel.Item.self, forPrimaryKey: id))
    }

    /// The box that `NotificationModel.fill` has made.
    func box() throws -> NotificationModel.Box {
        try #require(object(ofType: NotificationModel.Box.self, forPrimaryKey: 0))
    }
}
