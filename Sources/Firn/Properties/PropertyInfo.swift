import FirnStore

/// One persisted property of a class.
struct PropertyInfo {
    /// The Swift name.
    let name: String
    /// The name in the file.
    let columnName: String
    /// Bytes from the object's address to the field.
    let offset: Int
    let field: any PropertyField.Type
    let persistable: any _Persistable.Type
    let shape: _ColumnShape
    /// The name of the class that it links to.
    let targetName: String?
    let isPrimaryKey: Bool
    let isIndexed: Bool
    /// Whether no two objects may have the same value, nil aside.
    let isUnique: Bool
    let deleteRule: StoredDeleteRule
    /// Whether the value stands in the field itself: see `FieldKind.plain`.
    let isPlain: Bool
    /// Whether the field is a wrapper.
    let isWrapped: Bool
    /// Whether values can hold what no record does: see `_Persistable._needsFilling`.
    let needsFilling: Bool
    /// See `_Persistable._canBeUnstorable`.
    let canBeUnstorable: Bool

    init(
        name: String, columnName: String, offset: Int, field: any PropertyField.Type, isPrimaryKey: Bool,
        isIndexed: Bool, isUnique: Bool,
        deleteRule: StoredDeleteRule, targetName: String? = nil
    ) {
        self.name = name
        self.columnName = columnName
        self.offset = offset
        self.field = field
        persistable = field.valueType
        shape = field.valueType._column
        self.targetName = targetName ?? shape.target?.className()
        self.isPrimaryKey = isPrimaryKey
        self.isIndexed = isIndexed
        self.isUnique = isUnique
        self.deleteRule = deleteRule
        isPlain = field.kind == .plain
        isWrapped = field.kind == .wrapped
        needsFilling = field.kind == .managedInPlace || field.valueType._needsFilling
        canBeUnstorable = field.valueType._canBeUnstorable
    }

    /// Whether values can lead to objects that are there before the value is stored.
    var canLink: Bool { (shape.type == .link && !shape.isMapped) || shape.type == .any }

    /// Whether an index can hold the values.
    var hasOrder: Bool { shape.collection == nil && shape.type != .coded }

    /// What a record holds for the field of an unmanaged or plain object.
    @inline(__always)
    func storedValue(in object: ObjectBase) -> StoredValue {
        // Each persistable type has its own specialised way, which `field` has not.
        isWrapped ? persistable._storedField(address(in: object)).value : field.stored(at: address(in: object))
    }

    /// Gives the field of an unmanaged object a value; false where that does not fit.
    func assign(_ value: Any, in object: ObjectBase) -> Bool {
        let address = address(in: object)
        if isWrapped {
            // SAFETY: the class's field list says that a Persisted is there: at byte 8 its owner.
            address.storeBytes(
                of: Unmanaged.passUnretained(object).toOpaque(), toByteOffset: 8, as: UnsafeMutableRawPointer.self)
        }
        return field.assign(value, at: address)
    }

    /// The field in `object`, which the caller keeps alive while it uses the pointer.
    @inline(__always)
    func address(in object: ObjectBase) -> UnsafeMutableRawPointer {
        // SAFETY: the offset comes from the runtime's field list of the object's class.
        Unmanaged.passUnretained(object).toOpaque() + offset
    }

    /// The type as it is declared, for example `Int8?` or the name of an enum.
    var typeName: String {
        let name = String(describing: persistable)
        guard name.hasPrefix("Optional<") else { return name }
        return name.dropFirst("Optional<".count).dropLast() + "?"
    }
}
