import Foundation
import RealmSwift
import Synchronization

/// A directory of a test's own, removed with this object, and realms in it.
final class TemporaryRealm: Sendable {
    let directory: URL
    let fileURL: URL

    init() throws {
        directory = FileManager.default.temporaryDirectory.appendingPathComponent("firn-seed-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
        fileURL = directory.appendingPathComponent("test.realm")
    }

    deinit {
        try? FileManager.default.removeItem(at: directory)
    }

    func configuration(_ types: [ObjectBase.Type]) -> Realm.Configuration {
        Realm.Configuration(fileURL: fileURL, objectTypes: types)
    }

    func open(_ types: ObjectBase.Type...) throws -> Realm {
        try open(types: types)
    }

    func open(types: [ObjectBase.Type]) throws -> Realm {
        try Realm(configuration: configuration(types))
    }
}
