import LMDB

/// A way to read a store at one version and to write it, for one thread at a time.
///
/// A live one moves forward with `refresh()` and with every write; one that was made on a given snapshot stays there.
/// While a write is open, all reads go through its transaction and see what it did.
///
/// Pointers into the file (`RecordView`) are good for the `stamp` at which they were read.
@usableFromInline
package final class Connection {
    @exclusivity(unchecked) package private(set) var store: Store

    /// Moves whenever a pointer that was read before may have gone stale: when a write begins, with every change that may
    /// move bytes, at commit, rollback, refresh and invalidation. Never 0.
    @usableFromInline
    package internal(set) var stamp: UInt64 {
        // Inlinable, because the attribute of the storage does not reach other modules.
        @inlinable get { currentStamp }
        set { currentStamp = newValue }
    }
    @usableFromInline @exclusivity(unchecked) var currentStamp: UInt64 = 1

    /// What rows had been found at this stamp or a later one are there still: it moves whenever some may have gone.
    @usableFromInline
    package private(set) var vanishingStamp: UInt64 {
        @inlinable get { currentVanishingStamp }
        set { currentVanishingStamp = newValue }
    }
    @usableFromInline @exclusivity(unchecked) var currentVanishingStamp: UInt64 = 1

    /// Moves with every change, also with those that leave all pointers good.
    package var changeCount: UInt64 { stamp &+ appendCount }
    /// How many changes there were that left the stamp as it was.
    @exclusivity(unchecked) var appendCount: UInt64 = 0

    /// The stored schema at this connection's version.
    @exclusivity(unchecked) package internal(set) var schema: StoredSchema {
        didSet {
            currentSchemaCounter = schema.counter
            primaryKeys = schema.primaryKeys
            embeddedTables = schema.embeddedTables
            columns = schema.columnsByID
            newestColumn = nil
        }
    }

    /// The schema's counter, for those who ask often whether it is still the same.
    package var schemaCounter: UInt64 {
        @inlinable get { currentSchemaCounter }
    }
    @usableFromInline @exclusivity(unchecked) private(set) var currentSchemaCounter: UInt64 = 0

    /// What a look-up by primary key needs, found once a schema.
    @exclusivity(unchecked) private(set) var primaryKeys: [PrimaryKeyLookUp?] = []

    /// The tables of embedded objects, found once a schema.
    @exclusivity(unchecked) private(set) var embeddedTables: Set<TableID> = []

    /// The columns of all tables, found once a schema.
    @exclusivity(unchecked) private var columns: [ColumnID: (table: StoredTable, column: StoredColumn)] = [:]

    /// A column and its table, in O(1).
    package func column(_ id: ColumnID) -> (table: StoredTable, column: StoredColumn)? {
        columns[id]
    }

    /// Whether a table's objects each belong to one owner.
    func isEmbedded(_ table: TableID) -> Bool {
        !embeddedTables.isEmpty && embeddedTables.contains(table)
    }

    /// The snapshot that is read outside a write, and the one from before it inside.
    @exclusivity(unchecked) var snapshot: Snapshot
    /// The open write.
    @exclusivity(unchecked) var write: WriteState? {
        didSet {
            openList = nil
            growingList = nil
        }
    }
    /// The list that the open write changed last.
    @exclusivity(unchecked) var openList: OpenList?
    /// The list that the open write appended to last.
    @exclusivity(unchecked) var growingList: GrowingList? {
        didSet { hotGrowingList = growingList.map(Unmanaged.passUnretained) }
    }
    /// The same, read without counting a reference.
    @exclusivity(unchecked) private(set) var hotGrowingList: Unmanaged<GrowingList>?
    /// The tables that the program declared; a write is refused when the stored schema no longer has them.
    @exclusivity(unchecked) package var definitions: [TableDefinition] = []
    /// The schema counter for which `definitions` are known to fit.
    @exclusivity(unchecked) var preparedCounter: UInt64?
    /// Whether this connection stays at its snapshot for good.
    package let isFrozen: Bool

    @exclusivity(unchecked) private var objects: Cursor?
    @exclusivity(unchecked) private var cursors = CursorTable()

    // The leaf that was read last, good until the next change.
    @exclusivity(unchecked) @usableFromInline var cachedLeaf: UnsafeRawPointer?
    @exclusivity(unchecked) @usableFromInline var cachedTable = TableID(rawValue: 0)
    @exclusivity(unchecked) @usableFromInline var cachedBase: ObjectKey = 0
    @exclusivity(unchecked) @usableFromInline var cachedBound: ObjectKey = 0

    /// Where all leaves lie of the table that is read at random, and how often LMDB was asked without it.
    @exclusivity(unchecked) var leafMap: LeafMap?
    @exclusivity(unchecked) var descents = 0

    /// Where the leaf pages lie of the indexes that one value after the other is looked up in, and how often LMDB was asked
    /// without it.
    @exclusivity(unchecked) var indexMaps: [IndexMap] = []
    @exclusivity(unchecked) var indexDescents = 0

    /// The column of the collection that was looked at last.
    @exclusivity(unchecked) var newestColumn: (table: TableID, column: StoredColumn)?

    /// Where the entries lie of the set or map that is read by positions.
    @exclusivity(unchecked) var entryPositions: EntryPositions?

    /// Where the lists lie that are read.
    let listReading = ListReading()

    /// By what the process knows who keeps the snapshot.
    private let holder: SnapshotHolder

    @exclusivity(unchecked) var keyScratch = KeyBuffer()
    @exclusivity(unchecked) var entryScratch = KeyBuffer()
    let recordWriter = RecordWriter()

    /// Looks at the newest version. `name` tells people who does.
    package convenience init(
        store: Store, name: @escaping SnapshotHolder.Name = { "a connection" }
    ) throws(StoreError) {
        try self.init(snapshot: store.newestSnapshot(), isFrozen: false, name: name)
    }

    /// Looks at `snapshot`, for good where `isFrozen`. `schema` is that of the version, if known; `name` tells people who looks.
    package init(
        snapshot: Snapshot, isFrozen: Bool, schema: StoredSchema? = nil,
        name: @escaping SnapshotHolder.Name = { "a connection" }
    ) throws(StoreError) {
        store = snapshot.store
        holder = SnapshotHolder(of: snapshot, name: name)
        self.snapshot = snapshot
        self.isFrozen = isFrozen
        if let schema {
            self.schema = schema
        } else {
            self.schema = try StoredSchema.load(from: snapshot.transaction, databases: store.databases)
        }
        currentSchemaCounter = self.schema.counter
        primaryKeys = self.schema.primaryKeys
        embeddedTables = self.schema.embeddedTables
        columns = self.schema.columnsByID
        holder.enter()
    }

    deinit {
        holder.leave()
    }

    /// Who the connection is, for people.
    package var holderName: SnapshotHolder.Name { holder.name }

    /// The version that is read: our own counter, which also compaction keeps.
    package var version: UInt64 { snapshot.version }

    /// The version's snapshot, to be shared with other threads.
    package var currentSnapshot: Snapshot { snapshot }

    /// Whether a write is open.
    package var isWriting: Bool { write != nil }

    /// Whether no newer version is known than the one that is read. Cheap.
    package var isNewest: Bool {
        (try? store.environment.newestTransactionID()) == snapshot.transaction.id
    }

    /// Moves to the newest version; whether that is another one. Does nothing in a write or when frozen.
    package func refresh() throws(StoreError) -> Bool {
        guard write == nil, !isFrozen else { return false }
        do {
            if try store.environment.newestTransactionID() == snapshot.transaction.id { return false }
        } catch {
            throw StoreError(wrapping: error)
        }
        let newest = try store.newestSnapshot()
        guard newest.version != snapshot.version else { return false }
        try move(to: newest)
        return true
    }

    /// Makes every pointer stale and looks at the newest version from then on.
    package func invalidate() throws(StoreError) {
        if write != nil { rollback() }
        guard !isFrozen else { return }
        noteVanishing()
        try move(to: store.newestSnapshot())
    }

    /// Looks at another, empty store from then on, so that this one can be closed.
    package func leave(for empty: Store) throws(StoreError) {
        precondition(write == nil && !isFrozen, "a connection that writes or is frozen keeps its store")
        let snapshot = try empty.newestSnapshot()
        noteVanishing()
        entryPositions = nil
        definitions = []
        preparedCounter = nil
        store = empty
        try move(to: snapshot)
        holder.leave()
    }

    /// `own` is the version that a write of this connection's has just made. Where it throws the connection stays where it is.
    func move(to newest: Snapshot, own: UInt64? = nil) throws(StoreError) {
        let newSchema =
            newest.state.schemaCounter != schema.counter
            ? try StoredSchema.load(from: newest.transaction, databases: store.databases) : nil
        let hasForeignChanges = newest.version != snapshot.version && newest.version != own
        if newest !== snapshot {
            snapshot = newest
            holder.move(to: newest)
        }
        if hasForeignChanges { noteVanishing() } else { dropPointers() }
        objects = nil
        cursors = CursorTable()
        listReading.leaf = nil
        if let newSchema { schema = newSchema }
    }

    /// Forgets what was read and found, because a change may have taken rows away.
    func noteVanishing() {
        dropPointers()
        vanishingStamp = stamp
    }

    /// Forgets what was read, because a change may have moved it.
    func dropPointers() {
        stamp &+= 1
        cachedLeaf = nil
        if descents != 0 {
            leafMap = nil
            descents = 0
        }
        if indexDescents != 0 {
            indexMaps = []
            indexDescents = 0
        }
    }

    /// The transaction through which all reads go.
    var transaction: Transaction {
        if let write, !write.isLost { write.transaction } else { snapshot.transaction }
    }

    /// The cursor over `objects` of the transaction that is read.
    func objectsCursor() throws -> Cursor {
        if let write, !write.isLost { return try write.objectsCursor() }
        if let objects { return objects }
        let cursor = try snapshot.transaction.makeCursor(store.databases.objects)
        objects = cursor
        return cursor
    }

    /// The one cursor over `database` of the transaction that is read. Every look-up moves it: what walks while others may
    /// look things up has a cursor of its own.
    func cursor(_ database: Database) throws -> Cursor {
        if let write, !write.isLost { return try write.cursor(database) }
        return try cursors.cursor(database, of: snapshot.transaction)
    }

    /// Ends the process: the file cannot be read any more, and the caller has no way to hear of it.
    package func unreadable(_ error: any Error) -> Never {
        fatalError("Firn cannot read \(store.environment.path): \(StoreError(wrapping: error).message)")
    }
}
