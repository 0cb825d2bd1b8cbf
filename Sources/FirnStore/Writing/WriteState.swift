import LMDB

/// All that an open write keeps in memory: counters, change log, and what is still to be done to indexes, backlinks and
/// collections.
final class WriteState {
    let transaction: WriteTransaction
    let databases: Databases
    /// Of a part, the write that it is part of.
    let whole: WriteState?
    /// What the parts changed that were kept; nil while none was.
    @exclusivity(unchecked) private var partChanges: ChangeSet?
    /// What the commit will write; its version is the one being written.
    @exclusivity(unchecked) var state: StoreState
    @exclusivity(unchecked) var recorder = ChangeRecorder()
    let backlinks = BacklinkChanges()
    /// The lists whose changes LMDB does not have yet.
    private(set) lazy var lists = ListTrees(self)
    /// The entries of sets and maps that LMDB does not have yet.
    let entries: EntryChanges
    /// The set or map that was changed last.
    @exclusivity(unchecked) var openEntries: OpenEntries?
    /// The error that cost the transaction: LMDB's is aborted, and nothing of it can be kept.
    @exclusivity(unchecked) var lost: StoreError?
    /// Whether something was added or given a value: a write that only takes away may use the room that is kept for it
    /// when the store is full.
    @exclusivity(unchecked) var grows = false
    /// What waits for indexes, backlinks and entries is applied once it holds this much memory.
    @exclusivity(unchecked) var pendingByteLimit = 32 << 20
    /// Changes since the memory of what waits was looked at.
    @exclusivity(unchecked) var uncheckedChanges = 0
    /// What the change under way took out of records.
    @exclusivity(unchecked) var released = Releases()
    /// Links to objects that are gone, by the columns that must be searched for them.
    @exclusivity(unchecked) var waitingLinks: [CollectionPlace: Set<RowID>] = [:]
    /// Tables whose objects all go in the change under way, so that links to them need not be noted.
    @exclusivity(unchecked) private var vanishing: Set<TableID> = []
    /// Embedded objects that were inserted and that nothing links to yet.
    @exclusivity(unchecked) var unowned: Set<RowID> = []
    /// Objects that go with no other: see `Connection.keep(_:)`.
    @exclusivity(unchecked) var kept: Set<RowID> = []
    /// Whether any column of the schema cascades; nil while nobody has looked.
    @exclusivity(unchecked) var hasCascades: Bool?
    /// Whether the schema changes, so that its rules do not decide whether something may go.
    var isChangingSchema = false
    /// Nested collections that were made and that nothing holds yet.
    @exclusivity(unchecked) var looseCollections: [UInt64: LooseCollection] = [:]
    /// The numbers of entries of the sets and maps that were changed.
    @exclusivity(unchecked) var entryCounts: [UInt64: Int] = [:]
    /// Whether the schema was changed, so that a commit is due even when no object was.
    var changedSchema = false

    @exclusivity(unchecked) private(set) var tables: [TableWriter] = []
    @exclusivity(unchecked) private var newestTable: TableWriter?
    @exclusivity(unchecked) private var cursors = CursorTable()
    @exclusivity(unchecked) private var objects: Cursor?

    init(transaction: WriteTransaction, databases: Databases, state: StoreState) {
        self.transaction = transaction
        self.databases = databases
        self.state = state
        self.state.version += 1
        whole = nil
        entries = EntryChanges(nextID: state.nextID)
    }

    /// A part of a write that itself has changed nothing but through parts.
    init(partOf whole: WriteState, transaction: WriteTransaction) {
        self.transaction = transaction
        databases = whole.databases
        state = whole.state
        self.whole = whole
        entries = EntryChanges(nextID: state.nextID)
    }

    /// Takes over what a part did, whose transaction has been committed. That it `grows` is not: whether there is room for it has
    /// been judged.
    func keep(_ part: WriteState) {
        state = part.state
        guard part.hasChanges else { return }
        var changes = partChanges ?? ChangeSet()
        changes.merge(part.changes)
        partChanges = changes
    }

    /// Whether anything was changed, if only there and back.
    var hasChanges: Bool { partChanges != nil || !recorder.isEmpty }

    /// The net of all that was changed.
    var changes: ChangeSet { partChanges ?? recorder.changeSet() }

    /// Whether a change need not look at the memory of what waits.
    var hasRoom: Bool { uncheckedChanges < 4096 }

    var isLost: Bool { lost != nil }

    /// How many bytes of changes of indexes, backlinks and entries wait.
    var pendingByteCount: Int {
        tables.reduce(backlinks.sizeInBytes + entries.sizeInBytes) {
            $0 + $1.indexes.reduce(0) { $0 + $1.changes.sizeInBytes }
        }
    }

    /// An id for a collection or a blob.
    func makeID() -> UInt64 {
        defer { state.nextID += 1 }
        return state.nextID
    }

    func beginVanishing(of tables: Set<TableID>) {
        vanishing = tables
    }

    func endVanishing() {
        vanishing = []
    }

    /// Whether all objects of a table go in the change under way.
    func isVanishing(_ table: TableID) -> Bool {
        !vanishing.isEmpty && vanishing.contains(table)
    }

    /// Notes links that came to an object or went.
    @inline(__always)
    func noteLink(
        to target: RowID, from origin: ObjectKey, _ column: ColumnID, delta: Int32, isNewOrigin: Bool = false
    ) {
        if isVanishing(target.table) { return }
        uncheckedChanges += 1
        backlinks.append(
            BacklinkChanges.Entry(
                table: target.table, column: column, target: target.key, origin: origin, delta: delta,
                isNewOrigin: isNewOrigin))
    }

    // MARK: Cursors

    func objectsCursor() throws -> Cursor {
        if let objects { return objects }
        let cursor = try transaction.makeCursor(databases.objects)
        objects = cursor
        return cursor
    }

    /// The one cursor that changes `database`.
    func cursor(_ database: Database) throws -> Cursor {
        try cursors.cursor(database, of: transaction)
    }

    // MARK: Tables

    /// The table's writer, if this write has touched it.
    func existingTable(_ id: TableID) -> TableWriter? {
        if let newestTable, newestTable.table.id == id { return newestTable }
        guard let found = tables.first(where: { $0.table.id == id }) else { return nil }
        newestTable = found
        return found
    }

    func addTable(_ writer: TableWriter) {
        tables.append(writer)
        newestTable = writer
    }

    /// Forgets what is known about the tables, because the schema changed; everything pending must be applied.
    func forgetTables() {
        tables = []
        newestTable = nil
        hasCascades = nil
    }

    /// The tail of a table that this write appends to.
    func tail(of id: TableID) -> TailLeaf? {
        isLost ? nil : existingTable(id)?.tail
    }
}

/// What a write knows about one table.
final class TableWriter {
    /// An index and what waits for it.
    final class Index {
        let shape: IndexShape
        let isPrimaryKey: Bool
        /// Whether the commit asks that no two objects have the same values; a primary key's are compared at once.
        let isJudged: Bool
        let changes: IndexChanges

        init(_ index: StoredIndex, in table: StoredTable) {
            shape = IndexShape(index, in: table)
            isPrimaryKey = table.primaryKeyID.map { index.columns == [$0] } ?? false
            isJudged = index.isUnique && !isPrimaryKey
            changes = IndexChanges(id: index.id, findsNewest: isPrimaryKey)
        }
    }

    /// A column and what hangs on it; a class, since each change looks one up and a copy would count references.
    final class Column {
        let column: StoredColumn
        /// The indexes that have its values in their keys.
        let indexes: [Index]
        let isPrimaryKey: Bool
        /// Whether values of the column can own something beside the record.
        let mayOwn: Bool

        init(_ column: StoredColumn, _ indexes: [Index], isPrimaryKey: Bool) {
            self.column = column
            mayOwn = column.collection != nil || column.type.mayOwn
            self.indexes = indexes
            self.isPrimaryKey = isPrimaryKey
        }
    }

    let table: StoredTable
    /// Where the write's changes of the table are noted.
    let changes: TableChanges
    @exclusivity(unchecked) var state: TableState
    @exclusivity(unchecked) var isStateDirty = false
    @exclusivity(unchecked) var tail: TailLeaf?
    let indexes: [Index]
    /// The columns whose values entail more than their bytes: links, values of any type, collections.
    let references: [StoredColumn]
    /// The columns whose objects go with the one that links to them: embedded ones, and those of a rule that cascades.
    let owning: [StoredColumn]
    /// The columns that keep an object while they link to others.
    let denying: [StoredColumn]
    /// The column whose value is the object key.
    let integerKey: StoredColumn?
    /// The index of the primary key, where it has one.
    let primaryKeyIndex: Index?
    private let columnBySlot: [Column?]

    init(table: StoredTable, state: TableState, changes: TableChanges, embedded: Set<TableID>) {
        self.table = table
        self.state = state
        self.changes = changes
        let primaryKeyID = table.primaryKeyID
        indexes = table.indexes.map { Index($0, in: table) }
        references = table.columns.filter(\.holdsReferences)
        owning = references.filter { $0.deleteRule == .cascade || $0.target.map(embedded.contains) == true }
        denying = references.filter { $0.deleteRule == .deny }
        integerKey = table.usesIntegerKey ? table.primaryKey : nil
        primaryKeyIndex = indexes.first(where: \.isPrimaryKey)
        var bySlot = [Column?](repeating: nil, count: table.slotCount)
        for column in table.columns {
            let indexes = indexes.filter { $0.shape.index.columns.contains(column.id) }
            bySlot[column.slot] = Column(column, indexes, isPrimaryKey: column.id == primaryKeyID)
        }
        columnBySlot = bySlot
    }

    func column(slot: Int) -> Column? {
        columnBySlot.indices.contains(slot) ? columnBySlot[slot] : nil
    }

    func index(_ id: IndexID) -> Index? {
        indexes.first { $0.shape.index.id == id }
    }
}
