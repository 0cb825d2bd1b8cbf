import FoundationEssentials

/// A value in which arrays and keyed values stand deeper than `CodedValue.depthLimit`.
package struct CodedDepthError: Error, CustomStringConvertible {
    package init() {}

    package let description = "It nests more than \(CodedValue.depthLimit) values in each other; store it flatter"
}

extension CodedValue {
    /// The value's bytes.
    package func encoded() throws(CodedDepthError) -> Data {
        var bytes: [UInt8] = []
        try append(to: &bytes, depth: 0)
        return Data(bytes)
    }

    private func append(to bytes: inout [UInt8], depth: Int) throws(CodedDepthError) {
        switch self {
        case .scalar(let value):
            Self.append(value, to: &bytes)
        case .unsigned(let value):
            bytes.append(Kind.unsigned.rawValue)
            Self.append(littleEndian: value, to: &bytes)
        case .array(let values):
            guard depth < Self.depthLimit else { throw CodedDepthError() }
            bytes.append(Kind.array.rawValue)
            Varint.append(UInt64(values.count), to: &bytes)
            for value in values {
                try value.append(to: &bytes, depth: depth + 1)
            }
        case .keyed(let pairs):
            guard depth < Self.depthLimit else { throw CodedDepthError() }
            bytes.append(Kind.keyed.rawValue)
            let pairs = Self.canonical(pairs)
            Varint.append(UInt64(pairs.count), to: &bytes)
            for pair in pairs {
                Self.append(pair.name, to: &bytes)
                try pair.value.append(to: &bytes, depth: depth + 1)
            }
        }
    }

    /// The pairs in order of the names' bytes, of those with one name the last.
    private static func canonical(_ pairs: [Pair]) -> [Pair] {
        var last: [[UInt8]: Pair] = [:]
        for pair in pairs {
            last[Array(pair.name.utf8)] = pair
        }
        return last.sorted { $0.key.lexicographicallyPrecedes($1.key) }.map(\.value)
    }

    private static func append(_ value: StoredValue, to bytes: inout [UInt8]) {
        switch value {
        case .null: bytes.append(Tag.null.rawValue)
        case .bool(let value): bytes.append((value ? Tag.true : Tag.false).rawValue)
        case .int(let value): append(value, to: &bytes)
        case .float(let value):
            bytes.append(Tag.float.rawValue)
            append(littleEndian: value.bitPattern, to: &bytes)
        case .double(let value):
            bytes.append(Tag.double.rawValue)
            append(littleEndian: value.bitPattern, to: &bytes)
        case .decimal(let bits):
            bytes.append(Tag.decimal128.rawValue)
            append(littleEndian: bits, to: &bytes)
        case .date(let seconds, let nanoseconds):
            bytes.append(Tag.date.rawValue)
            append(littleEndian: seconds, to: &bytes)
            append(littleEndian: nanoseconds, to: &bytes)
        case .string(let value):
            bytes.append(Tag.string.rawValue)
            append(value, to: &bytes)
        case .data(let value):
            bytes.append(Tag.data.rawValue)
            Varint.append(UInt64(value.count), to: &bytes)
            bytes.append(contentsOf: value)
        case .objectID(let id):
            bytes.append(Tag.objectID.rawValue)
            withUnsafeTemporaryAllocation(byteCount: 12, alignment: 8) { buffer in
                guard let base = buffer.baseAddress else { return }
                id.store(to: base)
                bytes.append(contentsOf: buffer)
            }
        case .uuid(let id):
            bytes.append(Tag.uuid.rawValue)
            withUnsafeBytes(of: id.uuid) { bytes.append(contentsOf: $0) }
        case .link, .typedLink, .collection, .blob, .coded:
            preconditionFailure("\(value) has no place in a coded value")
        }
    }

    private static func append(_ value: Int64, to bytes: inout [UInt8]) {
        if let value = Int8(exactly: value) {
            bytes.append(Tag.int8.rawValue)
            append(littleEndian: value, to: &bytes)
        } else if let value = Int16(exactly: value) {
            bytes.append(Tag.int16.rawValue)
            append(littleEndian: value, to: &bytes)
        } else if let value = Int32(exactly: value) {
            bytes.append(Tag.int32.rawValue)
            append(littleEndian: value, to: &bytes)
        } else {
            bytes.append(Tag.int64.rawValue)
            append(littleEndian: value, to: &bytes)
        }
    }

    private static func append(_ text: String, to bytes: inout [UInt8]) {
        Varint.append(UInt64(text.utf8.count), to: &bytes)
        bytes.append(contentsOf: text.utf8)
    }

    private static func append<Number: FixedWidthInteger>(littleEndian number: Number, to bytes: inout [UInt8]) {
        withUnsafeBytes(of: number.littleEndian) { bytes.append(contentsOf: $0) }
    }
}
