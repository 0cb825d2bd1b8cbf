import Foundation
import RealmSwift
import TestSupport
import Testing

/// Stands in for the type of CoreLocation.
public struct CLLocationCoordinate2D: Equatable, Sendable {
    public var latitude: Double
    public var longitude: Double

    public init(latitude: Double, longitude: Double) {
        self.latitude = latitude
        self.longitude = longitude
    }
}

// Extend a type as a CustomPersistable if if is impossible for
// conversion between the mapped type and the persisted type to fail.
extension CLLocationCoordinate2D: CustomPersistable {
    // Define the storage object that is persisted to the database.
    // The `PersistedType` must be a type that Realm supports.
    // In this example, the PersistedType is an embedded object.
    public typealias PersistedType = Location
    // Construct an instance of the mapped type from the persisted type.
    // When reading from the database, this converts the persisted type to the mapped type.
    public init(persistedValue: PersistedType) {
        self.init(latitude: persistedValue.latitude, longitude: persistedValue.longitude)
    }
    // Construct an instance of the persisted type from the mapped type.
    // When writing to the database, this converts the mapped type to a persistable type.
    public var persistableValue: PersistedType {
        Location(value: [self.latitude, self.longitude])
    }
}

// Extend a type as a FailableCustomPersistable if it is possible for
// conversion between the mapped type and the persisted type to fail.
// This returns nil on read if the underlying column contains nil or
// something that can't be converted to the specified type.
extension URL: FailableCustomPersistable {
    // Define the storage object that is persisted to the database.
    // The `PersistedType` must be a type that Realm supports.
    public typealias PersistedType = String
    // Construct an instance of the mapped type from the persisted type.
    // When reading from the database, this converts the persisted type to the mapped type.
    // This must be a failable initilizer when the conversion may fail.
    public init?(persistedValue: String) { self.init(string: persistedValue) }
    // Construct an instance of the persisted type from the mapped type.
    // When writing to the database, this converts the mapped type to a persistable type.
    public var persistableValue: String { self.absoluteString }
}

class Club: Object {
    @Persisted var id: ObjectId
    @Persisted var name: String
    // Since we declared the URL as a FailableCustomPersistable,
    // it must be optional.
    @Persisted var url: URL?
    // Here, the `location` property maps to an embedded object.
    // We can declare the property as required.
    // If the underlying field contains nil, this becomes
    // a default-constructed instance of CLLocationCoordinate
    // with field values of `0`.
    @Persisted var location: CLLocationCoordinate2D
}
public class Location: EmbeddedObject {
    @Persisted var latitude: Double
    @Persisted var longitude: Double
}

/// What the page "Supported types" of the Swift SDK's documentation says of type projections.
@Suite struct TypeProjectionTests {
    @Test func `a club is made from persisted values, and its properties take mapped ones`() throws {
        let directory = try TemporaryRealm()
        let configuration = directory.configuration([Club.self, Location.self])
        try onAnotherThread {
            let realm = try Realm(configuration: configuration)
            // Initialize objects and assign values
            let club = Club(value: ["name": "American Kennel Club", "url": "https://akc.org"])
            let club2 = Club()
            club2.name = "Continental Kennel Club"
            // When assigning the value to a type-projected property, type safety
            // checks for the mapped type - not the persisted type.
            club2.url = URL(string: "https://ckcusa.com/")!
            club2.location = CLLocationCoordinate2D(latitude: 40.7509, longitude: 73.9777)
            #expect(club.url == URL(string: "https://akc.org"))
            try realm.write { realm.add([club, club2]) }
        }
        let clubs = try Realm(configuration: configuration).objects(Club.self)
        #expect(clubs.map(\.url) == [URL(string: "https://akc.org"), URL(string: "https://ckcusa.com/")])
        #expect(clubs[1].location == CLLocationCoordinate2D(latitude: 40.7509, longitude: 73.9777))
    }

    @Test func `an initial value may be a mapped one`() throws {
        let url = try #require(URL(string: "https://akc.org"))
        let place = CLLocationCoordinate2D(latitude: 1, longitude: 2)
        let club = Club(value: ["url": url, "location": place])
        #expect(club.url == url)
        #expect(club.location == place)
    }

    @Test func `a required location that is nil in the file is one of zeros`() throws {
        let realm = try TemporaryRealm().open(Club.self, Location.self)
        let club = Club()
        club.location = CLLocationCoordinate2D(latitude: 1, longitude: 2)
        try realm.write {
            realm.add(club)
            realm.delete(realm.dynamicObjects("Location"))
        }
        #expect(club.location == CLLocationCoordinate2D(latitude: 0, longitude: 0))
    }

    class Projections: Object {
        @Persisted var required: CLLocationCoordinate2D
        @Persisted var optional: CLLocationCoordinate2D?
        @Persisted var list: List<CLLocationCoordinate2D>
        @Persisted var map: Map<String, CLLocationCoordinate2D?>
        @Persisted var urls: List<URL>
        @Persisted var optionalURLs: List<URL?>
        @Persisted var urlSet: MutableSet<URL>
        @Persisted var urlsByName: Map<String, URL>
    }

    @Test func `a projected type is a property, an optional and an element of each collection`() throws {
        let directory = try TemporaryRealm()
        let configuration = directory.configuration([Projections.self, Location.self])
        let places = (0..<4).map { CLLocationCoordinate2D(latitude: Double($0), longitude: 0.5) }
        let urls = try (0..<3).map { try #require(URL(string: "https://example.org/\($0)")) }
        try onAnotherThread {
            let realm = try Realm(configuration: configuration)
            let object = Projections()
            try realm.write {
                realm.add(object)
                object.required = places[0]
                object.optional = places[1]
                object.list.append(places[2])
                object.map["a"] = places[3]
                object.urls.append(objectsIn: urls)
                object.optionalURLs.append(objectsIn: [nil, urls[0]])
                object.urlSet.insert(objectsIn: urls + urls)
                object.urlsByName["b"] = urls[1]
            }
        }
        let object = try #require(try Realm(configuration: configuration).objects(Projections.self).first)
        #expect(object.required == places[0])
        #expect(object.optional == places[1])
        #expect(Array(object.list) == [places[2]])
        #expect(object.map["a"] == places[3])
        #expect(Array(object.urls) == urls)
        #expect(Array(object.optionalURLs) == [nil, urls[0]])
        #expect(Set(object.urlSet) == Set(urls))
        #expect(object.urlsByName["b"] == urls[1])
    }

    /// What another program may have stored as text that is no URL.
    class Texts: Object {
        @Persisted(primaryKey: true) var id: Int
        @Persisted var optional: String?
        @Persisted var required: String
        override class func className() -> String { "TypeProjectionTests.Links" }
        override class func shouldIncludeInDefaultSchema() -> Bool { false }
    }

    class Links: Object {
        @Persisted(primaryKey: true) var id: Int
        @Persisted var optional: URL?
        @Persisted var required: URL
        override class func className() -> String { "TypeProjectionTests.Links" }
        override class func shouldIncludeInDefaultSchema() -> Bool { false }
    }

    /// A file whose class was first stored as text, and no longer.
    private static func makeLinks(optional: String?, required: String) throws -> TemporaryRealm {
        let directory = try TemporaryRealm()
        let configuration = directory.configuration([Texts.self])
        try onAnotherThread {
            let realm = try Realm(configuration: configuration)
            try realm.write {
                realm.add(Texts(value: ["id": 1, "optional": optional as Any, "required": required]))
            }
        }
        return directory
    }

    @Test func `changing a property to a projected type, and back, needs no migration`() throws {
        let directory = try Self.makeLinks(optional: "https://akc.org", required: "https://akc.org/a")
        let links = directory.configuration([Links.self])
        try onAnotherThread {
            let object = try #require(try Realm(configuration: links).objects(Links.self).first)
            #expect(object.optional == URL(string: "https://akc.org"))
            #expect(object.required == URL(string: "https://akc.org/a"))
        }
        let object = try #require(try directory.open(Texts.self).objects(Texts.self).first)
        #expect(object.required == "https://akc.org/a")
    }

    @Test func `an optional projection reads an invalid value as nil`() throws {
        let directory = try Self.makeLinks(optional: "", required: "https://akc.org")
        let object = try #require(try directory.open(Links.self).objects(Links.self).first)
        #expect(URL(string: "") == nil)
        #expect(object.optional == nil)
    }

    @Test func `a required projection traps at the read of an invalid value`() async {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            let directory = try TypeProjectionTests.makeLinks(optional: nil, required: "")
            let object = try #require(try directory.open(Links.self).objects(Links.self).first)
            _ = object.required
        }
        let output = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
        #expect(output.contains("required"))
    }

    @Test func `the schema shows the persisted type, and untyped access goes by it`() throws {
        let realm = try TemporaryRealm().open(Club.self, Location.self)
        let schema = try #require(realm.schema["Club"])
        #expect(schema["url"]?.type == .string)
        #expect(schema["url"]?.isOptional == true)
        #expect(schema["location"]?.type == .object)
        #expect(schema["location"]?.objectClassName == "Location")
        let club = Club()
        try realm.write {
            realm.add(club)
            club["url"] = "https://akc.org"
        }
        #expect(club.url == URL(string: "https://akc.org"))
        let dynamic = try #require(realm.dynamicObjects("Club").first)
        #expect(dynamic["url"] as? String == "https://akc.org")
    }
}
