import FirnStore

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
    /// The values within this one that whoever encodes this one makes himself.
    private var handedOut: [CodedNode] = []

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
        if let type = Value.self as? any OrderedByHash.Type {
            content = try sorted(type.valuesPerElement)
        } else {
            let arrays = takeArrays()
            if !arrays.isEmpty, let value = value as? any Decodable & Encodable & Equatable {
                try sort(arrays, of: value)
            }
        }
    }

    /// Notes that the value is made by whoever encodes this one, not by an `encode` of its own.
    func handOut(_ child: CodedNode) -> CodedNode {
        handedOut.append(child)
        return child
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

    // MARK: Order

    /// Sorts what stands in the order of hashes in arrays that the value's `encode(to:)` has made, as it does where it hands
    /// its encoder to a set.
    ///
    /// All that can be seen of that is an array. It is taken for one of hashes if a set or dictionary among the value's stored
    /// properties has just these elements in just this order, and if it makes no difference: what is sorted must decode to a
    /// value that is equal.
    private func sort(_ arrays: [CodedNode], of value: some Decodable & Encodable & Equatable) throws {
        for node in arrays {
            for collection in Self.orderedByHash(in: value) {
                let copy = CodedNode(depth: node.depth)
                try collection.encode(to: CodedEncoder(node: copy, codingPath: []))
                guard copy.value == node.value else { continue }
                let unsorted = node.content
                node.content = try node.sorted(type(of: collection).valuesPerElement)
                if isEncoded(value) { break }
                node.content = unsorted
            }
        }
    }

    /// The arrays with several elements among this value and those within it that were handed out since the last call.
    private func takeArrays() -> [CodedNode] {
        let within = handedOut.flatMap { $0.takeArrays() }
        handedOut = []
        return count > 1 ? [self] + within : within
    }

    private static func orderedByHash(in value: Any) -> [any OrderedByHash & Encodable] {
        var found: [any OrderedByHash & Encodable] = []
        var mirror: Mirror? = Mirror(reflecting: value)
        while let current = mirror, current.displayStyle != .collection {
            for child in current.children {
                if let collection = child.value as? any OrderedByHash & Encodable {
                    found.append(collection)
                } else if Mirror(reflecting: child.value).displayStyle == .tuple {
                    // The payloads of an enum's case.
                    found += orderedByHash(in: child.value)
                }
            }
            mirror = current.superclassMirror
        }
        return found
    }

    private func isEncoded<Value: Decodable & Equatable>(_ value: Value) -> Bool {
        (try? CodedDecoder(value: self.value, codingPath: []).decode(Value.self)) == value
    }

    /// The content with an array's elements in the order of their bytes.
    private func sorted(_ valuesPerElement: Int) throws -> Content {
        guard case .array(let nodes) = content else { return content }
        let elements = try stride(from: 0, to: nodes.count, by: valuesPerElement).map { start in
            (bytes: try nodes[start].value.encoded(), nodes: nodes[start..<start + valuesPerElement])
        }
        return .array(elements.sorted { $0.bytes.lexicographicallyPrecedes($1.bytes) }.flatMap(\.nodes))
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
