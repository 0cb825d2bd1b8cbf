import FirnStore
import Foundation

/// Makes `Decodable` values of coded ones.
struct CodedDecoder: Decoder {
    let value: CodedValue
    let codingPath: [any CodingKey]
    var userInfo: [CodingUserInfoKey: Any] { [:] }

    /// The value with these bytes. Throws what its `init(from:)` throws, and for bytes that are no coded value.
    static func decode<Value: Decodable>(_ type: Value.Type, from bytes: Data) throws -> Value {
        try CodedDecoder(value: CodedValue(decoding: bytes), codingPath: []).decode(type)
    }

    func decode<Value: Decodable>(_ type: Value.Type) throws -> Value {
        guard let type = type as? any CodedScalar.Type else { return try Value(from: self) }
        guard let scalar = type.init(codedValue: value) as? Value else { throw mismatch(type) }
        return scalar
    }

    var isNull: Bool {
        value == .null
    }

    func container<Key: CodingKey>(keyedBy type: Key.Type) throws -> KeyedDecodingContainer<Key> {
        guard case .keyed(let pairs) = value else { throw mismatch([String: Any].self) }
        return KeyedDecodingContainer(CodedKeyedDecodingContainer(pairs, codingPath: codingPath))
    }

    func unkeyedContainer() throws -> any UnkeyedDecodingContainer {
        guard case .array(let values) = value else { throw mismatch([Any].self) }
        return CodedUnkeyedDecodingContainer(values, codingPath: codingPath)
    }

    func singleValueContainer() throws -> any SingleValueDecodingContainer {
        CodedSingleDecodingContainer(decoder: self)
    }

    private func mismatch(_ type: Any.Type) -> DecodingError {
        let context = DecodingError.Context(
            codingPath: codingPath, debugDescription: "What is stored cannot be read as a value of type \(type)")
        return isNull ? .valueNotFound(type, context) : .typeMismatch(type, context)
    }
}

private struct CodedKeyedDecodingContainer<Key: CodingKey>: KeyedDecodingContainerProtocol {
    private let values: [String: CodedValue]
    let codingPath: [any CodingKey]

    init(_ pairs: [CodedValue.Pair], codingPath: [any CodingKey]) {
        values = Dictionary(pairs.lazy.map { ($0.name, $0.value) }, uniquingKeysWith: { $1 })
        self.codingPath = codingPath
    }

    var allKeys: [Key] {
        values.keys.compactMap { Key(stringValue: $0) }
    }

    func contains(_ key: Key) -> Bool {
        values[key.stringValue] != nil
    }

    func decodeNil(forKey key: Key) throws -> Bool {
        try decoder(key).isNull
    }

    func decode<Value: Decodable>(_ type: Value.Type, forKey key: Key) throws -> Value {
        try decoder(key).decode(type)
    }

    func nestedContainer<NestedKey: CodingKey>(
        keyedBy type: NestedKey.Type, forKey key: Key
    ) throws -> KeyedDecodingContainer<NestedKey> {
        try decoder(key).container(keyedBy: type)
    }

    func nestedUnkeyedContainer(forKey key: Key) throws -> any UnkeyedDecodingContainer {
        try decoder(key).unkeyedContainer()
    }

    func superDecoder() throws -> any Decoder {
        try decoder(CodedKey.super)
    }

    func superDecoder(forKey key: Key) throws -> any Decoder {
        try decoder(key)
    }

    private func decoder(_ key: any CodingKey) throws -> CodedDecoder {
        guard let value = values[key.stringValue] else {
            throw DecodingError.keyNotFound(
                key,
                DecodingError.Context(
                    codingPath: codingPath, debugDescription: "What is stored has nothing named '\(key.stringValue)'"))
        }
        return CodedDecoder(value: value, codingPath: codingPath + [key])
    }
}

private struct CodedUnkeyedDecodingContainer: UnkeyedDecodingContainer {
    private let values: [CodedValue]
    let codingPath: [any CodingKey]
    private(set) var currentIndex = 0

    init(_ values: [CodedValue], codingPath: [any CodingKey]) {
        self.values = values
        self.codingPath = codingPath
    }

    var count: Int? { values.count }
    var isAtEnd: Bool { currentIndex >= values.count }

    mutating func decodeNil() throws -> Bool {
        let isNull = try decoder().isNull
        if isNull { currentIndex += 1 }
        return isNull
    }

    mutating func decode<Value: Decodable>(_ type: Value.Type) throws -> Value {
        let value = try decoder().decode(type)
        currentIndex += 1
        return value
    }

    mutating func nestedContainer<NestedKey: CodingKey>(
        keyedBy type: NestedKey.Type
    ) throws -> KeyedDecodingContainer<NestedKey> {
        let container = try decoder().container(keyedBy: type)
        currentIndex += 1
        return container
    }

    mutating func nestedUnkeyedContainer() throws -> any UnkeyedDecodingContainer {
        let container = try decoder().unkeyedContainer()
        currentIndex += 1
        return container
    }

    mutating func superDecoder() throws -> any Decoder {
        let decoder = try decoder()
        currentIndex += 1
        return decoder
    }

    private func decoder() throws -> CodedDecoder {
        let path = codingPath + [CodedKey(intValue: currentIndex)]
        guard !isAtEnd else {
            throw DecodingError.valueNotFound(
                Any.self,
                DecodingError.Context(
                    codingPath: path, debugDescription: "What is stored has only \(values.count) elements"))
        }
        return CodedDecoder(value: values[currentIndex], codingPath: path)
    }
}

private struct CodedSingleDecodingContainer: SingleValueDecodingContainer {
    let decoder: CodedDecoder
    var codingPath: [any CodingKey] { decoder.codingPath }

    func decodeNil() -> Bool {
        decoder.isNull
    }

    func decode<Value: Decodable>(_ type: Value.Type) throws -> Value {
        try decoder.decode(type)
    }
}
