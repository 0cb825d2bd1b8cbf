import FirnStore

/// Whether a property is nil.
struct AbsenceTest: ValueMatcher {
    let matchesAbsent: Bool

    @inline(__always)
    func matches(_ record: RecordView, _ slot: Int, _ connection: Connection) -> Bool {
        record.isNull(slot) == matchesAbsent
    }
}

/// A Bool, by an answer for each of its values.
struct BoolTest: ValueMatcher {
    let matchesTrue: Bool
    let matchesFalse: Bool
    let matchesAbsent: Bool

    @inline(__always)
    func matches(_ record: RecordView, _ slot: Int, _ connection: Connection) -> Bool {
        switch record.entry(slot).code {
        case Tag.true.rawValue: matchesTrue
        case Tag.false.rawValue: matchesFalse
        default: matchesAbsent
        }
    }
}

/// An integer, by a range: every operator is one, or the complement of one.
struct IntegerTest: ValueMatcher {
    let range: ValueRange<Int64>
    let matchesAbsent: Bool
    private let words: WordRange

    init(range: ValueRange<Int64>, matchesAbsent: Bool) {
        self.range = range
        words = WordRange(range)
        self.matchesAbsent = matchesAbsent
    }

    @inline(__always)
    func matches(_ record: RecordView, _ slot: Int, _ connection: Connection) -> Bool {
        let entry = record.entry(slot)
        guard entry.code &- Tag.int8.rawValue < 4 else { return matchesAbsent }
        return words.contains(WordRange.word(record.int64(entry)))
    }
}

/// A link, by the keys of its target.
struct LinkTest: ValueMatcher {
    let targets: ObjectTest

    @inline(__always)
    func matches(_ record: RecordView, _ slot: Int, _ connection: Connection) -> Bool {
        guard record.entry(slot).code == Tag.link.rawValue else { return targets.isInverted }
        return targets.matches(record.link(slot))
    }
}

/// A `Float` or a `Double`, by a range. Bounds of a `Float` are values that a `Float` has.
struct FloatingPointTest: ValueMatcher {
    let range: WordRange
    let matchesAbsent: Bool

    init(range: ValueRange<Double>, matchesAbsent: Bool) {
        self.range = WordRange(range)
        self.matchesAbsent = matchesAbsent
    }

    @inline(__always)
    func matches(_ record: RecordView, _ slot: Int, _ connection: Connection) -> Bool {
        switch record.entry(slot).code {
        case Tag.double.rawValue: range.contains(WordRange.word(record.double(slot)))
        case Tag.float.rawValue: range.contains(WordRange.word(Double(record.float(slot))))
        default: matchesAbsent
        }
    }

    /// The answer for the payload of a double.
    @inline(__always)
    func matches(doubleAt payload: UnsafeRawPointer) -> Bool {
        range.contains(WordRange.word(Double(bitPattern: payload.littleEndian(at: 0, as: UInt64.self))))
    }
}

/// A date, ObjectId or UUID as one number of 128 bits, by a range.
struct WideTest: ValueMatcher {
    let range: ValueRange<Int128>
    let matchesAbsent: Bool

    @inline(__always)
    func matches(_ record: RecordView, _ slot: Int, _ connection: Connection) -> Bool {
        WideTest.number(record, slot).map(range.contains) ?? matchesAbsent
    }

    /// The number of what stands in a slot; nil for anything that is none of the three.
    @inline(__always)
    static func number(_ record: RecordView, _ slot: Int) -> Int128? {
        switch record.entry(slot).code {
        case Tag.date.rawValue: number(record.date(slot))
        case Tag.objectID.rawValue: number(record.objectID(slot))
        case Tag.uuid.rawValue: number(bigEndian: record.payload(slot))
        default: nil
        }
    }

    /// The nanoseconds since 1970.
    @inline(__always)
    static func number(_ date: (seconds: Int64, nanoseconds: Int32)) -> Int128 {
        Int128(date.seconds) * 1_000_000_000 + Int128(date.nanoseconds)
    }

    @inline(__always)
    static func number(_ id: ObjectIDBytes) -> Int128 {
        Int128(id.high) << 32 | Int128(id.low)
    }

    /// Sixteen bytes, so that the numbers are ordered as the bytes are.
    @inline(__always)
    static func number(bigEndian bytes: UnsafeRawBufferPointer) -> Int128 {
        guard bytes.count == 16 else { return .min }
        return Int128(bitPattern: UInt128(bigEndian: bytes.loadUnaligned(as: UInt128.self)) ^ 1 << 127)
    }
}

/// A Decimal128, by its place in the order of the store.
struct DecimalTest: ValueMatcher {
    let operation: ComparisonOperator
    /// The constant as an `OrderedNumber`.
    let constant: [UInt8]
    let isNaN: Bool
    let matchesAbsent: Bool

    func matches(_ record: RecordView, _ slot: Int, _ connection: Connection) -> Bool {
        guard record.entry(slot).code == Tag.decimal128.rawValue else { return matchesAbsent }
        return DecimalTest.compare(record.decimal128(slot), operation, constant, isNaN: isNaN)
    }

    static func compare(_ bits: UInt128, _ operation: ComparisonOperator, _ constant: [UInt8], isNaN: Bool) -> Bool {
        switch DecimalParts(bits: bits).kind {
        case .quietNaN, .signalingNaN: return operation == .notEqual
        case .finite, .infinity: break
        }
        guard !isNaN else { return operation == .notEqual }
        var buffer = KeyBuffer()
        OrderedNumber.append(decimal: bits, to: &buffer)
        return buffer.withBytes { bytes in
            operation.accepts(order: constant.withUnsafeBytes { bytes.order(against: $0) })
        }
    }
}
