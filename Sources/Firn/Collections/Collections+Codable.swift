// Lists and sets are coded as arrays, maps as objects with their keys. What is decoded is unmanaged.

extension RealmCollection where Element: Encodable {
    /// Encodes the elements as an array.
    public func encode(to encoder: any Encoder) throws {
        try encodeElements(of: self, to: encoder)
    }
}

extension List: Encodable where Element: Encodable {}

extension List: Decodable where Element: Decodable {
    /// Decodes an array. A null is an error.
    public convenience init(from decoder: any Decoder) throws {
        self.init(try decodedElements(from: decoder))
    }
}

extension MutableSet: Encodable where Element: Encodable {}

extension MutableSet: Decodable where Element: Decodable {
    /// Decodes an array; of equal elements one stays. A null is an error.
    public convenience init(from decoder: any Decoder) throws {
        self.init(try decodedElements(from: decoder))
    }
}

extension Results: Encodable where Element: Encodable {}

extension LinkingObjects: Encodable where Element: Encodable {}

extension AnyRealmCollection: Encodable where Element: Encodable {}

extension Map: Encodable where Value: Encodable {
    /// Encodes the values by their keys.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: MapCodingKey.self)
        for (key, value) in asKeyValueSequence() {
            let codingKey = MapCodingKey(stringValue: key._storedKey)
            if Value._elementColumn.type == .link {
                try container.encode(EncodedElement(element: value), forKey: codingKey)
            } else {
                try container.encode(value, forKey: codingKey)
            }
        }
    }
}

extension Map: Decodable where Value: Decodable {
    /// Decodes values by their keys. A null is an error, and so is a key that the key's type does not have.
    public convenience init(from decoder: any Decoder) throws {
        self.init()
        let container = try decoder.container(keyedBy: MapCodingKey.self)
        for codingKey in container.allKeys {
            guard let key = Key._key(codingKey.stringValue) else {
                throw DecodingError.dataCorruptedError(
                    forKey: codingKey, in: container,
                    debugDescription: "\(Key.self) has no case for the key '\(codingKey.stringValue)'")
            }
            self[key] = .some(try container.decode(Value.self, forKey: codingKey))
        }
    }
}

private func encodeElements<Elements: Sequence>(of elements: Elements, to encoder: any Encoder) throws
where Elements.Element: Encodable & RealmCollectionValue {
    var container = encoder.unkeyedContainer()
    if Elements.Element._elementColumn.type == .link {
        try container.encode(contentsOf: elements.lazy.map { EncodedElement(element: $0) })
    } else {
        try container.encode(contentsOf: elements)
    }
}

private func decodedElements<Element: Decodable>(from decoder: any Decoder) throws -> [Element] {
    var container = try decoder.unkeyedContainer()
    var elements: [Element] = []
    while !container.isAtEnd {
        elements.append(try container.decode(Element.self))
    }
    return elements
}

/// A map's key in a coded form.
private struct MapCodingKey: CodingKey {
    let stringValue: String
    var intValue: Int? { nil }

    init(stringValue: String) {
        self.stringValue = stringValue
    }

    init?(intValue: Int) {
        nil
    }
}
