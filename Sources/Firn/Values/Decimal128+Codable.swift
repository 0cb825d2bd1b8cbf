extension Decimal128: Codable {
    /// Encodes ``stringValue``.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(stringValue)
    }

    /// Decodes a text, an integer or a floating-point number.
    /// - Throws: `DecodingError.dataCorrupted` for text that is no number.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        if let text = try? container.decode(String.self) {
            do {
                try self.init(string: text)
            } catch {
                throw DecodingError.dataCorruptedError(in: container, debugDescription: error.message)
            }
        } else if let integer = try? container.decode(Int64.self) {
            self.init(integer)
        } else {
            self.init(try container.decode(Double.self))
        }
    }
}
