import Firn
import Foundation
import Testing

@Suite struct ImageModelTests {
    struct UIImage: Equatable {
        var bytes: [UInt8]
    }

    // A user's class from the days before @Persisted, with an image behind a computed property, as an article has it.
    final class User: Object {
        static let realm = try! Realm()

        dynamic private var id = 0
        dynamic var name = ""
        dynamic private var _image: UIImage? = nil
        dynamic var image: UIImage? {
            set {
                self._image = newValue
                if let value = newValue {
                    self.imageData = NSData(data: Data(value.bytes))
                }
            }
            get {
                if let image = self._image {
                    return image
                }
                if let data = self.imageData {
                    self._image = UIImage(bytes: [UInt8](Data(referencing: data)))
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

    @Test func `an image behind a computed property is stored as data`() async {
        await #expect(processExitsWith: .success) {
            let directory = try TemporaryRealm()
            Realm.Configuration.defaultConfiguration.fileURL = directory.fileURL
            for index in 1...2 {
                let user = User.create()
                user.name = "name"
                user.image = UIImage(bytes: [UInt8(index)])
                user.save()
            }
            let users = User.loadAll()
            #expect(users.map(\.image) == [UIImage(bytes: [2]), UIImage(bytes: [1])])
            try onAnotherThread {
                let stored = try Realm().objects(User.self).map(\.image)
                #expect(stored == [UIImage(bytes: [1]), UIImage(bytes: [2])])
            }
        }
    }
}
