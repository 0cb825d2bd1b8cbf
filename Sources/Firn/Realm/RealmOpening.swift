import FirnStore
import Foundation
import LMDB

/// One opening of a realm: finds and checks its classes, opens its store, fits the store's schema to the classes.
struct RealmOpening {
    private let configuration: Realm.Configuration
    private let confinement: Confinement

    init(_ configuration: Realm.Configuration, _ confinement: Confinement) {
        self.configuration = configuration
        self.confinement = confinement
    }

    func open() throws(Realm.Error) -> RealmContext {
        let types = configuration.objectTypes ?? ClassDiscovery.defaultSchemaClasses()
        let classes = ClassSet(types)
        try classes.check()
        do {
            let connection = try Connection(store: store())
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
            return try Store.open(
                StoreOptions(
                    path: url.path, isReadOnly: configuration.readOnly,
                    durability: configuration.durability == .full ? .full : .relaxed,
                    reservation: configuration.reservationInBytes))
        case .nowhere: misuse("A configuration has neither fileURL nor inMemoryIdentifier; set one of them")
        }
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
