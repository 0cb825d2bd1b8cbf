import FirnStore

/// One persisted property of a class.
struct PropertyInfo {
    /// The Swift name.
    let name: String
    /// The name in the file.
    let columnName: String
    /// Bytes from the object's address to the field.
    let offset: Int
    let field: any PersistedField.Type
    let persistable: any _Persistable.Type
    let shape: _ColumnShape
    let isPrimaryKey: Bool
    let isIndexed: Bool

    /// The field in `object`, which the caller keeps alive while it uses the pointer.
    @inline(__always)
    func address(in object: ObjectBase) -> UnsafeMutableRawPointer {
        // SAFETY: the offset comes from the runtime's field list of the object's class.
        Unmanaged.passUnretained(object).toOpaque() + offset
    }

    /// The type as messages name it, for example `Int?`.
    var typeName: String {
        "\(shape.target.map { String(describing: $0) } ?? "\(shape.propertyType)")\(shape.isOptional ? "?" : "")"
    }
}
