import FirnStore
import Foundation

/// Checks constants against the type of what they are compared with, and makes tests of them.
struct ValueBinder {
    let catalog: QueryCatalog
    /// What the value is called in messages: `Dog.age`.
    let name: PathName
    let type: ColumnType
    let isOptional: Bool
    /// The table of the objects that the value links to.
    let target: TableID?
    /// The column that has the values, where an index has it.
    let indexed: StoredColumn?
    let operation: ComparisonOperator
    let options: ComparisonOptions
    /// The position of the comparison, for errors.
    let position: Int?

    /// A comparison that was found good.
    struct Bound {
        let test: ValueTest
        /// The constant as a value of the column's type, where there is one.
        var value: StoredValue?
        /// Where in an index the values stand that pass the test; nil where that is not known, or everywhere.
        var ranges: [IndexRange]?
    }

    /// The test for a value that stands to one constant as the operator says, which compares two values.
    func bind(_ constant: Constant) throws(QueryError) -> Bound {
        try checkKind(constant)
        var bound = constant == .null ? Bound(test: try bindNull(), value: .null) : try bindValue(constant)
        bound.ranges = ranges(bound.value)
        return bound
    }

    /// The test for a value that is one of several.
    func bindMembers(_ constants: [Constant]) throws(QueryError) -> Bound {
        let equality = with(.equal)
        var tests: [ValueTest] = []
        var ranges: Set<IndexRange> = []
        var isInRanges = true
        for constant in constants {
            let bound = try equality.bind(constant)
            tests.append(bound.test)
            if let found = bound.ranges { ranges.formUnion(found) } else { isInRanges = false }
        }
        return Bound(test: MemberTest.joining(tests), ranges: isInRanges ? Array(ranges) : nil)
    }

    /// The test for a value between two, with both of them.
    func bindRange(_ constants: [Constant]) throws(QueryError) -> Bound {
        guard constants.count == 2 else {
            throw invalid("BETWEEN takes a list of two values, and this one has \(constants.count)")
        }
        guard type != .string, type != .data else { throw invalid("BETWEEN is not for \(type.name)") }
        let lower = try with(.greaterOrEqual).bind(constants[0])
        let upper = try with(.lessOrEqual).bind(constants[1])
        var ranges: [IndexRange]?
        if let from = lower.ranges?.first, let to = upper.ranges?.first { ranges = [from.intersection(to)] }
        return Bound(test: .all([lower.test, upper.test]), ranges: ranges)
    }

    private func with(_ operation: ComparisonOperator) -> ValueBinder {
        ValueBinder(
            catalog: catalog, name: name, type: type, isOptional: isOptional, target: target, indexed: indexed,
            operation: operation,
            options: options, position: position)
    }

    /// Where in the index the values stand that stand to one as the operator says.
    private func ranges(_ value: StoredValue?) -> [IndexRange]? {
        guard let indexed, let value, options.isEmpty else { return nil }
        if value.isNull {
            return operation.acceptsEqual ? [IndexRange(indexed, equal: .null)] : nil
        }
        switch operation {
        case .equal: return [IndexRange(indexed, equal: value)]
        case .less: return [IndexRange(indexed, from: .open, to: .excluding(value))]
        case .lessOrEqual: return [IndexRange(indexed, from: .open, to: .including(value))]
        case .greater: return [IndexRange(indexed, from: .excluding(value), to: .open)]
        case .greaterOrEqual: return [IndexRange(indexed, from: .including(value), to: .open)]
        case .beginsWith: return prefixRange(value).map { [$0] }
        default: return nil
        }
    }

    private func prefixRange(_ value: StoredValue) -> IndexRange? {
        guard let indexed, type != .any else { return nil }
        switch value {
        case .string(var text): return text.withUTF8 { IndexRange(indexed, prefix: UnsafeRawBufferPointer($0)) }
        case .data(let data): return data.withUnsafeBytes { IndexRange(indexed, prefix: $0) }
        default: return nil
        }
    }

    // MARK: What fits

    private func checkKind(_ constant: Constant) throws(QueryError) {
        if type == .coded, operation != .equal, operation != .notEqual {
            throw invalid(
                "\(name) is a Codable value, which is compared with == and != only; ask for its @case besides")
        }
        if operation.isForText, type != .string, type != .data, type != .any {
            throw invalid("\(operation.symbol) is for strings and data, and \(described)")
        }
        guard !options.isEmpty else { return }
        guard type == .string || type == .data || type == .any else {
            throw invalid("\(options.symbol) is for strings, and \(described)")
        }
        if operation.isForOrder {
            throw invalid("\(operation.symbol) compares strings byte by byte and takes no \(options.symbol)")
        }
    }

    /// nil equals nil and is neither less nor greater than anything; nothing begins with it.
    private func bindNull() throws(QueryError) -> ValueTest {
        guard !operation.isForText else { return .always(false) }
        guard isOptional || type == .link || type == .any || type == .coded else {
            throw invalid("\(name) is never nil: it is not optional")
        }
        if type == .link { try checkHasOrder() }
        switch operation {
        case .equal, .lessOrEqual, .greaterOrEqual: return .absence(AbsenceTest(matchesAbsent: true))
        case .notEqual: return .absence(AbsenceTest(matchesAbsent: false))
        default: return .always(false)
        }
    }

    private func bindValue(_ constant: Constant) throws(QueryError) -> Bound {
        switch type {
        case .bool:
            let value = try bool(constant)
            try checkHasOrder()
            return Bound(test: .bool(boolTest(value)), value: .bool(value))
        case .int:
            let value = try integer(constant)
            let range = ValueRange(operation, value)
            let absent = answer { range.contains(0) }
            return Bound(
                test: test(.integer(IntegerTest(range: range, matchesAbsent: absent)), range.isEmpty, absent),
                value: .int(value))
        case .float, .double:
            let (range, value) = try floatingPointRange(constant)
            let absent = answer { range.contains(0) }
            let test = test(
                .floatingPoint(FloatingPointTest(range: range, matchesAbsent: absent)), range.isEmpty, absent)
            return Bound(test: test, value: value)
        case .decimal:
            let (test, value) = try decimalTest(constant)
            return Bound(test: .decimal(test), value: value)
        case .date, .objectID, .uuid:
            let (number, zero, value) = try wide(constant)
            let range = ValueRange(operation, number)
            let absent = answer { range.contains(zero) }
            return Bound(
                test: test(.wide(WideTest(range: range, matchesAbsent: absent)), range.isEmpty, absent),
                value: value)
        case .string, .data:
            let (bytes, value) = try bytes(constant)
            if operation.isForText, bytes.isEmpty { return Bound(test: .always(false)) }
            return Bound(test: .text(textTest(bytes)), value: value)
        case .link:
            if case .link(let table, _) = constant, catalog.schema[TableID(rawValue: table)] == nil {
                // An object of a class that is gone with all its objects.
                try checkHasOrder()
                return Bound(
                    test: .link(LinkTest(targets: ObjectTest(keys: [], isInverted: operation == .notEqual))))
            }
            guard case .link(let table, let key) = constant, table == target?.rawValue else {
                throw mismatch(constant, target.map { "an object\(classText($0))" } ?? "an object of its class")
            }
            try checkHasOrder()
            let test = LinkTest(targets: ObjectTest(keys: [key], isInverted: operation == .notEqual))
            return Bound(test: .link(test), value: .link(key))
        case .any: return try bindAny(constant)
        case .coded:
            guard case .coded(let data) = constant else { throw mismatch(constant, "a value of its type") }
            return Bound(test: .text(textTest(Array(data))))
        }
    }

    private func test(_ test: ValueTest, _ isEmpty: Bool, _ matchesAbsent: Bool) -> ValueTest {
        isEmpty && !matchesAbsent ? .always(false) : test
    }

    /// The answer for a record without a value: nil differs from every constant; a required property reads as zero.
    private func answer(zero: () -> Bool) -> Bool {
        isOptional ? operation == .notEqual : zero()
    }

    // MARK: Constants

    private func bindAny(_ constant: Constant) throws(QueryError) -> Bound {
        guard let value = constant.storedValue else { throw mismatch(constant, "a value") }
        var text: TextTest?
        if operation.isForText || !options.isEmpty {
            switch constant {
            case .string(let string): text = textTest(Array(string.utf8))
            case .data(let data): text = textTest(Array(data))
            default: throw mismatch(constant, "a string or data")
            }
            if operation.isForText, text?.pattern.isEmpty == true { return Bound(test: .always(false)) }
        }
        var buffer = KeyBuffer(limit: .max)
        OrderedValue.appendAny(value, to: &buffer)
        let test = AnyValueTest(
            operation: operation, constant: buffer.withBytes { Array($0) }, isNaN: value.isNaN, text: text)
        return Bound(test: .any(test), value: text != nil || value.isNaN ? nil : value)
    }

    private func textTest(_ bytes: [UInt8]) -> TextTest {
        TextTest(operation: operation, options: options, pattern: bytes) { test in
            answer { test.matches(UnsafeRawBufferPointer(start: nil, count: 0)) }
        }
    }

    private func bool(_ constant: Constant) throws(QueryError) -> Bool {
        switch constant {
        case .bool(let value): return value
        case .int(0): return false
        case .int(1): return true
        default: throw mismatch(constant, "true, false, 0 or 1")
        }
    }

    private func boolTest(_ value: Bool) -> BoolTest {
        let matchesTrue = value == (operation == .equal)
        return BoolTest(
            matchesTrue: matchesTrue, matchesFalse: !matchesTrue, matchesAbsent: answer { !matchesTrue })
    }

    private func integer(_ constant: Constant) throws(QueryError) -> Int64 {
        switch constant {
        case .int(let value): return value
        case .bool(let value): return value ? 1 : 0
        case .double(let value):
            if let integer = Int64(exactly: value) { return integer }
            throw mismatch(constant, "a whole number of 64 bits, which \(value) is not")
        default: throw mismatch(constant, "an integer")
        }
    }

    /// Constants become values of the column's type first, so that 0.1 equals a `Float` of 0.1.
    private func floatingPointRange(
        _ constant: Constant
    ) throws(QueryError) -> (range: ValueRange<Double>, value: StoredValue?) {
        let value: Double
        switch constant {
        case .int(let integer): value = Double(integer)
        case .double(let double): value = double
        default: throw mismatch(constant, "a number")
        }
        guard type == .float else {
            return (ValueRange(operation, value), value.isNaN ? nil : .double(value))
        }
        let float = Float(value)
        guard float.isFinite || !value.isFinite else {
            throw mismatch(constant, "a number within the range of Float, which \(value) is not")
        }
        return (ValueRange(operation, Double(float)), float.isNaN ? nil : .float(float))
    }

    private func decimalTest(_ constant: Constant) throws(QueryError) -> (test: DecimalTest, value: StoredValue?) {
        var buffer = KeyBuffer()
        var isNaN = false
        var value: StoredValue?
        switch constant {
        case .int(let integer):
            OrderedNumber.append(integer: integer, to: &buffer)
            value = .decimal(
                DecimalParts(isNegative: integer < 0, coefficient: UInt128(integer.magnitude), exponent: 0).bits)
        case .double(let double):
            OrderedNumber.append(double: double, to: &buffer)
            isNaN = double.isNaN
            value = decimal(buffer)
        case .decimal(let bits):
            OrderedNumber.append(decimal: bits, to: &buffer)
            value = .decimal(bits)
            isNaN = StoredValue.decimal(bits).isNaN
        default: throw mismatch(constant, "a number")
        }
        let bytes = buffer.withBytes { Array($0) }
        let test = DecimalTest(
            operation: operation, constant: bytes, isNaN: isNaN,
            matchesAbsent: answer {
                DecimalTest.compare(DecimalParts.zeroBits, operation, bytes, isNaN: isNaN)
            })
        return (test, isNaN ? nil : value)
    }

    /// The decimal with the bytes of an ordered number.
    private func decimal(_ number: borrowing KeyBuffer) -> StoredValue? {
        var bytes = [OrderedValue.presentMarker]
        number.withBytes { bytes += $0 }
        return bytes.withUnsafeBytes { bytes in
            var reader = OrderedReader(bytes)
            return try? reader.next(as: .decimal)
        }
    }

    /// A date, ObjectId or UUID as the number it is compared by, the number of the type's zero, and the value.
    private func wide(
        _ constant: Constant
    ) throws(QueryError) -> (number: Int128, zero: Int128, value: StoredValue) {
        switch (type, constant) {
        case (.date, .date(let seconds, let nanoseconds)):
            return (WideTest.number((seconds, nanoseconds)), 0, .date(seconds: seconds, nanoseconds: nanoseconds))
        case (.objectID, .objectID(let high, let low)):
            let id = ObjectIDBytes(high: high, low: low)
            return (WideTest.number(id), 0, .objectID(id))
        case (.uuid, .uuid(let id)):
            let number = withUnsafeBytes(of: id.uuid) { WideTest.number(bigEndian: $0) }
            return (number, .min, .uuid(id))
        case (.date, _): throw mismatch(constant, "a date, in text date('…')")
        case (.objectID, _): throw mismatch(constant, "an ObjectId, in text oid('…')")
        default: throw mismatch(constant, "a UUID, in text uuid('…')")
        }
    }

    private func bytes(_ constant: Constant) throws(QueryError) -> (bytes: [UInt8], value: StoredValue) {
        switch (type, constant) {
        case (.string, .string(let text)): return (Array(text.utf8), .string(text))
        case (.data, .data(let data)): return (Array(data), .data(data))
        default: throw mismatch(constant, type == .string ? "a string" : "data")
        }
    }

    // MARK: Errors

    private func checkHasOrder() throws(QueryError) {
        guard operation != .equal, operation != .notEqual else { return }
        throw invalid("\(described), which is compared with == and != only")
    }

    private var described: String { "\(name) is of type \(type.name)" }

    private func mismatch(_ constant: Constant, _ wanted: String) -> QueryError {
        var other = constant.kind
        if case .link(let table, _) = constant { other += classText(TableID(rawValue: table)) }
        return invalid("\(described): it is compared with \(wanted), and not with \(other)")
    }

    private func classText(_ table: TableID) -> String {
        catalog.schema[table].map { " of class '\($0.name)'" } ?? ""
    }

    private func invalid(_ message: String) -> QueryError {
        QueryError(.invalidComparison, message, position: position)
    }
}

extension Constant {
    /// What an `any` holds for the constant; nil for what none does.
    var storedValue: StoredValue? {
        switch self {
        case .null: .null
        case .bool(let value): .bool(value)
        case .int(let value): .int(value)
        case .double(let value): .double(value)
        case .decimal(let bits): .decimal(bits)
        case .string(let value): .string(value)
        case .data(let value): .data(value)
        case .date(let seconds, let nanoseconds): .date(seconds: seconds, nanoseconds: nanoseconds)
        case .objectID(let high, let low): .objectID(ObjectIDBytes(high: high, low: low))
        case .uuid(let value): .uuid(value)
        case .link(let table, let key): .typedLink(table: table, key: key)
        case .coded, .area: nil
        }
    }
}
