import Foundation
import LMDB

extension Realm {
    /// Whether the data of a configuration is there: its file, or the store in memory of its name.
    public static func fileExists(for configuration: Configuration) -> Bool {
        switch configuration.place {
        case .file(let url): Environment.exists(url.path)
        case .memory(let name): MemoryStores.contains(name)
        case .nowhere: false
        }
    }

    /// Deletes the data of a configuration: its file with the lock files beside it, or the store in memory of its name.
    /// False where there was nothing.
    ///
    /// Throws `.alreadyOpen` where a realm of it is open, in this or another process: let go of all its realms and
    /// objects first.
    ///
    /// Of a link the file that it leads to is deleted, and the link stays: a realm that is opened with it makes the file anew there.
    @discardableResult
    public static func deleteFiles(for configuration: Configuration) throws -> Bool {
        BackgroundWriter.letIdleEnd(at: try RealmRegistry.normalized(configuration.place))
        guard try !RealmRegistry.isOpen(configuration.place) else {
            throw Error(
                .alreadyOpen,
                "The realm is open in this process; let go of all its realms and objects before its files "
                    + "are deleted", fileURL: configuration.fileURL)
        }
        switch configuration.place {
        case .memory(let name): return MemoryStores.remove(name)
        case .nowhere: return false
        case .file(let url):
            do {
                return try Environment.deleteFiles(url.path)
            } catch {
                throw Error.wrapping(error, fileURL: url)
            }
        }
    }
}
