import FirnStore
import Foundation
import LMDB

/// One opening of a realm: finds and checks its classes, opens its store, fits the store's schema to the classes.
struct RealmOpening {
    private let configuration: Realm.Configuration
    private let confinement: Confinement
    /// Where the program opens it.
    private let line: SourceLine?

    init(_ configuration: Realm.Configuration, _ confinement: Confinement, _ line: SourceLine?) {
        self.configuration = configuration
        self.confinement = confinement
        self.line = line
    }

    func open() throws(Realm.Error) -> RealmContext {
        let types = configuration.objectTypes ?? ClassDiscovery.defaultSchemaClasses()
        let classes = ClassSet(types)
        try classes.check()
        do {
            let connection = try Connection(store: store()) { [confinement, line] in
                "the realm of \(confinement)" + (line.map { ", opened at \($0)" } ?? "")
            }
            try connection.prepare(
                classes.definitions, schemaVersion: configuration.schemaVersion,
                policy: configuration.deleteRealmIfMigrationNeeded ? .deleteIfNeeded : .migrate,
                indexing: indexing(classes))
            let schema = connection.schema
            let bindings = classes.infos.compactMap { info in schema[info.name].map { TableBinding(info, $0) } }
            return RealmContext(configuration, confinement, connection, bindings)
        } catch {
            throw Realm.Error.wrapping(error, fileURL: configuration.fileURL)
        }
    }

    private func indexing(_ classes: ClassSet) -> IndexBuilding {
        guard let report = configuration.indexBuildProgress else { return IndexBuilding() }
        let infos = Dictionary(uniqueKeysWithValues: classes.infos.map { ($0.name, $0) })
        return IndexBuilding { report(IndexBuildProgress($0, infos[$0.table])) }
    }

    private func store() throws -> Store {
        switch configuration.place {
        case .memory(let name): return try MemoryStores.store(named: name)
        case .file(let url):
            if !configuration.readOnly { try makeDirectory(of: url) }
            return try Store.open(Self.options(configuration, url))
        case .nowhere: misuse("A configuration has neither fileURL nor inMemoryIdentifier; set one of them")
        }
    }

    /// The store of a configuration, opened without its classes; one that is open here is taken as it is. Throws where there is none.
    static func existingStore(of configuration: Realm.Configuration) throws -> Store {
        switch configuration.place {
        case .memory(let name):
            guard let store = MemoryStores.openStore(named: name) else {
                throw Realm.Error(
                    .fileNotFound, "There is no store in memory of the name '\(name)'; open a realm of it first")
            }
            return store
        case .file(let url):
            guard url.isFileURL else { throw RealmRegistry.noFileURL(url) }
            var options = options(configuration, url)
            options.takesWhatIsThere = true
            return try Store.open(options)
        case .nowhere: misuse("A configuration has neither fileURL nor inMemoryIdentifier; set one of them")
        }
    }

    private static func options(_ configuration: Realm.Configuration, _ url: URL) -> StoreOptions {
        StoreOptions(
            path: url.path, isReadOnly: configuration.readOnly,
            durability: configuration.durability == .full ? .full : .relaxed,
            reservation: configuration.reservationInBytes)
    }

    private func makeDirectory(of url: URL) throws(Realm.Error) {
        let directory = url.deletingLastPathComponent()
        do {
            try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
        } catch {
            throw Realm.Error(
                FileManager.default.fileExists(atPath: directory.path) ? .fileAccess : .filePermissionDenied,
                "The directory \(directory.path) cannot be made; choose a place that this user may write to",
                fileURL: url, cause: error)
        }
    }
}
