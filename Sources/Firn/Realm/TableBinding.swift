import FirnStore

/// One class in one realm: its table, and which slot each property has.
///
/// Confined like its realm.
final class TableBinding {
    @exclusivity(unchecked) private(set) var info: ClassInfo
    // `exclusivity(unchecked)`: every object and every write reads these, and no access to them calls user code.
    @exclusivity(unchecked) private(set) var table: StoredTable
    /// Slots by index of property.
    @exclusivity(unchecked) private(set) var slots: [Int] = []
    /// The class that a link in a slot leads to.
    @exclusivity(unchecked) private(set) var targets: [TableBinding?] = []
    /// The columns that can link to this class.
    private(set) var incoming: [(binding: Unmanaged<TableBinding>, slot: Int)] = []
    /// The class and the slot that have the links which a property of this class shows, by the property's index.
    @exclusivity(unchecked) private(set) var linkOrigins: [(binding: TableBinding, slot: Int)] = []
    /// The slot of the primary key, -1 where the class has none.
    @exclusivity(unchecked) private(set) var primaryKeySlot = -1
    /// Whether an object's key is its primary key: see `objectKey(ofInteger:)`.
    @exclusivity(unchecked) private(set) var usesIntegerKey = false
    /// How to fill each slot of a new record.
    @exclusivity(unchecked) private(set) var recipe: [SlotSource] = []
    /// Each field's place in an object and its slot: what binding an object writes.
    @exclusivity(unchecked) private(set) var fields: ContiguousArray<(offset: Int, slot: Int32)> = []

    /// The keys of all objects, where somebody asked for objects by their positions, and the change count at which they were.
    @exclusivity(unchecked) var keys: (changeCount: UInt64, keys: [ObjectKey])?

    /// What changed, which the class and its dynamic objects count together.
    let changes: TableChanges

    /// Counts inserted and deleted objects; results compare it.
    var rowChanges: UInt64 {
        get { changes.rows }
        set { changes.rows = newValue }
    }

    /// Counts changes by slot; results compare it.
    var columnChanges: [UInt64] {
        get { changes.columns }
        _modify { yield &changes.columns }
    }

    /// Where a slot's value comes from when an object is inserted.
    enum SlotSource {
        /// A property, by index.
        case property(Int)
        /// The class does not know the slot: the zero of its type.
        case constant(StoredValue)
    }

    init(_ info: ClassInfo, _ table: StoredTable, changes: TableChanges? = nil) {
        self.info = info
        self.table = table
        self.changes = changes ?? TableChanges()
        bind(table)
    }

    /// Takes over a table of which dynamic objects know more, or less, than before.
    func bind(_ table: StoredTable, _ info: ClassInfo) {
        self.info = info
        bind(table)
    }

    /// Takes over a table whose schema changed. Slots never move, so objects stay bound.
    func bind(_ table: StoredTable) {
        self.table = table
        let slotCount = table.slotCount
        usesIntegerKey = table.usesIntegerKey
        recipe = Array(repeating: .constant(.null), count: slotCount)
        slots = Array(repeating: -1, count: info.properties.count)
        fields = []
        for column in table.columns {
            guard let index = info.properties.firstIndex(where: { $0.columnName == column.name }) else {
                recipe[column.slot] = .constant(column.zero)
                continue
            }
            recipe[column.slot] = .property(index)
            slots[index] = column.slot
            if info.properties[index].isWrapped { fields.append((info.properties[index].offset, Int32(column.slot))) }
        }
        for (index, link) in info.incomingLinks.enumerated() where link.field.isWrapped {
            fields.append((link.offset, Int32(LinkInfo.firstSlot + index)))
        }
        primaryKeySlot = info.properties.firstIndex { $0.isPrimaryKey }.map { slots[$0] } ?? -1
        columnChanges += Array(repeating: 0, count: max(0, slotCount - columnChanges.count))
    }

    /// Finds where links lead, once the realm has all its bindings.
    static func bindTargets(_ bindings: some Collection<TableBinding>) {
        let byTable = Dictionary(bindings.map { ($0.table.id, $0) }, uniquingKeysWith: { $1 })
        for binding in bindings {
            binding.incoming = []
        }
        for binding in bindings {
            binding.targets = Array(repeating: nil, count: binding.table.slotCount)
            for column in binding.table.columns {
                if column.type == .any {
                    for target in bindings where !target.info.isEmbedded {
                        target.incoming.append((Unmanaged.passUnretained(binding), column.slot))
                    }
                }
                guard let target = column.target.flatMap({ byTable[$0] }) else { continue }
                binding.targets[column.slot] = target
                target.incoming.append((Unmanaged.passUnretained(binding), column.slot))
            }
            binding.linkOrigins = binding.info.incomingLinks.compactMap { link in
                guard let origin = bindings.first(where: { $0.info.type == link.originType }),
                    let index = origin.info.index(of: link.property)
                else { return nil }
                return (origin, origin.slots[index])
            }
        }
    }

    /// Ends the cycles of references between bindings.
    func unbindTargets() {
        targets = []
        incoming = []
        linkOrigins = []
    }

    /// Counts a deletion, which takes away the links to the object too.
    func countDeletion() {
        rowChanges &+= 1
        for (binding, slot) in incoming {
            // SAFETY: the realm owns all its bindings alike.
            binding._withUnsafeGuaranteedRef { $0.columnChanges[slot] &+= 1 }
        }
    }

    /// Whether an object is one of the class, managed or not. Of dynamic objects only those of this realm are.
    func holds(_ object: ObjectBase) -> Bool {
        if object.isManaged, object.binding === self { return true }
        return type(of: object) == info.type && !info.isDynamic
    }

    /// The Swift name of a slot's property.
    func propertyName(_ slot: Int) -> String {
        slots.firstIndex(of: slot).map { info.properties[$0].name } ?? "slot \(slot)"
    }

    /// The column of a property.
    func column(of propertyIndex: Int) -> StoredColumn? {
        table.columns.first { $0.slot == slots[propertyIndex] }
    }
}

/// Counts of what changed in a table.
final class TableChanges {
    // `exclusivity(unchecked)`: see `TableBinding`.
    @exclusivity(unchecked) var rows: UInt64 = 0
    @exclusivity(unchecked) var columns: [UInt64] = []
}
