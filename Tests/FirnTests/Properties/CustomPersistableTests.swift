import Firn
import Foundation
import Testing

struct Coordinate {
    var latitude: Double
    var longitude: Double
}

extension Coordinate: CustomPersistable {
    public typealias PersistedType = StoredCoordinate

    public init(persistedValue: PersistedType) {
        self.init(latitude: persistedValue.latitude, longitude: persistedValue.longitude)
    }

    public var persistableValue: PersistedType {
        StoredCoordinate(value: [self.latitude, self.longitude])
    }
}

public class StoredCoordinate: EmbeddedObject {
    @Persisted var latitude: Double
    @Persisted var longitude: Double
}

extension URL: FailableCustomPersistable {
    public typealias PersistedType = String
    public init?(persistedValue: String) { self.init(string: persistedValue) }
    public var persistableValue: String { self.absoluteString }
}

@Suite struct CustomPersistableTests {
    class Club: Object {
        @Persisted var id: ObjectId
        @Persisted var name: String
        @Persisted var url: URL?
    }

    class Page: Object {
        @Persisted(primaryKey: true) var id: Handle
        @Persisted(indexed: true) var parent: Handle?
        @Persisted var url: URL
        @Persisted var size: Kilobytes
    }

    struct Handle: CustomPersistable {
        let number: Int

        init(_ number: Int) { self.number = number }
        init(persistedValue: Int) { number = persistedValue }
        var persistableValue: Int { number }
    }

    struct Kilobytes: CustomPersistable {
        var count: Double

        init(persistedValue: Double) { count = persistedValue / 1024 }
        var persistableValue: Double { count * 1024 }
    }

    /// The file's view of `Page`, as a program before the mapped types had it.
    class PlainPage: Object {
        @Persisted(primaryKey: true) var id: Int
        @Persisted(indexed: true) var parent: Int?
        @Persisted var url: String
        @Persisted var size: Double

        override static func className() -> String { "CustomPersistableTests.Page" }
        override static func shouldIncludeInDefaultSchema() -> Bool { false }
    }

    class PlainClub: Object {
        @Persisted var id: ObjectId
        @Persisted var name: String
        @Persisted var url: String?

        override static func className() -> String { "CustomPersistableTests.Club" }
        override static func shouldIncludeInDefaultSchema() -> Bool { false }
    }

    private let directory: TemporaryRealm

    init() throws {
        directory = try TemporaryRealm()
    }

    @Test func `mapped values come back as they went`() throws {
        let realm = try directory.open(Club.self)
        let club = Club(value: ["name": "American Kennel Club", "url": "https://akc.org"])
        let club2 = Club()
        club2.name = "Continental Kennel Club"
        club2.url = URL(string: "https://ckcusa.com/")
        try realm.write { realm.add([club, club2]) }
        #expect(club.url == URL(string: "https://akc.org"))
        #expect(club2.url == URL(string: "https://ckcusa.com/"))
        try realm.write { club.url = nil }
        #expect(club.url == nil)
    }

    @Test
    func `the file and the schema know the persisted type only, so a change of the property's type migrates nothing`()
        throws
    {
        try autoreleasepool {
            let realm = try directory.open(Page.self)
            try realm.write {
                realm.create(Page.self, value: ["id": 1, "parent": Handle(2), "url": "a", "size": 2048])
            }
            let schema = realm.schema["CustomPersistableTests.Page"]
            #expect(schema?.properties.map(\.type) == [.int, .int, .string, .double])
            #expect(schema?.properties.map(\.isOptional) == [false, true, false, false])
            #expect(schema?["parent"]?.isIndexed == true)
            let page = try #require(realm.object(ofType: Page.self, forPrimaryKey: Handle(1)))
            #expect(page.size.count == 2)
            #expect(page["url"] as? String == "a")
            #expect(page["size"] as? Double == 2048)
            #expect(page.parent == Handle(2))
        }
        let realm = try directory.open(PlainPage.self)
        let page = try #require(realm.object(ofType: PlainPage.self, forPrimaryKey: 1))
        #expect(page.url == "a")
        #expect(page.parent == 2)
    }

    @Test func `untyped values are taken mapped or persisted, and others refused`() throws {
        let realm = try directory.open(Page.self)
        try realm.write {
            let page = realm.create(Page.self, value: ["id": Handle(1), "url": URL(string: "b") as Any])
            page["url"] = "c"
            #expect(page.url == URL(string: "c"))
            page["size"] = 512
            #expect(page.size.count == 0.5)
        }
        let message = expectError(.invalidInput) {
            try realm.write { _ = realm.create(Page.self, value: ["id": 2, "url": 5]) }
        }
        #expect(message.contains("Page.url"))
    }

    @Test func `a required property without a default is an error when its object is added`() throws {
        let realm = try directory.open(Page.self)
        let message = expectError(.invalidInput) {
            try realm.write { realm.add(Page(value: ["id": 3])) }
        }
        #expect(message.contains("Page.url cannot be stored: it was given no value"))
        #expect(realm.objects(Page.self).isEmpty)
    }

    @Test func `a stored value that maps to nothing is nil in an optional property`() throws {
        try autoreleasepool {
            let realm = try directory.open(PlainClub.self)
            try realm.write { realm.create(PlainClub.self, value: ["url": ""]) }
        }
        let realm = try directory.open(Club.self)
        let club = try #require(realm.objects(Club.self).first)
        #expect(club.url == nil)
        #expect(club["url"] as? String == "")
        try realm.write { club.url = URL(string: "a") }
        #expect(club.url == URL(string: "a"))
    }

    @Test func `a stored value that maps to nothing traps in a required property`() async {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            let directory = try TemporaryRealm()
            try autoreleasepool {
                let realm = try directory.open(PlainPage.self)
                try realm.write { realm.add(PlainPage()) }
            }
            let realm = try directory.open(Page.self)
            let page = try #require(realm.objects(Page.self).first)
            #expect(page["url"] as? String == "")
            #expect(page.description.contains("url = ;"))
            _ = page.url
        }
        let output = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
        #expect(
            output.contains("CustomPersistableTests.Page.url holds \"\" of type String, of which no URL can be made"))
    }

    class Place: Object {
        @Persisted(primaryKey: true) var id: Int
        @Persisted var location: Coordinate
        @Persisted var former: Coordinate?
        @Persisted var path: List<Coordinate>
        @Persisted var links: List<URL>
        @Persisted var pages: MutableSet<Handle>
        @Persisted var byName: Map<String, URL?>
    }

    @Test func `a type over an embedded object needs no optional, and is stored with its object`() throws {
        let realm = try directory.open(Place.self, StoredCoordinate.self)
        let place = Place(value: ["id": 1, "former": ["latitude": 3, "longitude": 4]])
        place.path.append(Coordinate(latitude: 5, longitude: 6))
        try realm.write { realm.add(place) }
        let made = try #require(place["location"] as? StoredCoordinate)
        try realm.write { realm.delete(made) }
        #expect(place["location"] == nil)
        #expect(place.location == Coordinate(latitude: 0, longitude: 0))
        #expect(place.former == Coordinate(latitude: 3, longitude: 4))
        #expect(place.path.first == Coordinate(latitude: 5, longitude: 6))
        try realm.write { place.location = Coordinate(latitude: 40.7509, longitude: 73.9777) }
        #expect(place.location.latitude == 40.7509)
        let stored = try #require(place["location"] as? StoredCoordinate)
        try realm.write { place.location = Coordinate(latitude: 40.7509, longitude: 73.9777) }
        #expect(!stored.isInvalidated)
        try realm.write { place.former = nil }
        #expect(place.former == nil)
        try realm.write { realm.create(Place.self, value: ["id": 1, "location": [7, 8]], update: .modified) }
        #expect(place.location == Coordinate(latitude: 7, longitude: 8))
        #expect(stored.isInvalidated)
        #expect(place.path.count == 1)
    }

    @Test func `mapped values are elements of collections`() throws {
        let realm = try directory.open(Place.self, StoredCoordinate.self)
        let url = try #require(URL(string: "https://akc.org"))
        let place = Place(value: ["id": 1, "links": ["https://akc.org"], "byName": ["a": url, "b": nil]])
        try realm.write {
            realm.add(place)
            place.pages.insert(objectsIn: [Handle(2), Handle(1), Handle(2)])
        }
        #expect(Array(place.links) == [url])
        #expect(Array(place.pages) == [Handle(1), Handle(2)])
        #expect(place.byName["a"] == url)
        #expect(place.links.index(of: url) == 0)
        #expect(realm.schema["CustomPersistableTests.Place"]?["links"]?.type == .string)
    }
}
