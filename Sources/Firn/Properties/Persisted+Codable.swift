extension Persisted: Decodable where Value: Decodable {
    /// Decodes the value.
    public init(from decoder: any Decoder) throws {
        self.init()
        value = try Value(from: decoder)
    }
}

extension Persisted: Encodable where Value: Encodable {
    /// Encodes the value of an unmanaged object; a default that nobody has read yet is made for this call only.
    ///
    /// Throws for a managed object: its wrapper does not know it.
    public func encode(to encoder: any Encoder) throws {
        guard slot == unmanagedSlot else {
            throw EncodingError.invalidValue(
                self,
                .init(
                    codingPath: encoder.codingPath,
                    debugDescription:
                        "The object is managed; write an encode(to:) that encodes its properties, or encode "
                        + "an unmanaged copy"))
        }
        var copy = self
        try copy.materialized().encode(to: encoder)
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
