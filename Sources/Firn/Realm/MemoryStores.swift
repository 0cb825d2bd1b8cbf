import FirnStore
import Foundation
import Synchronization

/// The stores in memory of the process, by name.
///
/// Each is a file that has no name any more: it goes with the last that has it open, however the process ends.
enum MemoryStores {
    private static let stores = Mutex<[String: Store]>([:])
    /// A store with nothing in it, which realms show whose own is closed.
    static let empty = Result { try makeStore() }

    static func store(named name: String) throws -> Store {
        try stores.withLock { stores in
            if let open = stores[name] { return open }
            let store = try makeStore()
            stores[name] = store
            return store
        }
    }

    /// Forgets a store. False where there is none of the name.
    static func remove(_ name: String) -> Bool {
        stores.withLock { $0.removeValue(forKey: name) != nil }
    }

    /// The store of a name, if there is one.
    static func openStore(named name: String) -> Store? {
        stores.withLock { $0[name] }
    }

    static func contains(_ name: String) -> Bool {
        openStore(named: name) != nil
    }

    private static func makeStore() throws -> Store {
        let directory = parentDirectory().appendingPathComponent("firn-\(UUID().uuidString)")
        try FileManager.default.createDirectory(
            at: directory, withIntermediateDirectories: false, attributes: [.posixPermissions: 0o700])
        defer { try? FileManager.default.removeItem(at: directory) }
        return try Store.open(
            StoreOptions(path: directory.appendingPathComponent("memory").path, durability: .none))
    }

    /// Shared memory, unless there is less of it than a store of some size needs, as in a container by default.
    private static func parentDirectory() -> URL {
        let shared = URL(fileURLWithPath: "/dev/shm", isDirectory: true)
        let attributes = try? FileManager.default.attributesOfFileSystem(forPath: shared.path)
        let free = (attributes?[.systemFreeSize] as? NSNumber)?.int64Value ?? 0
        return free >= leastFreeBytes ? shared : FileManager.default.temporaryDirectory
    }

    private static let leastFreeBytes: Int64 = 256 << 20
}
