extension Persisted: Decodable where Value: Decodable {
    /// Decodes the value.
    public init(from decoder: any Decoder) throws {
        self.init()
        // Through a container, because decoders know dates and data there.
        value = try decoder.singleValueContainer().decode(Value.self)
    }
}

extension Persisted: Encodable where Value: Encodable {
    /// Encodes the value, of a managed object too; a default that nobody has read yet is made for this call only.
    ///
    /// Objects are encoded where links lead to them, until one would stand within itself: its primary key stands there
    /// instead. Throws where such an object has none, and for objects that stand in each other deeper than 100 levels.
    public func encode(to encoder: any Encoder) throws {
        if slot >= 0, let owner {
            // SAFETY: the object is alive: its `encode(to:)` has called this, with its own field.
            try owner._withUnsafeGuaranteedRef { object in
                try LinkEncoding.encode(Value._read(object, Int(slot)), from: object, to: encoder)
            }
            return
        }
        guard slot == unmanagedSlot, Value._hasDefault || !isUnset else {
            throw EncodingError.invalidValue(
                self,
                EncodingError.Context(
                    codingPath: encoder.codingPath,
                    debugDescription: "The property was given no value, and has no default"))
        }
        var copy = self
        let value = copy.materialized()
        guard let owner else { return try LinkEncoding.encode(value, from: nil, to: encoder) }
        // SAFETY: as above; a property that nobody has used has no owner, and leads to no object that leads back.
        try owner._withUnsafeGuaranteedRef { try LinkEncoding.encode(value, from: $0, to: encoder) }
    }
}

extension KeyedDecodingContainer {
    /// Decodes an optional property: a missing key is nil.
    public func decode<Wrapped>(
        _ type: Persisted<Wrapped?>.Type, forKey key: Key
    ) throws -> Persisted<Wrapped?> where Wrapped: Decodable & _OptionalPersistable {
        var persisted = Persisted<Wrapped?>()
        persisted.value = try decodeIfPresent(Wrapped.self, forKey: key)
        return persisted
    }
}

/// Encodes objects where links lead to them, but none within itself.
enum LinkEncoding {
    /// The objects that are being encoded, each within the one before.
    @TaskLocal private static var path: [Identity] = []

    private static let greatestDepth = 100

    /// What makes two accessors the same object.
    private enum Identity: Hashable {
        case instance(ObjectIdentifier)
        case row(realm: ObjectIdentifier, table: UInt32, key: UInt64)

        init(_ object: ObjectBase) {
            guard let context = object.context else {
                self = .instance(ObjectIdentifier(object))
                return
            }
            self = .row(
                realm: ObjectIdentifier(context), table: object.binding.table.id.rawValue, key: object.key)
        }
    }

    /// Encodes the value of a property of `owner`, where that is known, or of a collection.
    static func encode(_ value: some Encodable, from owner: ObjectBase?, to encoder: any Encoder) throws {
        guard let owner, path.last != Identity(owner) else { return try encode(value, to: encoder) }
        try $path.withValue(path + [Identity(owner)]) { try encode(value, to: encoder) }
    }

    private static func encode(_ value: some Encodable, to encoder: any Encoder) throws {
        guard let object = value as? ObjectBase else {
            // Through a container, because encoders know dates and data there.
            var container = encoder.singleValueContainer()
            return try container.encode(value)
        }
        let identity = Identity(object)
        if path.contains(identity) { return try encodeKey(of: object, to: encoder) }
        guard path.count <= greatestDepth else {
            throw error(
                object,
                "objects stand within each other deeper than \(greatestDepth) levels; leave the link out of "
                    + "CodingKeys", encoder)
        }
        try $path.withValue(path + [identity]) {
            var container = encoder.singleValueContainer()
            try container.encode(value)
        }
    }

    private static func encodeKey(of object: ObjectBase, to encoder: any Encoder) throws {
        guard let property = ClassInfo.of(type(of: object)).primaryKey,
            let key = object.untypedValue(of: property) as? any Encodable
        else {
            throw error(
                object,
                "its links lead back to it, and it has no primary key to stand there; leave the link out of "
                    + "CodingKeys", encoder)
        }
        var container = encoder.singleValueContainer()
        try container.encode(key)
    }

    private static func error(_ object: ObjectBase, _ reason: String, _ encoder: any Encoder) -> EncodingError {
        let name = ClassInfo.of(type(of: object)).name
        return EncodingError.invalidValue(
            object,
            EncodingError.Context(
                codingPath: encoder.codingPath,
                debugDescription: "An object of class '\(name)' cannot be encoded: \(reason)"))
    }
}

/// An element of a collection, encoded as the value of a property is.
struct EncodedElement<Element: Encodable>: Encodable {
    let element: Element

    func encode(to encoder: any Encoder) throws {
        try LinkEncoding.encode(element, from: nil, to: encoder)
    }
}
