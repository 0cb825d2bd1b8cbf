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
    let isPrimaryKey: Bool
    let isIndexed: Bool
    /// Whether the value stands in the field itself: see `PropertyField.isPlain`.
    let isPlain: Bool

    /// What a record holds for the field of an unmanaged or plain object.
    @inline(__always)
    func storedValue(in object: ObjectBase) -> StoredValue {
        // Each persistable type has its own specialised way, which `field` has not.
        isPlain ? field.stored(at: address(in: object)) : persistable._storedField(address(in: object)).value
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
