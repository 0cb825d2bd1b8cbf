// The names are the article's.
// swift-format-ignore-file: AlwaysUseLowerCamelCase

import Foundation
import Realm
import RealmSwift
import TestSupport
import Testing

/// Stands in for UIKit's: an image is what its PNG file says.
final class UIImage {
    let png: Data
    let width: Int
    let height: Int

    /// Nil where the data is no PNG.
    init?(data: Data) {
        let signature: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]
        guard data.count >= 24, data.prefix(8).elementsEqual(signature) else { return nil }
        func number(at offset: Int) -> Int {
            data.dropFirst(offset).prefix(4).reduce(0) { $0 << 8 | Int($1) }
        }
        png = data
        width = number(at: 16)
        height = number(at: 20)
    }

    convenience init?(named name: String) {
        guard let data = FileManager.default.contents(atPath: name) else { return nil }
        self.init(data: data)
    }
}

func UIImagePNGRepresentation(_ image: UIImage) -> Data? {
    image.png
}

// The article's extension of 2017.

protocol RealmEncodable {
    associatedtype EncodedType: Object
    associatedtype DecodedType
    func realmEncode() -> EncodedType
    static func realmDecode(value: EncodedType) -> DecodedType
}

class StringObject: Object {
    dynamic fileprivate var string = ""
}

extension String: RealmEncodable {
    typealias EncodedType = StringObject
    typealias DecodedType = String

    func realmEncode() -> StringObject {
        let o = StringObject()
        o.string = self
        return o
    }

    static func realmDecode(value: StringObject) -> String {
        return value.string
    }
}

class UIImageObject: Object {
    typealias DecodedType = UIImage
    dynamic fileprivate var data: Data!
}

extension UIImage: RealmEncodable {
    typealias EncodedType = UIImageObject
    typealias DecodedType = UIImage

    func realmEncode() -> UIImageObject {
        let o = UIImageObject()
        o.data = UIImagePNGRepresentation(self)
        return o
    }

    static func realmDecode(value: UIImageObject) -> UIImage {
        return UIImage(data: value.data)!
    }
}

extension Sequence where Iterator.Element: RealmEncodable, Iterator.Element.EncodedType: Object {
    typealias EncodedType = List<Iterator.Element.EncodedType>
    typealias DecodedType = [Iterator.Element.DecodedType]

    func realmEncode() -> EncodedType {
        return List<Iterator.Element.EncodedType>(self.map { $0.realmEncode() })
    }

    static func realmDecode(value: EncodedType) -> DecodedType {
        return value.map { Iterator.Element.realmDecode(value: $0) }
    }
}

extension Optional where Wrapped: RealmOptionalType {
    typealias DecodedType = Wrapped
    typealias EncodedType = RealmOptional<Wrapped>

    func realmEncode() -> RealmOptional<Wrapped> {
        return RealmOptional<Wrapped>(self)
    }

    static func realmDecode(value: RealmOptional<Wrapped>) -> Wrapped? {
        return value.value
    }
}

/// The programs of the article "Saving images with Realm × Swift2".
@Suite struct ImageArticleTests {
    /// A picture of so many pixels a side, drawn by Python.
    private static func makePNG(side: Int, in directory: TemporaryRealm) throws -> String {
        let path = directory.directory.appendingPathComponent("icon\(side).png").path
        let script = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
            .appendingPathComponent("Oracle/make_png.py").path
        let python = Process()
        python.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        python.arguments = ["python3", script, path, String(side)]
        try python.run()
        python.waitUntilExit()
        try #require(python.terminationStatus == 0)
        return path
    }

    // MARK: The extension of 2017

    class Album: Object {
        @Persisted var titles: List<StringObject>
        @Persisted var images: List<UIImageObject>
    }

    @Test func `an image becomes an object with its PNG, and that the image again`() throws {
        let directory = try TemporaryRealm()
        let path = try Self.makePNG(side: 3, in: directory)
        let configuration = directory.configuration([UIImageObject.self])
        try onAnotherThread {
            let image = try #require(UIImage(named: path))
            let realm = try Realm(configuration: configuration)
            try realm.write { realm.add(image.realmEncode()) }
        }
        let stored = try #require(try Realm(configuration: configuration).objects(UIImageObject.self).first)
        let image = UIImage.realmDecode(value: stored)
        #expect(image.width == 3 && image.height == 3)
        #expect(image.png == FileManager.default.contents(atPath: path))
    }

    @Test func `a sequence of encodable values becomes a list, and that an array again`() throws {
        let directory = try TemporaryRealm()
        let images = try (1...3).map { try #require(UIImage(named: try Self.makePNG(side: $0, in: directory))) }
        let realm = try directory.open(Album.self, StringObject.self, UIImageObject.self)
        let album = Album()
        album.images = images.realmEncode()
        try realm.write {
            realm.add(album)
            album.titles = ["one", "two"].realmEncode()
        }
        #expect([String].realmDecode(value: album.titles) == ["one", "two"])
        #expect([UIImage].realmDecode(value: album.images).map(\.png) == images.map(\.png))
    }

    @Test func `an optional number becomes a RealmOptional, and that the number again`() {
        let seven: Int? = 7
        let none: Int? = nil
        #expect(Int?.realmDecode(value: seven.realmEncode()) == 7)
        #expect(Int?.realmDecode(value: none.realmEncode()) == nil)
    }

    // MARK: The first version: properties by type

    class Everything: Object {
        dynamic var string = ""
        dynamic var nsString: NSString = ""
        dynamic var int = 0
        dynamic var float: Float = 0
        dynamic var double = 0.0
        dynamic var bool = false
        dynamic var date = NSDate(timeIntervalSince1970: 0)
        dynamic var data = NSData()
        let optional = RealmOptional<Int>()
        let many = List<StringObject>()
    }

    @Test func `the types that version 0.96 stores are stored`() throws {
        let directory = try TemporaryRealm()
        let configuration = directory.configuration([Everything.self, StringObject.self])
        try onAnotherThread {
            let realm = try Realm(configuration: configuration)
            let object = Everything()
            object.string = "a"
            object.nsString = "b"
            object.int = 1
            object.float = 1.5
            object.double = 2.5
            object.bool = true
            object.date = NSDate(timeIntervalSince1970: 3)
            object.data = NSData(data: Data([4]))
            object.optional.value = 5
            object.many.append("listed".realmEncode())
            try realm.write { realm.add(object) }
        }
        let object = try #require(try Realm(configuration: configuration).objects(Everything.self).first)
        #expect(object.string == "a" && object.nsString == "b")
        #expect(object.int == 1 && object.float == 1.5 && object.double == 2.5 && object.bool)
        #expect(object.date == NSDate(timeIntervalSince1970: 3))
        #expect(object.data == NSData(data: Data([4])))
        #expect(object.optional.value == 5)
        #expect(object.many.map { String.realmDecode(value: $0) } == ["listed"])
    }

    // MARK: The user with an image

    class User: Object {
        static let realm = try! Realm()

        dynamic private var id = 0
        dynamic var name = ""
        dynamic private var _image: UIImage? = nil
        dynamic var image: UIImage? {
            set {
                self._image = newValue
                if let value = newValue {
                    self.imageData = UIImagePNGRepresentation(value) as NSData?
                }
            }
            get {
                if let image = self._image {
                    return image
                }
                if let data = self.imageData {
                    self._image = UIImage(data: data as Data)
                    return self._image
                }
                return nil
            }
        }
        dynamic private var imageData: NSData? = nil

        override static func primaryKey() -> String? {
            return "id"
        }

        override static func ignoredProperties() -> [String] {
            return ["image", "_image"]
        }

        static func create() -> User {
            let user = User()
            user.id = lastId()
            return user
        }

        static func loadAll() -> [User] {
            let users = realm.objects(User.self).sorted("id", ascending: false)
            var ret: [User] = []
            for user in users {
                ret.append(user)
            }
            return ret
        }

        static func lastId() -> Int {
            if let user = realm.objects(User.self).last {
                return user.id + 1
            } else {
                return 1
            }
        }

        func save() {
            try! User.realm.write {
                User.realm.add(self)
            }
        }
    }

    @Test func `users with images are saved and loaded, the newest first`() async {
        await #expect(processExitsWith: .success) {
            let directory = try TemporaryRealm()
            Realm.Configuration.defaultConfiguration.fileURL = directory.fileURL
            let paths = try (1...2).map { try ImageArticleTests.makePNG(side: $0, in: directory) }

            let a = User.create()
            a.name = "name"
            a.image = UIImage(named: paths[0])
            a.save()

            let b = User.create()
            b.name = "name"
            b.image = UIImage(named: paths[1])
            b.save()

            let users = User.loadAll()
            #expect(users.map { $0.image?.width } == [2, 1])
            try onAnotherThread {
                // Only the data was stored; the image is made from it.
                let stored = try Realm().objects(User.self)
                #expect(stored.map { $0.image?.png } == paths.map { FileManager.default.contents(atPath: $0) })
                #expect(Realm.Configuration.defaultConfiguration.fileURL == directory.fileURL)
            }
        }
    }

    class Computed: Object {
        dynamic var name = ""
        // A value behind a getter is not stored.
        dynamic private var shout: String { name.uppercased() }
    }

    @Test func `a computed property is not stored`() throws {
        let realm = try TemporaryRealm().open(Computed.self)
        #expect(realm.schema.objectSchema.first?.properties.map(\.name) == ["name"])
    }
}
