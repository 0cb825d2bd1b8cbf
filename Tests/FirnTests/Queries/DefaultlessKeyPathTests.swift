import Firn
import Foundation
import Testing

/// Key paths to properties whose types have no default, so that no object has a value to show before it is given one.
@Suite struct DefaultlessKeyPathTests {
    enum Info: PersistableCodable {
        case number(Int)
        case text(String)
    }

    /// A type of which no value can be made but from what is stored.
    struct Code: FailableCustomPersistable, Comparable {
        let text: String
        init?(persistedValue: String) {
            if persistedValue.isEmpty { return nil }
            text = persistedValue
        }
        var persistableValue: String { text }
        static func < (left: Code, right: Code) -> Bool { left.text < right.text }
    }

    struct Point: FailableCustomPersistable {
        let x: Int
        init?(persistedValue: StoredPoint) {
            if persistedValue.x == 0 { return nil }
            x = persistedValue.x
        }
        var persistableValue: StoredPoint { StoredPoint(value: ["x": x]) }
    }

    final class StoredPoint: EmbeddedObject {
        @Persisted var x: Int
    }

    final class Item: Object {
        @Persisted(primaryKey: true) var id: Int
        @Persisted var info: Info
        @Persisted var otherInfo: Info
        @Persisted(indexed: true) var code: Code
        @Persisted var url: URL
        @Persisted var point: Point
        @Persisted var next: Item?
        @Persisted var items: List<Item>
        var text: String { code.text }
    }

    private let directory: TemporaryRealm
    private let realm: Realm

    init() throws {
        directory = try TemporaryRealm()
        let realm = try directory.open(Item.self, StoredPoint.self)
        self.realm = realm
        try realm.write {
            for id in 1...4 {
                let item = Item()
                item.id = id
                item.info = id == 2 ? .text("two") : .number(id)
                item.otherInfo = .number(-id)
                item.code = try #require(Code(persistedValue: "c\(9 - id)"))
                item.url = try #require(URL(string: "https://example.org/\(id)"))
                item.point = try #require(Point(persistedValue: StoredPoint(value: ["x": id])))
                item.next = realm.object(ofType: Item.self, forPrimaryKey: id - 1)
                realm.add(item)
            }
        }
    }

    private func ids(_ results: Results<Item>) -> [Int] { results.map(\.id).sorted() }

    @Test func `a query names them`() {
        let items = realm.objects(Item.self)
        let code = Code(persistedValue: "c6")
        for _ in 0..<2 {
            #expect(ids(items.where { $0.info.caseName == "text" }) == [2])
            #expect(ids(items.where { $0.otherInfo.caseName == "number" }) == [1, 2, 3, 4])
            #expect(ids(items.where { $0.info.caseName != "text" && $0.next.info.caseName == "text" }) == [3])
        }
        if let code { #expect(ids(items.where { $0.code == code }) == [3]) }
        if let code { #expect(ids(items.where { $0.code > code }) == [1, 2]) }
        if let url = URL(string: "https://example.org/4") { #expect(ids(items.where { $0.url == url }) == [4]) }
        #expect(ids(items.where { $0.point.persistableValue.x > 2 }) == [3, 4])
    }

    @Test func `a member of what is stored as an object traps, and says what to write`() async {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            let realm = try TemporaryRealm().open(Item.self, StoredPoint.self)
            _ = realm.objects(Item.self).where { $0.point.x > 2 }
        }
        expect(result, says: "`persistableValue`")
    }

    @Test func `sorting names them`() {
        #expect(realm.objects(Item.self).sorted(by: \.code).map(\.id) == [4, 3, 2, 1])
        let byURL = SortDescriptor(keyPath: \Item.url, ascending: false)
        #expect(realm.objects(Item.self).sorted(by: [byURL]).map(\.id) == [4, 3, 2, 1])
        #expect(realm.objects(Item.self).sorted(by: \.next?.code).map(\.id).first == 4)
    }

    @Test func `many threads may name them at once`() async {
        let fileURL = directory.fileURL
        await withTaskGroup(of: [Int].self) { group in
            for number in 0..<8 {
                let name = number % 2 == 0 ? "text" : "none"
                group.addTask {
                    var configuration = Realm.Configuration(
                        fileURL: fileURL, objectTypes: [Item.self, StoredPoint.self])
                    configuration.reservationInBytes = 1 << 34
                    guard let realm = try? Realm(configuration: configuration) else { return [] }
                    return realm.objects(Item.self).where { $0.info.caseName == name }.map(\.id)
                }
            }
            var found: [[Int]] = []
            for await ids in group { found.append(ids) }
            #expect(found.sorted { $0.count < $1.count } == [[], [], [], [], [2], [2], [2], [2]])
        }
    }

    @Test func `a key path that leads through one traps, and says so`() async {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            _ = SortDescriptor(keyPath: \Item.text)
        }
        expect(result, says: "A key path leads through a property of type Code")
    }

    @Test func `an object of an embedded value that was given none is refused`() throws {
        let item = Item(value: ["id": 7, "info": Info.number(1), "otherInfo": Info.number(1)])
        item.code = try #require(Code(persistedValue: "c"))
        item.url = try #require(URL(string: "a"))
        let message = expectError(.invalidInput) { try realm.write { realm.add(item) } }
        #expect(message.contains("point"))
        #expect(item.realm == nil)
    }
}
