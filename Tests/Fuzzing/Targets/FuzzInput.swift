import FirnQuery
import FirnStore
import Foundation

/// Bytes of an input, taken one value after the other; zeros where they have come to an end.
struct FuzzInput {
    private var bytes: Slice<UnsafeRawBufferPointer>

    init(_ bytes: UnsafeRawBufferPointer) { self.bytes = bytes[...] }

    /// All up to the next record separator (1E), which ends a text, or to the end.
    mutating func text() -> String {
        let content = bytes.prefix { $0 != 0x1e }
        bytes = bytes[content.endIndex...].dropFirst()
        return String(decoding: content, as: UTF8.self)
    }

    mutating func byte() -> UInt8 { bytes.popFirst() ?? 0 }

    mutating func integer<T: FixedWidthInteger>(_ type: T.Type = T.self) -> T {
        (0..<T.bitWidth / 8).reduce(0) { value, _ in value << 8 | T(truncatingIfNeeded: byte()) }
    }

    mutating func string() -> String {
        let count = min(Int(byte()), bytes.count)
        defer { bytes = bytes.dropFirst(count) }
        return String(decoding: bytes.prefix(count), as: UTF8.self)
    }

    /// An argument of a predicate: a name or a key path for `%K`, a constant, a list of constants, or nil.
    mutating func argument() -> Any? {
        let kind = byte()
        switch kind % 16 {
        case 0, 1: return string()
        case 2: return constant(0)
        case 3: return (0..<Int(byte() % 8)).map { _ in constant(byte()) }
        case 4: return nil
        default: return constant(kind)
        }
    }

    private mutating func constant(_ kind: UInt8) -> Constant {
        switch kind % 16 {
        case 5: .bool(byte() % 2 == 1)
        case 6: .int(integer())
        case 7: .int(Int64(integer(Int8.self)))
        case 8: .double(Double(bitPattern: integer()))
        case 9: .double(Double(integer(Int16.self)) / 4)
        case 10: .decimal(integer())
        case 11: .string(string())
        case 12: .data(Data(string().utf8))
        case 13: date()
        case 14: .objectID(high: integer(), low: integer())
        case 15: .uuid(uuid())
        case 0: .link(table: UInt32(byte() % 4), key: integer())
        default: .null
        }
    }

    /// Seconds and nanoseconds have the same sign wherever dates come from.
    private mutating func date() -> Constant {
        let seconds: Int64 = integer()
        let nanoseconds = Int32(integer(UInt32.self) % 1_000_000_000)
        return .date(seconds: seconds, nanoseconds: seconds < 0 ? -nanoseconds : nanoseconds)
    }

    private mutating func uuid() -> UUID {
        var uuid = UUID().uuid
        withUnsafeMutableBytes(of: &uuid) { for index in $0.indices { $0[index] = byte() } }
        return UUID(uuid: uuid)
    }
}
