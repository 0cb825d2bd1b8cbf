import Foundation
import LMDB
import Synchronization

extension Realm {
    /// Where a realm's data is, and how it is opened.
    public struct Configuration: Sendable {
        /// The configuration of `Realm()`. Setting it concerns realms opened afterwards.
        public static var defaultConfiguration: Configuration {
            get { current.withLock { $0 } ?? Configuration() }
            set { current.withLock { $0 = newValue } }
        }

        /// The file. Setting it, to nil as well, clears `inMemoryIdentifier`.
        ///
        /// By default `default.realm` in a directory named after the process, in `$XDG_DATA_HOME` or else
        /// `~/.local/share`; that directory is made at the first open.
        public var fileURL: URL? {
            get { place.fileURL }
            set { place = newValue.map { .file($0) } ?? .nowhere }
        }

        /// The name of a store in memory. Setting it, to nil as well, clears `fileURL`.
        ///
        /// All realms of the process with one name share the data, which lives until `Realm.deleteFiles(for:)` or the
        /// end of the process.
        public var inMemoryIdentifier: String? {
            get { place.inMemoryIdentifier }
            set { place = newValue.map { .memory($0) } ?? .nowhere }
        }

        /// Opens the file without ever writing to it, from a place where nothing can be written too. The file must exist.
        public var readOnly: Bool

        /// The version of the classes. Raise it when persisted properties change.
        public var schemaVersion: UInt64

        /// Empties the file where its schema does not fit the classes, instead of throwing. All objects are lost then.
        public var deleteRealmIfMigrationNeeded: Bool

        /// The classes of the realm; nil means every model class of the process.
        public var objectTypes: [ObjectBase.Type]?

        /// How safe a commit is when it returns. Stores in memory ignore it.
        public var durability: Durability = .full

        /// The address space that the file is mapped to, in bytes, which is also the most it can grow to: 1 TiB by
        /// default (or what the environment variable `FIRN_RESERVATION` says), and less where the process may not have as
        /// much.
        public var reservationInBytes: Int = EnvironmentOptions.defaultReservation

        /// Is told how far the building of indexes has come, where opening a realm makes new ones for objects that are there.
        ///
        /// Called about a hundred times for each index, on the thread that opens the realm, which it must not use. Nil by
        /// default.
        public var indexBuildProgress: (@Sendable (IndexBuildProgress) -> Void)?

        var place: Place

        /// A configuration; every argument has a default.
        public init(
            fileURL: URL? = Configuration.defaultFileURL, inMemoryIdentifier: String? = nil, readOnly: Bool = false,
            schemaVersion: UInt64 = 0, deleteRealmIfMigrationNeeded: Bool = false, objectTypes: [ObjectBase.Type]? = nil
        ) {
            place = inMemoryIdentifier.map { .memory($0) } ?? fileURL.map { .file($0) } ?? .nowhere
            self.readOnly = readOnly
            self.schemaVersion = schemaVersion
            self.deleteRealmIfMigrationNeeded = deleteRealmIfMigrationNeeded
            self.objectTypes = objectTypes
        }

        /// The file of a configuration that names none.
        public static var defaultFileURL: URL {
            let environment = ProcessInfo.processInfo.environment
            let dataHome: URL
            if let path = environment["XDG_DATA_HOME"], path.hasPrefix("/") {
                dataHome = URL(fileURLWithPath: path, isDirectory: true)
            } else {
                dataHome = FileManager.default.homeDirectoryForCurrentUser.appendingPathComponent(".local/share")
            }
            return dataHome.appendingPathComponent(ProcessInfo.processInfo.processName)
                .appendingPathComponent("default.realm")
        }

        /// Where the data is: one of the two, or neither, which cannot be opened.
        enum Place: Hashable, Sendable {
            case file(URL)
            case memory(String)
            case nowhere

            var fileURL: URL? {
                if case .file(let url) = self { url } else { nil }
            }

            var inMemoryIdentifier: String? {
                if case .memory(let name) = self { name } else { nil }
            }
        }

        private static let current = Mutex<Configuration?>(nil)
    }

    /// How safe a commit is when it returns.
    public enum Durability: Sendable {
        /// The commit survives a crash of the machine.
        case full
        /// A crash of the machine may lose the last commit, and leaves the file consistent.
        case relaxed
    }
}

extension Realm.Configuration: Equatable {
    /// Compares where the data is, `readOnly` and `schemaVersion`.
    public static func == (left: Realm.Configuration, right: Realm.Configuration) -> Bool {
        left.place == right.place && left.readOnly == right.readOnly && left.schemaVersion == right.schemaVersion
    }
}

extension Realm.Configuration: CustomStringConvertible {
    /// The settings, one a line.
    public var description: String {
        var lines = ["Realm.Configuration {"]
        if let fileURL { lines.append("\tfileURL = \(fileURL.path);") }
        if let inMemoryIdentifier { lines.append("\tinMemoryIdentifier = \(inMemoryIdentifier);") }
        lines.append("\treadOnly = \(readOnly);")
        lines.append("\tschemaVersion = \(schemaVersion);")
        lines.append("\tdeleteRealmIfMigrationNeeded = \(deleteRealmIfMigrationNeeded);")
        let types = objectTypes.map { $0.map { $0.className() }.joined(separator: ", ") }
        lines.append("\tobjectTypes = \(types ?? "all");")
        return (lines + ["}"]).joined(separator: "\n")
    }
}
