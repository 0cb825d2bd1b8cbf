import Foundation

/// A unique value of twelve bytes, of the kind MongoDB uses: seconds, a mark of the process, a counter.
///
///      0             4                       9              12
///     ┌─────────────┬───────────────────────┬────────────────┐
///     │ seconds u32 │ random, per process   │ counter u24    │   big-endian
///     └─────────────┴───────────────────────┴────────────────┘
///
/// Compared byte by byte, so that later identifiers of one process are greater than earlier ones.
@frozen
public struct ObjectId: Hashable, Sendable {
    /// The first eight bytes, as a big-endian number.
    package let high: UInt64

    /// The last four bytes, as a big-endian number.
    package let low: UInt32

    package init(high: UInt64, low: UInt32) {
        self.high = high
        self.low = low
    }

    /// Twelve zero bytes. ``generate()`` makes a unique one.
    public init() { self.init(high: 0, low: 0) }

    /// The identifier that 24 hexadecimal digits of either case state.
    /// - Throws: ``ValueError`` with `.invalidObjectId` for any other text.
    public init(string: String) throws(ValueError) {
        var text = string
        guard let identifier = text.withUTF8({ ObjectId(hexadecimal: $0) }) else {
            throw ValueError(
                .invalidObjectId, "\(ValueError.quoted(string)) is no ObjectId; it takes 24 hexadecimal digits")
        }
        self = identifier
    }

    /// The identifier that a literal of 24 hexadecimal digits states; traps if it states none.
    public init(_ literal: StaticString) {
        do {
            try self.init(string: literal.description)
        } catch {
            fatalError("ObjectId literal: \(error.message)")
        }
    }

    /// An identifier of the given second, three bytes of a machine, two of a process, and a counter.
    ///
    /// Unique only as far as the three are; ``generate()`` needs no such care. A date before 1970 or after 2106 counts as
    /// the nearest one within.
    public init(timestamp: Date, machineId: Int, processId: Int) {
        self.init(
            seconds: Self.seconds(of: timestamp),
            process: (UInt64(truncatingIfNeeded: machineId) & 0xff_ffff) << 16
                | UInt64(truncatingIfNeeded: processId) & 0xffff,
            count: Self.nextCount())
    }

    init(seconds: UInt32, process: UInt64, count: UInt32) {
        high = UInt64(seconds) << 32 | (process >> 8) & 0xffff_ffff
        low = UInt32(truncatingIfNeeded: process & 0xff) << 24 | count & 0xff_ffff
    }

    /// The second in which the identifier was made.
    public var timestamp: Date { Date(timeIntervalSince1970: Double(high >> 32)) }

    /// 24 lower-case hexadecimal digits.
    public var stringValue: String {
        // SAFETY: all 24 bytes are written, each an ASCII digit.
        String(unsafeUninitializedCapacity: 24) { digits in
            for index in 0..<24 {
                let shift = index < 16 ? 60 - 4 * index : 28 - 4 * (index - 16)
                let nibble = UInt8(truncatingIfNeeded: (index < 16 ? high : UInt64(low)) >> UInt64(shift)) & 0xf
                digits[index] = nibble < 10 ? UInt8(ascii: "0") + nibble : UInt8(ascii: "a") + nibble - 10
            }
            return 24
        }
    }

    private init?(hexadecimal text: UnsafeBufferPointer<UInt8>) {
        guard text.count == 24 else { return nil }
        var high: UInt64 = 0
        var low: UInt32 = 0
        for (index, byte) in text.enumerated() {
            guard let nibble = Self.nibble(byte) else { return nil }
            if index < 16 { high = high << 4 | UInt64(nibble) } else { low = low << 4 | UInt32(nibble) }
        }
        self.init(high: high, low: low)
    }

    private static func nibble(_ byte: UInt8) -> UInt8? {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): byte - UInt8(ascii: "0")
        case UInt8(ascii: "a")...UInt8(ascii: "f"): byte - UInt8(ascii: "a") + 10
        case UInt8(ascii: "A")...UInt8(ascii: "F"): byte - UInt8(ascii: "A") + 10
        default: nil
        }
    }
}

extension ObjectId: Comparable, CustomStringConvertible {
    /// Whether the bytes of `left` come before those of `right`.
    public static func < (left: ObjectId, right: ObjectId) -> Bool {
        left.high != right.high ? left.high < right.high : left.low < right.low
    }

    /// ``stringValue``.
    public var description: String { stringValue }
}

extension ObjectId: Codable {
    /// Encodes ``stringValue``.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(stringValue)
    }

    /// Decodes 24 hexadecimal digits.
    /// - Throws: `DecodingError.dataCorrupted` for other text.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        do {
            try self.init(string: container.decode(String.self))
        } catch let error as ValueError {
            throw DecodingError.dataCorruptedError(in: container, debugDescription: error.message)
        }
    }
}
