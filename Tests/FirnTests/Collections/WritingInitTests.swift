import Firn
import Testing

/// Objects that are made while somebody goes over them run code of their class, and that may write.
@Suite(.serialized) struct WritingInitTests {
    private let directory: TemporaryRealm
    private let realm: Realm

    final class Item: Object {
        @Persisted(primaryKey: true) var id: Int
        @Persisted var text: String

        /// What the next object does when it is made.
        nonisolated(unsafe) static var task: (() -> Void)?

        required init() {
            super.init()
            let task = Self.task
            Self.task = nil
            task?()
        }
    }

    final class Holder: Object {
        @Persisted var items: List<Item>
    }

    init() throws {
        directory = try TemporaryRealm()
        realm = try directory.open(Item.self, Holder.self)
        try realm.write {
            let holder = Holder()
            for id in 0..<100 { holder.items.append(Item(value: ["id": id, "text": "old"])) }
            realm.add(holder)
        }
    }

    /// Lets the next object that is made give all objects longer texts, so that none stays where it was.
    private func changeAllLater() {
        let realm = realm
        Item.task = {
            realm.beginWrite()
            for id in 0..<100 {
                realm.object(ofType: Item.self, forPrimaryKey: id)?.text = "new and longer than before"
            }
            #expect(throws: Never.self) { try realm.commitWrite() }
        }
    }

    @Test func `results show what such code wrote`() {
        changeAllLater()
        for item in realm.objects(Item.self) { #expect(item.text == "new and longer than before") }
    }

    @Test func `lists show what such code wrote`() throws {
        let items = try #require(realm.objects(Holder.self).first).items
        changeAllLater()
        for item in items { #expect(item.text == "new and longer than before") }
    }
}
