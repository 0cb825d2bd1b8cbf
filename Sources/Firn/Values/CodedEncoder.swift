import FirnStore
import Foundation

/// Makes coded values of `Encodable` ones.
///
/// Equal values give equal bytes, in every process: sets and dictionaries, which order themselves by hashes, are sorted.
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

/// A coded value that is being made.
final class CodedNode {
    private enum Content {
        case value(CodedValue)
        case array([CodedNode])
        case keyed([(name: String, node: CodedNode)])
    }

    private let depth: Int
    // What encodes nothing is an object without properties.
    private var content: Content = .keyed([])

    init(depth: Int) {
        self.depth = depth
    }

    var value: CodedValue {
        switch content {
        case .value(let value): value
        case .array(let nodes): .array(nodes.map(\.value))
        case .keyed(let nodes): .keyed(nodes.map { CodedValue.Pair(name: $0.name, value: $0.node.value) })
        }
    }

    var count: Int {
        if case .array(let nodes) = content { nodes.count } else { 0 }
    }

    func encodeNil() {
        content = .value(.null)
    }

    func encode<Value: Encodable>(_ value: Value, at codingPath: [any CodingKey]) throws {
        if let scalar = value as? any CodedScalar {
            content = .value(scalar.codedValue)
            return
        }
        // A tree this deep would soon end the stack.
        guard depth <= CodedValue.depthLimit else { throw CodedDepthError() }
        try value.encode(to: CodedEncoder(node: self, codingPath: codingPath))
        if let type = Value.self as? any OrderedByHash.Type { try sort(type.valuesPerElement) }
    }

    func append() -> CodedNode {
        let child = CodedNode(depth: depth + 1)
        if case .array(var nodes) = content {
            // Let go first: the array would be copied with every element.
            content = .array([])
            nodes.append(child)
            content = .array(nodes)
        } else {
            content = .array([child])
        }
        return child
    }

    func append(_ name: String) -> CodedNode {
        let child = CodedNode(depth: depth + 1)
        if case .keyed(var nodes) = content {
            content = .array([])
            nodes.append((name, child))
            content = .keyed(nodes)
        } else {
            content = .keyed([(name, child)])
        }
        return child
    }

    /// Makes an empty container of what is to have elements.
    func begin(isKeyed: Bool) {
        switch content {
        case .keyed where isKeyed, .array where !isKeyed: break
        default: content = isKeyed ? .keyed([]) : .array([])
        }
    }

    private func sort(_ valuesPerElement: Int) throws {
        guard case .array(let nodes) = content else { return }
        let elements = try stride(from: 0, to: nodes.count, by: valuesPerElement).map { start in
            (bytes: try nodes[start].value.encoded(), nodes: nodes[start..<start + valuesPerElement])
        }
        content = .array(
            elements.sorted { $0.bytes.lexicographicallyPrecedes($1.bytes) }.flatMap(\.nodes))
    }
}

/// A collection that encodes itself in an order that changes from process to process.
private protocol OrderedByHash {
    /// How many values of an unkeyed container an element takes.
    static var valuesPerElement: Int { get }
}

extension Set: OrderedByHash {
    static var valuesPerElement: Int { 1 }
}

extension Dictionary: OrderedByHash {
    static var valuesPerElement: Int { 2 }
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
        CodedEncoder(node: node.append(key.stringValue), codingPath: codingPath + [key])
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
        return CodedEncoder(node: node.append(), codingPath: codingPath + [key])
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
