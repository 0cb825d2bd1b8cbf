import FirnStore

/// What the column of a property looks like, as its Swift type says.
///
/// Public, because `_Persistable` mentions it; what it holds is not.
public struct _ColumnShape: @unchecked Sendable {  // A class's metatype is immutable and lives for ever.
    package var type: ColumnType
    package var isOptional: Bool
    package var collection: CollectionKind?
    package var target: ObjectBase.Type?
    /// Whether what it links to is made anew from a value each time one asks: see `CustomPersistable`.
    package var isMapped = false

    package init(
        _ type: ColumnType, isOptional: Bool = false, collection: CollectionKind? = nil, target: ObjectBase.Type? = nil
    ) {
        self.type = type
        self.isOptional = isOptional
        self.collection = collection
        self.target = target
    }

    /// The same column, but nullable.
    public var optional: _ColumnShape {
        var copy = self
        copy.isOptional = true
        return copy
    }

    /// The same column, but of values that objects are made of.
    var mapped: _ColumnShape {
        var copy = self
        copy.isMapped = true
        return copy
    }

    /// The column of a collection of such values.
    func collection(_ kind: CollectionKind) -> _ColumnShape {
        var copy = self
        copy.collection = kind
        return copy
    }

    /// The type as the public schema names it.
    package var propertyType: PropertyType {
        switch type {
        case .bool: .bool
        case .int: .int
        case .float: .float
        case .double: .double
        case .decimal: .decimal128
        case .date: .date
        case .string: .string
        case .data, .coded: .data
        case .objectID: .objectId
        case .uuid: .UUID
        case .link: .object
        case .any: .any
        }
    }
}
