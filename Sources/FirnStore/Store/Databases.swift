import LMDB

/// The named databases of a store: a fixed set, opened once with the environment. No class and no index adds one.
package struct Databases: Sendable {
    package let meta: Database
    package let objects: Database
    package let index: Database
    package let backlinks: Database
    package let lists: Database
    package let entries: Database
    package let blobs: Database
    package let log: Database

    /// What the environment is asked to open, in the order of `init`.
    static let definitions: [DatabaseDefinition] = [
        DatabaseDefinition(name: "meta", hasSortedDuplicates: false),
        DatabaseDefinition(name: "objects", hasSortedDuplicates: false),
        DatabaseDefinition(name: "index", hasSortedDuplicates: true),
        DatabaseDefinition(name: "backlinks", hasSortedDuplicates: true),
        DatabaseDefinition(name: "lists", hasSortedDuplicates: false),
        DatabaseDefinition(name: "entries", hasSortedDuplicates: false),
        DatabaseDefinition(name: "blobs", hasSortedDuplicates: false),
        DatabaseDefinition(name: "log", hasSortedDuplicates: false),
    ]

    init(_ databases: [Database]) {
        precondition(databases.count == Databases.definitions.count, "an environment opens every database")
        meta = databases[0]
        objects = databases[1]
        index = databases[2]
        backlinks = databases[3]
        lists = databases[4]
        entries = databases[5]
        blobs = databases[6]
        log = databases[7]
    }
}

extension Databases {
    /// All of them, with their names in the file.
    package var named: [(name: String, database: Database)] {
        Array(zip(Databases.definitions.map(\.name), [meta, objects, index, backlinks, lists, entries, blobs, log]))
    }
}

extension Connection {
    /// How many pairs, pages and levels a database has in the version that is read.
    package func statistics(of database: Database) throws(StoreError) -> DatabaseStatistics {
        do {
            return try transaction.statistics(database)
        } catch {
            throw StoreError(wrapping: error)
        }
    }
}
