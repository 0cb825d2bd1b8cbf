import FoundationEssentials

/// One value as it is stored, whatever property, list or map it belongs to.
///
/// Two are equal when they are stored alike: floats compare by their bits (so NaN equals itself and -0.0 is not 0.0),
/// decimals by theirs (1.0 is not 1.00), strings by their UTF-8, and a type never equals another.
@usableFromInline package enum StoredValue: Sendable {
    case null
    case bool(Bool)
    case int(Int64)
    case float(Float)
    case double(Double)
    /// IEEE 754 decimal128 in the binary integer encoding.
    case decimal(UInt128)
    /// Seconds since 1970 and the nanoseconds to add; the two have the same sign, or one is zero.
    case date(seconds: Int64, nanoseconds: Int32)
    case string(String)
    case data(Data)
    case objectID(ObjectIDBytes)
    case uuid(UUID)
    /// An object of the table that the column names.
    case link(UInt64)
    case typedLink(table: UInt32, key: UInt64)
    case collection(kind: UInt8, id: UInt64)
    /// A string, data or coded value that lives in a blob; `kind` is the raw value of the tag it stands for.
    case blob(kind: UInt8, id: UInt64, byteCount: UInt32)
    /// An encoded `Codable` value, opaque here.
    case coded(Data)

    /// How many bytes a string, data or coded value has; 0 for the others, which never move to a blob.
    package var variableByteCount: Int {
        switch self {
        case .string(let string): string.utf8.count
        case .data(let data), .coded(let data): data.count
        default: 0
        }
    }

    /// Whether this is the null value.
    @inlinable package var isNull: Bool {
        if case .null = self { true } else { false }
    }
}

extension StoredValue: Hashable {
    @usableFromInline package static func == (lhs: StoredValue, rhs: StoredValue) -> Bool {
        switch (lhs, rhs) {
        case (.null, .null): true
        case (.bool(let a), .bool(let b)): a == b
        case (.int(let a), .int(let b)): a == b
        case (.float(let a), .float(let b)): a.bitPattern == b.bitPattern
        case (.double(let a), .double(let b)): a.bitPattern == b.bitPattern
        case (.decimal(let a), .decimal(let b)): a == b
        case (.date(let a, let m), .date(let b, let n)): a == b && m == n
        // Swift's == takes canonically equivalent strings for one; what is stored are their bytes.
        case (.string(let a), .string(let b)): holdSameBytes(a, b)
        case (.data(let a), .data(let b)), (.coded(let a), .coded(let b)): a == b
        case (.objectID(let a), .objectID(let b)): a == b
        case (.uuid(let a), .uuid(let b)): a == b
        case (.link(let a), .link(let b)): a == b
        case (.typedLink(let t, let a), .typedLink(let u, let b)): t == u && a == b
        case (.collection(let k, let a), .collection(let l, let b)): k == l && a == b
        case (.blob(let k, let a, let m), .blob(let l, let b, let n)): k == l && a == b && m == n
        default: false
        }
    }

    private static func holdSameBytes(_ a: String, _ b: String) -> Bool {
        guard a.utf8.count == b.utf8.count else { return false }
        var (a, b) = (a, b)
        return a.withUTF8 { a in
            b.withUTF8 { UnsafeRawBufferPointer(a).holdsSameBytes(as: UnsafeRawBufferPointer($0)) }
        }
    }

    @usableFromInline package func hash(into hasher: inout Hasher) {
        switch self {
        case .null: hasher.combine(0 as UInt8)
        case .bool(let value): hasher.combine(value)
        case .int(let value): hasher.combine(value)
        case .float(let value): hasher.combine(value.bitPattern)
        case .double(let value): hasher.combine(value.bitPattern)
        case .decimal(let bits): hasher.combine(bits)
        case .date(let seconds, let nanoseconds):
            hasher.combine(seconds)
            hasher.combine(nanoseconds)
        case .string(let string):
            let hashed: Void? = string.utf8.withContiguousStorageIfAvailable {
                hasher.combine(bytes: UnsafeRawBufferPointer($0))
            }
            if hashed == nil { Array(string.utf8).withUnsafeBytes { hasher.combine(bytes: $0) } }
        case .data(let data), .coded(let data): hasher.combine(data)
        case .objectID(let id): hasher.combine(id)
        case .uuid(let id): hasher.combine(id)
        case .link(let key): hasher.combine(key)
        case .typedLink(let table, let key):
            hasher.combine(table)
            hasher.combine(key)
        case .collection(let kind, let id):
            hasher.combine(kind)
            hasher.combine(id)
        case .blob(let kind, let id, let byteCount):
            hasher.combine(kind)
            hasher.combine(id)
            hasher.combine(byteCount)
        }
    }
}
