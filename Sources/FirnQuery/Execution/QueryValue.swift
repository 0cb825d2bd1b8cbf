import FirnStore
import Foundation

/// A value that an operand has while a predicate is asked. Texts and data that are lent live as long as the object they come
/// from.
enum QueryValue {
    case null
    case bool(Bool)
    case int(Int64)
    case double(Double)
    /// IEEE 754 decimal128, binary integer encoding.
    case decimal(UInt128)
    /// The UTF-8 of a string, or data.
    case text(UnsafeRawBufferPointer, isString: Bool)
    /// The same, where it does not stand in a record.
    case ownText([UInt8], isString: Bool)
    /// A date, ObjectId or UUID as the number it is compared by.
    case wide(Int128, WideKind)
    /// An object, by its table, where the operand's type does not say it, and its key.
    case object(UInt32?, ObjectKey)

    enum WideKind {
        case date, objectID, uuid
    }

    /// What stands in a slot of a record.
    init(_ record: RecordView, _ slot: Int, _ connection: Connection) {
        switch record.tag(slot) {
        case .null, nil, .collection: self = .null
        case .false: self = .bool(false)
        case .true: self = .bool(true)
        case .int8, .int16, .int32, .int64: self = .int(record.int64(slot))
        case .float: self = .double(Double(record.float(slot)))
        case .double: self = .double(record.double(slot))
        case .decimal128: self = .decimal(record.decimal128(slot))
        case .date: self = .wide(WideTest.number(record.date(slot)), .date)
        case .objectID: self = .wide(WideTest.number(record.objectID(slot)), .objectID)
        case .uuid: self = .wide(WideTest.number(bigEndian: record.payload(slot)), .uuid)
        case .string: self = .text(record.payload(slot), isString: true)
        case .data: self = .text(record.payload(slot), isString: false)
        case .link: self = .object(nil, record.link(slot))
        case .typedLink:
            let (table, key) = record.typedLink(slot)
            self = .object(table, key)
        case .coded, .blob: self = QueryValue(large: connection.value(record, slot))
        }
    }

    private init(large value: StoredValue) {
        switch value {
        case .string(let text): self = .ownText(Array(text.utf8), isString: true)
        case .data(let data): self = .ownText(Array(data), isString: false)
        default: self = .null
        }
    }

    /// A constant. An area is no value, and a `Codable` one none to reckon with; both give nil.
    init?(_ constant: Constant) {
        switch constant {
        case .null: self = .null
        case .bool(let value): self = .bool(value)
        case .int(let value): self = .int(value)
        case .double(let value): self = .double(value)
        case .decimal(let bits): self = .decimal(bits)
        case .string(let text): self = .ownText(Array(text.utf8), isString: true)
        case .data(let data): self = .ownText(Array(data), isString: false)
        case .date(let seconds, let nanoseconds): self = .wide(WideTest.number((seconds, nanoseconds)), .date)
        case .objectID(let high, let low):
            self = .wide(WideTest.number(ObjectIDBytes(high: high, low: low)), .objectID)
        case .uuid(let id):
            self = .wide(withUnsafeBytes(of: id.uuid) { WideTest.number(bigEndian: $0) }, .uuid)
        case .link(let table, let key): self = .object(table, key)
        case .coded, .area: return nil
        }
    }

    var isNull: Bool {
        if case .null = self { true } else { false }
    }

    /// Lends the bytes of a string or data; nil for anything else.
    func withText<R>(_ body: (UnsafeRawBufferPointer) -> R) -> R? {
        switch self {
        case .text(let bytes, _): body(bytes)
        case .ownText(let bytes, _): bytes.withUnsafeBytes { body($0) }
        default: nil
        }
    }

    private var isString: Bool {
        switch self {
        case .text(_, let isString), .ownText(_, let isString): isString
        default: false
        }
    }
}

// MARK: Comparing

extension QueryValue {
    /// Negative, 0 or positive as this value comes before, with or after another of its kind; nil where neither comes before
    /// the other: they are of different kinds, or one is NaN, or nil.
    func order(to other: QueryValue) -> Int? {
        switch (self, other) {
        case (.null, .null): return 0
        case (.bool(let left), .bool(let right)): return left == right ? 0 : left ? 1 : -1
        case (.int(let left), .int(let right)): return left < right ? -1 : left == right ? 0 : 1
        case (.double(let left), .double(let right)):
            return left < right ? -1 : left == right ? 0 : left > right ? 1 : nil
        case (.int, .double), (.int, .decimal), (.double, .int), (.double, .decimal), (.decimal, .int),
            (.decimal, .double), (.decimal, .decimal):
            return orderOfNumbers(to: other)
        case (.wide(let left, let kind), .wide(let right, let otherKind)):
            return kind != otherKind ? nil : left < right ? -1 : left == right ? 0 : 1
        case (.object(let table, let left), .object(let otherTable, let right)):
            if let table, let otherTable, table != otherTable { return nil }
            return left < right ? -1 : left == right ? 0 : 1
        case (.text, _), (.ownText, _):
            guard isString == other.isString else { return nil }
            return withText { mine in other.withText { mine.order(against: $0) } } ?? nil
        default: return nil
        }
    }

    /// Numbers of different types, exactly.
    private func orderOfNumbers(to other: QueryValue) -> Int? {
        guard !isNaN, !other.isNaN else { return nil }
        var mine = KeyBuffer()
        var theirs = KeyBuffer()
        appendNumber(to: &mine)
        other.appendNumber(to: &theirs)
        return mine.withBytes { mine in theirs.withBytes { mine.order(against: $0) } }
    }

    private var isNaN: Bool {
        switch self {
        case .double(let value): value.isNaN
        case .decimal(let bits): StoredValue.decimal(bits).isNaN
        default: false
        }
    }

    private func appendNumber(to buffer: inout KeyBuffer) {
        switch self {
        case .int(let value): OrderedNumber.append(integer: value, to: &buffer)
        case .double(let value): OrderedNumber.append(double: value, to: &buffer)
        case .decimal(let bits): OrderedNumber.append(decimal: bits, to: &buffer)
        default: break
        }
    }

    /// Whether the value stands to another one as an operator says: nil equals nil and nothing else, and is neither less nor
    /// greater than anything.
    func stands(_ operation: ComparisonOperator, to other: QueryValue, _ folding: TextFolding?) -> Bool {
        if operation.isForText || folding != nil { return standsAsText(operation, to: other, folding) }
        guard let order = order(to: other) else { return operation == .notEqual }
        if isNull { return operation == .equal || operation == .lessOrEqual || operation == .greaterOrEqual }
        return operation.accepts(order: order)
    }

    private func standsAsText(
        _ operation: ComparisonOperator, to other: QueryValue, _ folding: TextFolding?
    ) -> Bool {
        if isNull, other.isNull { return operation == .equal }
        let answer = withText { mine in
            other.withText { theirs in
                TextTest(
                    operation: operation, folding: folding, foldedPattern: folding?.fold(theirs) ?? Array(theirs)
                ).matches(mine)
            }
        }
        return (answer ?? nil) ?? (operation == .notEqual)
    }
}
