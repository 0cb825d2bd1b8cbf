import Firn
import Foundation
import TestSupport
import Testing

/// A directory of a test's own and a realm file in it, of the class that `recovery-probe` has.
struct RecoveryFile {
    let directory = TemporaryDirectory()
    var path: String { directory.path("store.firn") }
    var url: URL { URL(fileURLWithPath: path) }

    func configuration(readOnly: Bool = false) -> Realm.Configuration {
        var configuration = Realm.Configuration(fileURL: url, readOnly: readOnly, objectTypes: [RecoveryItem.self])
        configuration.reservationInBytes = 1 << 34
        return configuration
    }

    /// Makes the file with `count` objects, and closes it.
    func make(count: Int) throws {
        let realm = try Realm(configuration: configuration())
        try realm.write {
            for id in 0..<count { realm.add(RecoveryItem(id, byteCount: 100)) }
        }
    }

    func write(_ bytes: some Sequence<UInt8>) throws {
        try Data(bytes).write(to: url)
    }

    func bytes() throws -> Data { try Data(contentsOf: url) }
}

/// `recovery-probe` has it too.
final class RecoveryItem: Object {
    @Persisted(primaryKey: true) var id = 0
    @Persisted(indexed: true) var tag = ""
    @Persisted var payload = Data()

    convenience init(_ id: Int, byteCount: Int) {
        self.init()
        self.id = id
        tag = "tag \(id)"
        payload = Data(repeating: UInt8(truncatingIfNeeded: id), count: byteCount)
    }

    override class func className() -> String { "ProbeItem" }
}

/// What a realm holds, to be compared with later.
struct Content: Equatable {
    let items: [Int: [String]]

    init(_ realm: Realm) {
        items = Dictionary(
            uniqueKeysWithValues: realm.objects(RecoveryItem.self).map {
                ($0.id, [$0.tag, "\($0.payload.count)", $0.payload.first.map { "\($0)" } ?? ""])
            })
    }
}

/// Expects a `Realm.Error` with a code whose message has `parts`.
func expectError(
    _ code: Realm.Error.Code, _ parts: String..., sourceLocation: SourceLocation = #_sourceLocation,
    _ body: () throws -> Void
) {
    let error = #expect(throws: Realm.Error.self, sourceLocation: sourceLocation, performing: body)
    #expect(error?.code == code, sourceLocation: sourceLocation)
    for part in parts {
        #expect(
            error?.message.contains(part) == true, "\(part)\nis not in\n\(error?.message ?? "")",
            sourceLocation: sourceLocation)
    }
}
