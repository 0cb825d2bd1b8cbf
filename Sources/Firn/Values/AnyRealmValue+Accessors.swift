import Foundation

extension AnyRealmValue {
    /// The integer, nil for anything else.
    public var intValue: Int? {
        if case .int(let value) = self { value } else { nil }
    }

    /// The Bool, nil for anything else.
    public var boolValue: Bool? {
        if case .bool(let value) = self { value } else { nil }
    }

    /// The Float, nil for anything else.
    public var floatValue: Float? {
        if case .float(let value) = self { value } else { nil }
    }

    /// The Double, nil for anything else.
    public var doubleValue: Double? {
        if case .double(let value) = self { value } else { nil }
    }

    /// The String, nil for anything else.
    public var stringValue: String? {
        if case .string(let value) = self { value } else { nil }
    }

    /// The data, nil for anything else.
    public var dataValue: Data? {
        if case .data(let value) = self { value } else { nil }
    }

    /// The date, nil for anything else.
    public var dateValue: Date? {
        if case .date(let value) = self { value } else { nil }
    }

    /// The ObjectId, nil for anything else.
    public var objectIdValue: ObjectId? {
        if case .objectId(let value) = self { value } else { nil }
    }

    /// The decimal, nil for anything else.
    public var decimal128Value: Decimal128? {
        if case .decimal128(let value) = self { value } else { nil }
    }

    /// The UUID, nil for anything else.
    public var uuidValue: UUID? {
        if case .uuid(let value) = self { value } else { nil }
    }

    /// The object, nil where it is of another class or the value none.
    public func object<T: Object>(_ objectType: T.Type) -> T? {
        if case .object(let value) = self { value as? T } else { nil }
    }

    /// The map, nil for anything else.
    public var dictionaryValue: Map<String, AnyRealmValue>? {
        if case .dictionary(let value) = self { value } else { nil }
    }

    /// The list, nil for anything else.
    public var listValue: List<AnyRealmValue>? {
        if case .list(let value) = self { value } else { nil }
    }
}
