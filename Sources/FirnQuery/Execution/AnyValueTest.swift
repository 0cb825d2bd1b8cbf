import FirnStore

/// A value of any type. Numbers of all types compare by their value; between other types nothing is less, and all is
/// different.
struct AnyValueTest: ValueMatcher {
    /// How the value stands to `constant`; for text, `text` asks.
    let operation: ComparisonOperator
    /// The constant as an ordered `any`.
    let constant: [UInt8]
    let isNaN: Bool
    /// What is asked of strings and data; an option, or an operator, for text.
    let text: TextTest?

    func matches(_ record: RecordView, _ slot: Int, _ connection: Connection) -> Bool {
        if let text {
            guard record.isText(slot) else { return operation == .notEqual }
            return text.matches(record, slot, connection)
        }
        let value = connection.value(record, slot)
        let rank = OrderedValue.rank(of: value)
        guard rank.rawValue == constant[0], !isNaN, !value.isNaN else { return operation == .notEqual }
        var buffer = KeyBuffer(limit: .max)
        OrderedValue.appendAny(value, to: &buffer)
        return buffer.withBytes { bytes in
            operation.accepts(order: constant.withUnsafeBytes { bytes.order(against: $0) })
        }
    }
}

extension RecordView {
    /// Whether a string or data stands in a slot.
    func isText(_ slot: Int) -> Bool {
        switch tag(slot) {
        case .string, .data: true
        case .blob: blob(slot).kind != Tag.coded.rawValue
        default: false
        }
    }
}

extension StoredValue {
    /// Whether this is a floating-point number or a decimal that is no number.
    var isNaN: Bool {
        switch self {
        case .float(let value): value.isNaN
        case .double(let value): value.isNaN
        case .decimal(let bits):
            switch DecimalParts(bits: bits).kind {
            case .quietNaN, .signalingNaN: true
            case .finite, .infinity: false
            }
        default: false
        }
    }
}
