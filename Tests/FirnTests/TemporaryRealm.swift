import Firn
import Foundation

/// A directory of a test's own, removed with this object, and realms in it.
final class TemporaryRealm {
    let directory: URL
    let fileURL: URL

    init() throws {
        directory = FileManager.default.temporaryDirectory.appendingPathComponent("firn-test-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
        fileURL = directory.appendingPathComponent("test.realm")
    }

    deinit {
        try? FileManager.default.removeItem(at: directory)
    }

    func configuration(_ types: [ObjectBase.Type], schemaVersion: UInt64 = 0) -> Realm.Configuration {
        var configuration = Realm.Configuration(fileURL: fileURL, schemaVersion: schemaVersion, objectTypes: types)
        configuration.reservationInBytes = 1 << 34
        return configuration
    }

    func open(_ types: ObjectBase.Type...) throws -> Realm {
        try Realm(configuration: configuration(types))
    }
}
