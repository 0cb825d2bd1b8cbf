import FoundationEssentials

extension CodedValue {
    /// Reads a value from bytes that may be damaged, never beyond their end; throws what is wrong where.
    package init(decoding bytes: UnsafeRawBufferPointer) throws(FormatError) {
        var reader = CodedReader(bytes)
        self = try reader.readValue(depth: 0)
        guard reader.offset == bytes.count else {
            throw FormatError("\(bytes.count - reader.offset) bytes follow a coded value", at: reader.offset)
        }
    }

    /// Reads a value from the bytes of a column.
    package init(decoding data: Data) throws(FormatError) {
        let result = data.withUnsafeBytes { bytes in
            Result { () throws(FormatError) in try CodedValue(decoding: bytes) }
        }
        self = try result.get()
    }
}

/// Reads a coded value's bytes, checking their bounds.
struct CodedReader {
    private let bytes: UnsafeRawBufferPointer
    /// Where the next byte stands.
    var offset = 0

    init(_ bytes: UnsafeRawBufferPointer) {
        self.bytes = bytes
    }

    mutating func readValue(depth: Int) throws(FormatError) -> CodedValue {
        let start = offset
        let code = try readNumber(UInt8.self)
        switch CodedValue.Kind(rawValue: code) {
        case .unsigned: return .unsigned(try readNumber(UInt64.self))
        case .array:
            let count = try readContainerCount(depth, start, leastByteCount: 1)
            var values: [CodedValue] = []
            values.reserveCapacity(count)
            for _ in 0..<count {
                values.append(try readValue(depth: depth + 1))
            }
            return .array(values)
        case .keyed:
            let count = try readContainerCount(depth, start, leastByteCount: 2)
            var pairs: [CodedValue.Pair] = []
            pairs.reserveCapacity(count)
            for _ in 0..<count {
                let name = try readString()
                pairs.append(CodedValue.Pair(name: name, value: try readValue(depth: depth + 1)))
            }
            return .keyed(pairs)
        case nil:
            return .scalar(try readScalar(code, at: start))
        }
    }

    private mutating func readContainerCount(
        _ depth: Int, _ start: Int, leastByteCount: Int
    ) throws(FormatError) -> Int {
        guard depth < CodedValue.depthLimit else {
            throw FormatError("coded values nest more than \(CodedValue.depthLimit) deep", at: start)
        }
        let count = try readCount()
        // Before memory is reserved for them: what is left must hold at least the shortest.
        guard count <= (bytes.count - offset) / leastByteCount else {
            throw FormatError("a coded container of \(count) ends early", at: start)
        }
        return count
    }

    private mutating func readScalar(_ code: UInt8, at start: Int) throws(FormatError) -> StoredValue {
        switch Tag(code: code) {
        case .null: return .null
        case .false: return .bool(false)
        case .true: return .bool(true)
        case .int8: return .int(Int64(try readNumber(Int8.self)))
        case .int16: return .int(Int64(try readNumber(Int16.self)))
        case .int32: return .int(Int64(try readNumber(Int32.self)))
        case .int64: return .int(try readNumber(Int64.self))
        case .float: return .float(Float(bitPattern: try readNumber(UInt32.self)))
        case .double: return .double(Double(bitPattern: try readNumber(UInt64.self)))
        case .decimal128: return .decimal(try readNumber(UInt128.self))
        case .date: return .date(seconds: try readNumber(Int64.self), nanoseconds: try readNumber(Int32.self))
        case .string: return .string(try readString())
        case .data: return .data(Data(try read(byteCount: try readCount())))
        case .objectID:
            let id = try read(byteCount: 12)
            guard let base = id.baseAddress else { throw FormatError("an ObjectId ends early", at: start) }
            return .objectID(ObjectIDBytes(loadingFrom: base))
        case .uuid: return .uuid(UUID(uuid: try read(byteCount: 16).loadUnaligned(as: uuid_t.self)))
        case .link, .typedLink, .collection, .blob, .coded, nil:
            throw FormatError("\(code) is no kind of coded value", at: start)
        }
    }

    mutating func readCount() throws(FormatError) -> Int {
        var reader = VarintReader(bytes, from: offset)
        guard let count = reader.next(), let count = Int(exactly: count) else {
            throw FormatError("a coded value ends within a number", at: offset)
        }
        offset = reader.offset
        return count
    }

    mutating func readString() throws(FormatError) -> String {
        let start = offset
        let utf8 = try read(byteCount: try readCount())
        guard let span = try? UTF8Span(validating: utf8.bindMemory(to: UInt8.self).span) else {
            throw FormatError("a coded string is not UTF-8", at: start)
        }
        return String(copying: span)
    }

    private mutating func readNumber<Number: FixedWidthInteger>(_ type: Number.Type) throws(FormatError) -> Number {
        let payload = try read(byteCount: MemoryLayout<Number>.size)
        return Number(littleEndian: payload.loadUnaligned(as: type))
    }

    private mutating func read(byteCount: Int) throws(FormatError) -> UnsafeRawBufferPointer {
        guard byteCount <= bytes.count - offset else {
            throw FormatError("a coded value of \(byteCount) bytes ends early", at: offset)
        }
        defer { offset += byteCount }
        return UnsafeRawBufferPointer(rebasing: bytes[offset..<offset + byteCount])
    }
}
