/// The options that all who share an environment must agree on.
struct SharedOptions: Sendable {
    let isReadOnly: Bool
    let durability: Durability
    let reservation: Int
    let maximumReaders: UInt32
    let databases: [DatabaseDefinition]

    init(_ options: EnvironmentOptions) {
        isReadOnly = options.isReadOnly
        durability = options.durability
        reservation = options.reservation
        maximumReaders = options.maximumReaders
        databases = options.databases
    }

    /// Throws an error that names the first option in which `other` differs, with both values.
    func check(_ other: SharedOptions, path: String) throws {
        func check<Value: Equatable>(_ name: String, _ value: (SharedOptions) -> Value) throws {
            guard value(self) != value(other) else { return }
            throw LMDBError(
                .alreadyOpenDifferently,
                """
                this process has the database open with \(name) \(value(self)) and cannot open it with \(value(other)) \
                as well; use the same value, or release what has it open
                """, path: path)
        }
        try check("isReadOnly", \.isReadOnly)
        try check("durability", \.durability)
        try check("reservation", \.reservation)
        try check("maximumReaders", \.maximumReaders)
        try check(
            "databases", { $0.databases.map { $0.hasSortedDuplicates ? $0.name + " (sorted duplicates)" : $0.name } })
    }
}
