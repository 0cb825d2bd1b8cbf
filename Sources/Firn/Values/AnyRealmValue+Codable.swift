import Foundation

/// Realm's is not codable. This one is coded with the name of its case, so that what is decoded is what was encoded, an
/// integer or a date of any format: `{"int": 5}`, and null for none.
///
/// An object is encoded where its class is `Encodable`, and cannot be decoded: nothing says of which class it was.
extension AnyRealmValue: Codable {
    private enum CodingKeys: CodingKey {
        case int, bool, float, double, string, data, date, object, objectId, decimal128, uuid, dictionary, list
    }

    /// Encodes the value under the name of its case.
    public func encode(to encoder: any Encoder) throws {
        guard self != .none else {
            var container = encoder.singleValueContainer()
            return try container.encodeNil()
        }
        var container = encoder.container(keyedBy: CodingKeys.self)
        switch self {
        case .none: break
        case .int(let value): try container.encode(value, forKey: .int)
        case .bool(let value): try container.encode(value, forKey: .bool)
        case .float(let value): try container.encode(value, forKey: .float)
        case .double(let value): try container.encode(value, forKey: .double)
        case .string(let value): try container.encode(value, forKey: .string)
        case .data(let value): try container.encode(value, forKey: .data)
        case .date(let value): try container.encode(value, forKey: .date)
        case .objectId(let value): try container.encode(value, forKey: .objectId)
        case .decimal128(let value): try container.encode(value, forKey: .decimal128)
        case .uuid(let value): try container.encode(value, forKey: .uuid)
        case .dictionary(let value): try container.encode(value, forKey: .dictionary)
        case .list(let value): try container.encode(value, forKey: .list)
        case .object(let value):
            guard let object = value as? any Encodable else {
                throw EncodingError.invalidValue(
                    value,
                    EncodingError.Context(
                        codingPath: encoder.codingPath,
                        debugDescription: "The class '\(type(of: value).className())' is not Encodable"))
            }
            try Self.encode(object, in: &container)
        }
    }

    private static func encode(_ object: some Encodable, in container: inout KeyedEncodingContainer<CodingKeys>) throws
    {
        try container.encode(EncodedElement(element: object), forKey: .object)
    }

    /// Decodes what was encoded, but for an object.
    public init(from decoder: any Decoder) throws {
        if try decoder.singleValueContainer().decodeNil() {
            self = .none
            return
        }
        let container = try decoder.container(keyedBy: CodingKeys.self)
        guard let key = container.allKeys.first, container.allKeys.count == 1 else {
            throw DecodingError.dataCorrupted(
                DecodingError.Context(
                    codingPath: decoder.codingPath,
                    debugDescription: "A value of any type has one key, the name of its case"))
        }
        self =
            switch key {
            case .int: .int(try container.decode(Int.self, forKey: key))
            case .bool: .bool(try container.decode(Bool.self, forKey: key))
            case .float: .float(try container.decode(Float.self, forKey: key))
            case .double: .double(try container.decode(Double.self, forKey: key))
            case .string: .string(try container.decode(String.self, forKey: key))
            case .data: .data(try container.decode(Data.self, forKey: key))
            case .date: .date(try container.decode(Date.self, forKey: key))
            case .objectId: .objectId(try container.decode(ObjectId.self, forKey: key))
            case .decimal128: .decimal128(try container.decode(Decimal128.self, forKey: key))
            case .uuid: .uuid(try container.decode(UUID.self, forKey: key))
            case .dictionary: .dictionary(try container.decode(Map<String, AnyRealmValue>.self, forKey: key))
            case .list: .list(try container.decode(List<AnyRealmValue>.self, forKey: key))
            case .object:
                throw DecodingError.dataCorruptedError(
                    forKey: key, in: container, debugDescription: "Nothing says of which class an object was")
            }
    }
}
