import FirnQuery
import FirnStore

/// The smallest, the largest, the sum and the average of values that come one after the other.
///
/// Nil and NaN are skipped. Sums of integers wrap around, which their averages do not show; sums of floats are computed as
/// doubles. A column of any type is summed as decimals, over the numbers in it.
struct Aggregation {
    private let type: ColumnType
    private let form: OrderedValue.Form
    private var count = 0
    /// Wide enough for as many integers as there can be: their sum is the same in whatever order they come.
    private var integers: Int128 = 0
    private var doubles = 0.0
    private var decimals = Decimal128.zero
    private var smallest: StoredValue?
    private var largest: StoredValue?

    /// What is asked for.
    enum Kind {
        case minimum, maximum, sum, average

        /// The word for messages.
        var verb: String {
            switch self {
            case .minimum, .maximum: "be compared"
            case .sum: "be summed"
            case .average: "be averaged"
            }
        }
    }

    private let kind: Kind

    /// For values of a type. Traps for a type that has no such result.
    init(_ kind: Kind, of type: ColumnType, _ subject: @autoclosure () -> String) {
        self.kind = kind
        self.type = type
        form = OrderedValue.Form(rawValue: type.rawValue) ?? .any
        switch (type, kind) {
        case (.int, _), (.float, _), (.double, _), (.decimal, _), (.any, _): break
        case (.date, .minimum), (.date, .maximum): break
        default: misuse("\(subject()) cannot \(kind.verb): it is of type \(type.name)")
        }
    }

    /// Takes one value.
    mutating func add(_ value: StoredValue) {
        if Self.isSkipped(value) { return }
        switch kind {
        case .minimum:
            if smallest.map({ precedes(value, $0) }) ?? true { smallest = value }
        case .maximum:
            if largest.map({ precedes($0, value) }) ?? true { largest = value }
        case .sum, .average: sum(value)
        }
    }

    private static func isSkipped(_ value: StoredValue) -> Bool {
        switch value {
        case .null, .collection: true
        case .float(let value): value.isNaN
        case .double(let value): value.isNaN
        case .decimal(let bits): Decimal128(bits: bits).isNaN
        default: false
        }
    }

    private mutating func sum(_ value: StoredValue) {
        switch value {
        case .int(let value):
            integers &+= Int128(value)
            if type == .any { decimals += Decimal128(value) }
        case .float(let value):
            doubles += Double(value)
            if type == .any { decimals += Decimal128(Double(value)) }
        case .double(let value):
            doubles += value
            if type == .any { decimals += Decimal128(value) }
        case .decimal(let bits): decimals += Decimal128(bits: bits)
        default: return
        }
        count += 1
    }

    private func precedes(_ left: StoredValue, _ right: StoredValue) -> Bool {
        switch (left, right) {
        case (.int(let left), .int(let right)): return left < right
        case (.double(let left), .double(let right)): return left < right
        default: break
        }
        var buffer = KeyBuffer(limit: .max)
        OrderedValue.append(left, as: form, to: &buffer)
        let first = buffer.withBytes { Array($0) }
        buffer.removeAll()
        OrderedValue.append(right, as: form, to: &buffer)
        return first.lexicographicallyPrecedes(buffer.withBytes { Array($0) })
    }

    /// What comes of a column of numbers as a whole.
    func result(of summary: ColumnSummary) -> StoredValue? {
        switch kind {
        case .minimum: return summary.smallest
        case .maximum: return summary.largest
        default:
            var whole = self
            (whole.count, whole.integers, whole.doubles) = (summary.count, summary.integerSum, summary.sum)
            return whole.result
        }
    }

    /// What came out; nil where there was nothing to compare or to average.
    var result: StoredValue? {
        switch kind {
        case .minimum: return smallest
        case .maximum: return largest
        case .sum:
            switch type {
            case .int: return .int(Int64(truncatingIfNeeded: integers))
            case .float, .double: return .double(doubles)
            default: return .decimal(decimals.bits)
            }
        case .average:
            guard count > 0 else { return nil }
            switch type {
            case .int: return .double(Double(integers) / Double(count))
            case .float, .double: return .double(doubles / Double(count))
            default: return .decimal((decimals / Decimal128(count)).bits)
            }
        }
    }
}

/// Results as the caller wants them.
enum AggregateResult {
    /// The result in the type that the caller wants, which may be narrower: a fraction is dropped, an integer wraps around.
    static func converted<T: RealmCollectionValue>(_ value: StoredValue, to type: T.Type) -> T {
        let untyped = untyped(value)
        if let converted = T._convertedElement(from: untyped) { return converted }
        if let integer = integer(value), let type = T.self as? any _IntegerPersistable.Type,
            let converted = wrapped(integer, in: type) as? T
        {
            return converted
        }
        misuse("The result \(UntypedValue.describe(untyped)) does not fit \(T.self); ask for another type")
    }

    private static func integer(_ value: StoredValue) -> Int64? {
        switch value {
        case .int(let value): value
        case .double(let value): Int64(exactly: value.rounded(.towardZero))
        default: nil
        }
    }

    private static func wrapped<T: _IntegerPersistable>(_ value: Int64, in type: T.Type) -> Any {
        T(truncatingIfNeeded: value)
    }

    /// The result as an untyped reader gets it.
    static func untyped(_ value: StoredValue) -> Any {
        if case .coded(let data) = value { return data }
        return value.untyped ?? Any?.none as Any
    }
}
