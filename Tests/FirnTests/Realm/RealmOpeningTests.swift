import Firn
import Foundation
import TestSupport
import Testing

@Suite struct RealmOpeningTests {
    final class Dog: Object {
        @Persisted(primaryKey: true) var id: Int
        @Persisted var name = ""
    }

    private let directory: TemporaryRealm

    init() throws {
        directory = try TemporaryRealm()
    }

    @Test func `the realm of a configuration is one on a thread, and another on another`() throws {
        let realm = try directory.open(Dog.self)
        #expect(try directory.open(Dog.self) == realm)
        let configuration = realm.configuration
        try onAnotherThread { [realm] in
            let other = try Realm(configuration: configuration)
            #expect(other != realm)
        }
    }

    @Test func `the default realm has every class of the process, and lies in the user's data directory`() async {
        await #expect(processExitsWith: .success) {
            let directory = try TemporaryRealm()
            setenv("XDG_DATA_HOME", directory.directory.path, 1)
            let realm = try Realm()
            try realm.write { realm.add(Dog(value: [1, "Rex"])) }
            let name = ProcessInfo.processInfo.processName
            #expect(realm.configuration.fileURL?.path == "\(directory.directory.path)/\(name)/default.realm")
            #expect(realm.schema["RealmOpeningTests.Cat"] != nil)
            #expect(try Realm() == realm)
        }
    }

    @Test func `setting the file clears the store in memory, and the other way round`() {
        var configuration = Realm.Configuration(inMemoryIdentifier: "a")
        #expect(configuration.fileURL == nil)
        configuration.fileURL = URL(fileURLWithPath: "/tmp/a.realm")
        #expect(configuration.inMemoryIdentifier == nil)
        configuration.inMemoryIdentifier = "b"
        #expect(configuration.fileURL == nil)
        #expect(configuration == Realm.Configuration(inMemoryIdentifier: "b", objectTypes: [Dog.self]))
        #expect(configuration != Realm.Configuration(inMemoryIdentifier: "b", schemaVersion: 1))
        #expect(configuration.description.contains("inMemoryIdentifier = b"))
    }

    @Test func `objects outlive their realm's variable`() throws {
        func makeDog() throws -> Dog {
            let realm = try directory.open(Dog.self)
            let dog = Dog(value: [1, "Rex"])
            try realm.write { realm.add(dog) }
            return dog
        }
        let dog = try makeDog()
        #expect(dog.name == "Rex")
        #expect(dog.realm?.objects(Dog.self).count == 1)
    }

    @Test func `what was committed is there when the file is opened again`() throws {
        try autoreleasepool {
            let realm = try directory.open(Dog.self)
            try realm.write { realm.add(Dog(value: [1, "Rex"])) }
        }
        #expect(try directory.open(Dog.self).object(ofType: Dog.self, forPrimaryKey: 1)?.name == "Rex")
    }

    @Test func `a realm for a queue works on whatever thread the queue runs`() throws {
        let queue = DispatchQueue(label: "dogs")
        let configuration = directory.configuration([Dog.self])
        nonisolated(unsafe) var dog: Dog?
        try queue.sync {
            let realm = try Realm(configuration: configuration, queue: queue)
            try realm.write { dog = realm.create(Dog.self, value: [1, "Rex"]) }
            #expect(try Realm(configuration: configuration, queue: queue) == realm)
            realm.beginWrite()
            dog?.name = "Max"
        }
        let done = DispatchSemaphore(value: 0)
        queue.async {
            #expect(dog?.name == "Max")
            #expect(throws: Never.self) { try dog?.realm?.commitWrite() }
            done.signal()
        }
        done.wait()
        #expect(try Realm(configuration: configuration).objects(Dog.self).first?.name == "Max")
        queue.sync { dog = nil }
    }

    @Test func `stores in memory are shared by name until their files are deleted`() throws {
        let name = UUID().uuidString
        let configuration = Realm.Configuration(inMemoryIdentifier: name, objectTypes: [Dog.self])
        #expect(!Realm.fileExists(for: configuration))
        try autoreleasepool {
            let realm = try Realm(configuration: configuration)
            try realm.write { realm.add(Dog(value: [1, "Rex"])) }
            try onAnotherThread {
                let other = try Realm(configuration: configuration)
                #expect(other.objects(Dog.self).count == 1)
            }
            expectError(.alreadyOpen) { try Realm.deleteFiles(for: configuration) }
        }
        #expect(try Realm(configuration: configuration).objects(Dog.self).count == 1)
        #expect(Realm.fileExists(for: configuration))
        #expect(try Realm.deleteFiles(for: configuration))
        #expect(try !Realm.deleteFiles(for: configuration))
        #expect(try Realm(configuration: configuration).isEmpty)
        try Realm.deleteFiles(for: configuration)
    }

    @Test func `files are deleted once nothing has them open`() throws {
        let configuration = directory.configuration([Dog.self])
        #expect(try !Realm.deleteFiles(for: configuration))
        try autoreleasepool {
            let realm = try Realm(configuration: configuration)
            #expect(Realm.fileExists(for: configuration))
            expectError(.alreadyOpen) { try Realm.deleteFiles(for: configuration) }
            _ = realm
        }
        #expect(try Realm.deleteFiles(for: configuration))
        #expect(try FileManager.default.contentsOfDirectory(atPath: directory.directory.path).isEmpty)
    }

    @Test func `a read-only realm needs a file, and refuses to write`() throws {
        var configuration = directory.configuration([Dog.self])
        configuration.readOnly = true
        expectError(.fileNotFound) { _ = try Realm(configuration: configuration) }
        do {
            _ = try Realm(configuration: configuration)
        } catch Realm.Error.fileNotFound {
        } catch {
            Issue.record("\(error) is not caught by its code")
        }
        try autoreleasepool { _ = try directory.open(Dog.self) }
        let realm = try Realm(configuration: configuration)
        #expect(realm.objects(Dog.self).isEmpty)
        expectError(.filePermissionDenied) { try realm.write {} }
    }

    @Test func `opening an open file with other settings names the setting`() throws {
        let realm = try directory.open(Dog.self)
        var other = realm.configuration
        other.readOnly = true
        let readOnlyMessage = expectError(.alreadyOpen) { _ = try Realm(configuration: other) }
        #expect(readOnlyMessage.contains("readOnly"))
        other.readOnly = false
        other.schemaVersion = 3
        let schemaVersionMessage = expectError(.alreadyOpen) { _ = try Realm(configuration: other) }
        #expect(schemaVersionMessage.contains("schemaVersion"))
        // On the thread of the open realm these two were ignored; elsewhere they were an error.
        other = realm.configuration
        other.durability = .relaxed
        #expect(expectError(.alreadyOpen) { _ = try Realm(configuration: other) }.contains("durability"))
        other = realm.configuration
        other.reservationInBytes *= 2
        #expect(expectError(.alreadyOpen) { _ = try Realm(configuration: other) }.contains("reservationInBytes"))
    }

    @Test func `a file that is none is a typed error`() throws {
        let configuration = directory.configuration([Dog.self])
        try Data("hello".utf8).write(to: directory.fileURL)
        expectError(.invalidDatabase) { _ = try Realm(configuration: configuration) }
        try Data().write(to: directory.fileURL)
        expectError(.invalidDatabase) { _ = try Realm(configuration: configuration) }
        try FileManager.default.removeItem(at: directory.fileURL)
        try FileManager.default.createDirectory(at: directory.fileURL, withIntermediateDirectories: false)
        expectError(.fileAccess) { _ = try Realm(configuration: configuration) }
    }

    @Test func `errors are NSErrors of Realm's domain and codes`() throws {
        var configuration = directory.configuration([Dog.self])
        configuration.readOnly = true
        do {
            _ = try Realm(configuration: configuration)
            Issue.record("a missing file was opened")
        } catch {
            #expect((error as NSError).domain == "io.realm")
            #expect((error as NSError).code == 5)
            #expect(error.localizedDescription == (error as? Realm.Error)?.message)
            #expect((error as? Realm.Error)?.fileURL?.lastPathComponent == "test.realm")
        }
    }

    // MARK: Schemas

    final class DogBefore: Object {
        @Persisted(primaryKey: true) var id: Int
        override class func className() -> String { Dog.className() }
        override class func shouldIncludeInDefaultSchema() -> Bool { false }
    }

    @Test func `other properties need a higher schema version or deleteRealmIfMigrationNeeded`() throws {
        try autoreleasepool {
            let before = try directory.open(DogBefore.self)
            try before.write { before.add(DogBefore(value: [1])) }
        }
        let message = expectError(.schemaMismatch) { _ = try directory.open(Dog.self) }
        #expect(message.contains("name"))
        try autoreleasepool {
            let realm = try Realm(configuration: directory.configuration([Dog.self], schemaVersion: 1))
            #expect(realm.objects(Dog.self).map(\.name) == [""])
        }
        expectError(.fail) { _ = try directory.open(Dog.self) }
        var fresh = directory.configuration([DogBefore.self])
        fresh.deleteRealmIfMigrationNeeded = true
        #expect(try Realm(configuration: fresh).isEmpty)
    }

    final class Broken: Object {
        @Persisted(primaryKey: true) var flag: Bool
        @Persisted(primaryKey: true) var id: Int
        @Persisted var a = 0
        @Persisted var b = 0
        @Persisted var dog: Dog?

        override class func propertiesMapping() -> [String: String] { ["a": "b"] }
        override class func indexedProperties() -> [String] { ["nope"] }
        override class func shouldIncludeInDefaultSchema() -> Bool { false }
    }

    final class SameName: Object {
        @Persisted var a = 0
        override class func className() -> String { Broken.className() }
        override class func shouldIncludeInDefaultSchema() -> Bool { false }
    }

    @Test func `all that is wrong with the classes is in one error`() throws {
        let message = expectError(.schemaMismatch) { _ = try directory.open(Broken.self, SameName.self) }
        for part in [
            "2 classes are named 'RealmOpeningTests.Broken'", "2 primary keys (flag, id)",
            "Broken.flag cannot be the primary key", "two properties stored as 'b'",
            "indexedProperties() names 'nope'", "links to 'RealmOpeningTests.Dog'",
        ] {
            #expect(message.contains(part), "\(message)")
        }
    }

    class Animal: Object {
        @Persisted(primaryKey: true) var id: Int
        @Persisted var legs = 4
    }

    final class Cat: Animal {
        @Persisted(indexed: true) var name: String?
        var note = "not stored"
        lazy var computed = 3
        @Persisted var secret = "s"

        override class func propertiesMapping() -> [String: String] { ["name": "cat_name"] }
        override class func ignoredProperties() -> [String] { ["secret"] }
    }

    @Test func `a subclass has its superclass's properties first, in order of declaration`() throws {
        let realm = try directory.open(Cat.self, Animal.self)
        let schema = try #require(realm.schema["RealmOpeningTests.Cat"])
        #expect(schema.properties.map(\.name) == ["id", "legs", "name"])
        #expect(schema.properties.map(\.columnName) == ["id", "legs", "cat_name"])
        #expect(schema.primaryKeyProperty?.name == "id")
        #expect(schema["name"]?.isIndexed == true)
        #expect(schema["name"]?.isOptional == true)
        #expect(schema["name"]?.type == .string)
        try realm.write {
            realm.add(Cat(value: ["id": 1, "name": "Tom"]))
            realm.add(Animal(value: ["id": 1]))
        }
        #expect(realm.objects(Animal.self).count == 1)
        #expect(realm.objects(Cat.self).filter("name == 'Tom'").count == 1)
        #expect(realm.objects(Cat.self).first?.legs == 4)
    }
}
