/// A named database of an environment, opened with it. Plain bytes as keys, compared as bytes.
@usableFromInline
package struct Database: Hashable, Sendable {
    /// LMDB's handle.
    @usableFromInline package let rawValue: UInt32
    /// Whether a key may have several values, all of one width, in order (`MDB_DUPSORT | MDB_DUPFIXED`).
    @usableFromInline package let hasSortedDuplicates: Bool

    @usableFromInline
    package init(rawValue: UInt32, hasSortedDuplicates: Bool) {
        self.rawValue = rawValue
        self.hasSortedDuplicates = hasSortedDuplicates
    }

    /// Stands, while `EnvironmentOptions.validate` looks at a file, for a database that the file lacks: it was added
    /// by a later version of the program. Any use of it throws.
    package static func absent(hasSortedDuplicates: Bool) -> Database {
        Database(rawValue: .max, hasSortedDuplicates: hasSortedDuplicates)
    }

    /// Whether the file that is being validated lacks the database.
    package var isAbsent: Bool { rawValue == .max }
}

/// What an environment needs to know of a database to open or create it.
package struct DatabaseDefinition: Hashable, Sendable {
    /// The name under which the file keeps it.
    package var name: String
    /// Whether a key may have several values, all of one width, in order (`MDB_DUPSORT | MDB_DUPFIXED`).
    package var hasSortedDuplicates: Bool

    package init(name: String, hasSortedDuplicates: Bool = false) {
        self.name = name
        self.hasSortedDuplicates = hasSortedDuplicates
    }
}
