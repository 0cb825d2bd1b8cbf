import FirnStore
import Foundation

/// Makes coded values of `Encodable` ones.
///
/// Equal values give equal bytes, in every process, as far as their types allow: see `CodedNode.sort(_:of:)`.
struct CodedEncoder: Encoder {
    let node: CodedNode
    let codingPath: [any CodingKey]
    var userInfo: [CodingUserInfoKey: Any] { [:] }

    /// The bytes of a value. Throws what its `encode(to:)` throws, and for one nested too deep.
    static func encode(_ value: some Encodable) throws -> Data {
        let root = CodedNode(depth: 0)
        try root.encode(value, at: [])
        return try root.value.encoded()
    }

    func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedEncodingContainer<Key> {
        KeyedEncodingContainer(CodedKeyedEncodingContainer(node: node, codingPath: codingPath))
    }

    func unkeyedContainer() -> any UnkeyedEncodingContainer {
        CodedUnkeyedEncodingContainer(node: node, codingPath: codingPath)
    }

    func singleValueContainer() -> any SingleValueEncodingContainer {
        CodedSingleEncodingContainer(node: node, codingPath: codingPath)
    }
}

// The generic methods serve all types: which of them are scalars, the node finds out.

private struct CodedKeyedEncodingContainer<Key: CodingKey>: KeyedEncodingContainerProtocol {
    let node: CodedNode
    let codingPath: [any CodingKey]

    init(node: CodedNode, codingPath: [any CodingKey]) {
        self.node = node
        self.codingPath = codingPath
        node.begin(isKeyed: true)
    }

    func encodeNil(forKey key: Key) throws {
        node.append(key.stringValue).encodeNil()
    }

    func encode<Value: Encodable>(_ value: Value, forKey key: Key) throws {
        try node.append(key.stringValue).encode(value, at: codingPath + [key])
    }

    func nestedContainer<NestedKey: CodingKey>(
        keyedBy type: NestedKey.Type, forKey key: Key
    ) -> KeyedEncodingContainer<NestedKey> {
        encoder(key).container(keyedBy: type)
    }

    func nestedUnkeyedContainer(forKey key: Key) -> any UnkeyedEncodingContainer {
        encoder(key).unkeyedContainer()
    }

    func superEncoder() -> any Encoder {
        encoder(CodedKey.super)
    }

    func superEncoder(forKey key: Key) -> any Encoder {
        encoder(key)
    }

    private func encoder(_ key: any CodingKey) -> CodedEncoder {
        CodedEncoder(node: node.handOut(node.append(key.stringValue)), codingPath: codingPath + [key])
    }
}

private struct CodedUnkeyedEncodingContainer: UnkeyedEncodingContainer {
    let node: CodedNode
    let codingPath: [any CodingKey]

    init(node: CodedNode, codingPath: [any CodingKey]) {
        self.node = node
        self.codingPath = codingPath
        node.begin(isKeyed: false)
    }

    var count: Int { node.count }

    func encodeNil() throws {
        node.append().encodeNil()
    }

    func encode<Value: Encodable>(_ value: Value) throws {
        let key = CodedKey(intValue: count)
        try node.append().encode(value, at: codingPath + [key])
    }

    func nestedContainer<NestedKey: CodingKey>(keyedBy type: NestedKey.Type) -> KeyedEncodingContainer<NestedKey> {
        encoder().container(keyedBy: type)
    }

    func nestedUnkeyedContainer() -> any UnkeyedEncodingContainer {
        encoder().unkeyedContainer()
    }

    func superEncoder() -> any Encoder {
        encoder()
    }

    private func encoder() -> CodedEncoder {
        let key = CodedKey(intValue: count)
        return CodedEncoder(node: node.handOut(node.append()), codingPath: codingPath + [key])
    }
}

private struct CodedSingleEncodingContainer: SingleValueEncodingContainer {
    let node: CodedNode
    let codingPath: [any CodingKey]

    func encodeNil() throws {
        node.encodeNil()
    }

    func encode<Value: Encodable>(_ value: Value) throws {
        try node.encode(value, at: codingPath)
    }
}

/// A key of no type in particular: an index, or the name of a superclass's values.
struct CodedKey: CodingKey {
    let stringValue: String
    let intValue: Int?

    init(stringValue: String) {
        self.stringValue = stringValue
        intValue = nil
    }

    init(intValue: Int) {
        stringValue = "\(intValue)"
        self.intValue = intValue
    }

    static var `super`: CodedKey { CodedKey(stringValue: "super") }
}
