@testable import LMDB

/// What the tests see of the checks before LMDB maps a file.
enum FileCheckProbe {
    static func check(_ path: String) throws -> Int { try FileCheck.check(path).fullByteCount }

    static func checkFileSystem(magic: UInt32) throws { try FileSystemKind.check(magic: magic, path: "/store") }

    static func fileExists(_ path: String) throws -> Bool { try FilePlace(path).exists }

    static var emptyStore: [UInt8] { EmptyStore.bytes }
}
