import FirnStore
import Foundation

/// Checks comparisons against the columns of a table and makes tests of them.
struct ComparisonBinder {
    let table: StoredTable

    /// A comparison that was found good.
    struct Bound {
        let column: StoredColumn
        let outcome: Outcome
        /// The value that the comparison asks for, where it asks for one exactly.
        var sought: StoredValue?
        /// The comparison in words, for plans.
        let text: String
    }

    enum Outcome {
        case always(Bool)
        case test(RecordTest)
    }

    /// Throws `.unknownProperty`, `.invalidComparison` or `.notSupported`.
    func bind(_ comparison: Comparison) throws(QueryError) -> Bound {
        guard let column = table[comparison.property] else { throw unknownProperty(comparison) }
        try checkKind(of: column, comparison)
        let outcome: Outcome
        var sought: StoredValue?
        if comparison.constant == .null {
            outcome = try bindNull(comparison, column)
            if comparison.operation == .equal { sought = .null }
        } else {
            (outcome, sought) = try bindValue(comparison, column)
        }
        return Bound(column: column, outcome: outcome, sought: sought, text: comparison.text)
    }

    // MARK: What fits

    private func checkKind(of column: StoredColumn, _ comparison: Comparison) throws(QueryError) {
        guard column.collection == nil else {
            throw notSupported(comparison, "Comparing the collection \(name(column)) is")
        }
        guard column.type != .any, column.type != .coded else {
            throw notSupported(comparison, "Comparing \(name(column)), which is of type \(column.type.name), is")
        }
        if comparison.operation.isForText, column.type != .string, column.type != .data {
            throw invalid(comparison, "\(comparison.operation.symbol) is for strings and data, and \(describe(column))")
        }
        guard !comparison.options.isEmpty else { return }
        guard column.type != .data else {
            throw notSupported(comparison, "\(comparison.options.symbol) on data is")
        }
        switch comparison.operation {
        case _ where column.type != .string:
            throw invalid(comparison, "\(comparison.options.symbol) is for strings, and \(describe(column))")
        case .less, .lessOrEqual, .greater, .greaterOrEqual:
            throw invalid(
                comparison,
                "\(comparison.operation.symbol) compares strings byte by byte and takes no \(comparison.options.symbol)"
            )
        default: break
        }
    }

    /// nil equals nil and is neither less nor greater than anything; nothing begins with it.
    private func bindNull(_ comparison: Comparison, _ column: StoredColumn) throws(QueryError) -> Outcome {
        guard !comparison.operation.isForText else { return .always(false) }
        guard column.isOptional || column.type == .link else {
            throw invalid(comparison, "\(name(column)) is never nil: it is not optional")
        }
        switch comparison.operation {
        case .equal, .lessOrEqual, .greaterOrEqual:
            return .test(.absence(AbsenceTest(slot: column.slot, matchesAbsent: true)))
        case .notEqual: return .test(.absence(AbsenceTest(slot: column.slot, matchesAbsent: false)))
        case .less, .greater, .beginsWith, .contains, .endsWith: return .always(false)
        }
    }

    private func bindValue(
        _ comparison: Comparison, _ column: StoredColumn
    ) throws(QueryError) -> (Outcome, StoredValue?) {
        let operation = comparison.operation
        let isEqual = operation == .equal
        switch column.type {
        case .bool:
            let value = try bool(comparison, column)
            try checkHasOrder(comparison, column)
            return (.test(.bool(boolTest(column, operation, value))), nil)
        case .int:
            let value = try integer(comparison, column)
            let range = ValueRange(operation, value)
            let absent = answer(column, operation) { range.contains(0) }
            return (
                outcome(
                    .integer(IntegerTest(slot: column.slot, range: range, matchesAbsent: absent)), range.isEmpty, absent
                ),
                isEqual ? .int(value) : nil
            )
        case .float, .double:
            let range = try floatingPointRange(comparison, column)
            let absent = answer(column, operation) { range.contains(0) }
            let test = FloatingPointTest(slot: column.slot, range: range, matchesAbsent: absent)
            return (outcome(.floatingPoint(test), range.isEmpty, absent), nil)
        case .decimal: return (.test(.decimal(try decimalTest(comparison, column))), nil)
        case .date, .objectID, .uuid:
            let (number, zero, value) = try wide(comparison, column)
            let range = ValueRange(operation, number)
            let absent = answer(column, operation) { range.contains(zero) }
            return (
                outcome(.wide(WideTest(slot: column.slot, range: range, matchesAbsent: absent)), range.isEmpty, absent),
                isEqual ? value : nil
            )
        case .string, .data:
            let (bytes, value) = try bytes(comparison, column)
            if operation.isForText, bytes.isEmpty { return (.always(false), nil) }
            let test = TextTest(slot: column.slot, operation: operation, options: comparison.options, pattern: bytes) {
                test in
                answer(column, operation) { test.matches(UnsafeRawBufferPointer(start: nil, count: 0)) }
            }
            return (.test(.text(test)), isEqual && comparison.options.isEmpty ? value : nil)
        case .link:
            guard case .link(let target, let key) = comparison.constant, target == column.target?.rawValue else {
                throw mismatch(comparison, column, "an object of its class")
            }
            try checkHasOrder(comparison, column)
            return (.test(.link(LinkTest(slot: column.slot, key: key, isInverted: !isEqual))), nil)
        case .any, .coded: throw notSupported(comparison, "Comparing \(name(column)) is")
        }
    }

    private func outcome(_ test: RecordTest, _ isEmpty: Bool, _ matchesAbsent: Bool) -> Outcome {
        isEmpty && !matchesAbsent ? .always(false) : .test(test)
    }

    /// The answer for a record without a value: nil differs from every constant; a required property reads as zero.
    private func answer(_ column: StoredColumn, _ operation: ComparisonOperator, zero: () -> Bool) -> Bool {
        column.isOptional ? operation == .notEqual : zero()
    }

    // MARK: Constants

    private func bool(_ comparison: Comparison, _ column: StoredColumn) throws(QueryError) -> Bool {
        switch comparison.constant {
        case .bool(let value): return value
        case .int(0): return false
        case .int(1): return true
        default: throw mismatch(comparison, column, "true, false, 0 or 1")
        }
    }

    private func boolTest(_ column: StoredColumn, _ operation: ComparisonOperator, _ value: Bool) -> BoolTest {
        let matchesTrue = value == (operation == .equal)
        return BoolTest(
            slot: column.slot, matchesTrue: matchesTrue, matchesFalse: !matchesTrue,
            matchesAbsent: answer(column, operation) { !matchesTrue })
    }

    private func integer(_ comparison: Comparison, _ column: StoredColumn) throws(QueryError) -> Int64 {
        switch comparison.constant {
        case .int(let value): return value
        case .bool(let value): return value ? 1 : 0
        case .double(let value):
            if let integer = Int64(exactly: value) { return integer }
            throw mismatch(comparison, column, "a whole number of 64 bits, which \(value) is not")
        default: throw mismatch(comparison, column, "an integer")
        }
    }

    /// Constants become values of the column's type first, so that 0.1 equals a `Float` of 0.1.
    private func floatingPointRange(
        _ comparison: Comparison, _ column: StoredColumn
    ) throws(QueryError) -> ValueRange<Double> {
        let value: Double
        switch comparison.constant {
        case .int(let integer): value = Double(integer)
        case .double(let double): value = double
        default: throw mismatch(comparison, column, "a number")
        }
        guard column.type == .float else { return ValueRange(comparison.operation, value) }
        let float = Float(value)
        guard float.isFinite || !value.isFinite else {
            throw mismatch(comparison, column, "a number within the range of Float, which \(value) is not")
        }
        return ValueRange(comparison.operation, Double(float))
    }

    private func decimalTest(_ comparison: Comparison, _ column: StoredColumn) throws(QueryError) -> DecimalTest {
        var buffer = KeyBuffer()
        let isNaN: Bool
        switch comparison.constant {
        case .int(let value):
            OrderedNumber.append(integer: value, to: &buffer)
            isNaN = false
        case .double(let value):
            OrderedNumber.append(double: value, to: &buffer)
            isNaN = value.isNaN
        case .decimal(let bits):
            OrderedNumber.append(decimal: bits, to: &buffer)
            let kind = DecimalParts(bits: bits).kind
            isNaN = kind == .quietNaN || kind == .signalingNaN
        default: throw mismatch(comparison, column, "a number")
        }
        let constant = buffer.withBytes { Array($0) }
        return DecimalTest(
            slot: column.slot, operation: comparison.operation, constant: constant, isNaN: isNaN,
            matchesAbsent: answer(column, comparison.operation) {
                DecimalTest.compare(DecimalParts.zeroBits, comparison.operation, constant, isNaN: isNaN)
            })
    }

    /// A date, ObjectId or UUID as the number it is compared by, the number of the type's zero, and the value.
    private func wide(
        _ comparison: Comparison, _ column: StoredColumn
    ) throws(QueryError) -> (number: Int128, zero: Int128, value: StoredValue) {
        switch (column.type, comparison.constant) {
        case (.date, .date(let seconds, let nanoseconds)):
            return (
                WideTest.number((seconds, nanoseconds)), 0, .date(seconds: seconds, nanoseconds: nanoseconds)
            )
        case (.objectID, .objectID(let high, let low)):
            let id = ObjectIDBytes(high: high, low: low)
            return (WideTest.number(id), 0, .objectID(id))
        case (.uuid, .uuid(let id)):
            let number = withUnsafeBytes(of: id.uuid) { WideTest.number(bigEndian: $0) }
            return (number, .min, .uuid(id))
        case (.date, _): throw mismatch(comparison, column, "a date")
        case (.objectID, _): throw mismatch(comparison, column, "an ObjectId")
        default: throw mismatch(comparison, column, "a UUID")
        }
    }

    private func bytes(
        _ comparison: Comparison, _ column: StoredColumn
    ) throws(QueryError) -> (bytes: [UInt8], value: StoredValue) {
        switch (column.type, comparison.constant) {
        case (.string, .string(let text)): return (Array(text.utf8), .string(text))
        case (.data, .data(let data)): return (Array(data), .data(data))
        default: throw mismatch(comparison, column, column.type == .string ? "a string" : "data")
        }
    }

    // MARK: Errors

    private func checkHasOrder(_ comparison: Comparison, _ column: StoredColumn) throws(QueryError) {
        guard comparison.operation != .equal, comparison.operation != .notEqual else { return }
        throw invalid(comparison, "\(describe(column)), which is compared with == and != only")
    }

    private func name(_ column: StoredColumn) -> String { "\(table.name).\(column.name)" }

    private func describe(_ column: StoredColumn) -> String { "\(name(column)) is of type \(column.type.name)" }

    private func mismatch(_ comparison: Comparison, _ column: StoredColumn, _ wanted: String) -> QueryError {
        invalid(
            comparison, "\(describe(column)): it is compared with \(wanted), and not with \(comparison.constant.kind)")
    }

    private func invalid(_ comparison: Comparison, _ message: String) -> QueryError {
        QueryError(.invalidComparison, message, position: comparison.position)
    }

    private func notSupported(_ comparison: Comparison, _ what: String) -> QueryError {
        QueryError(.notSupported, "\(what) not supported yet", position: comparison.position)
    }

    private func unknownProperty(_ comparison: Comparison) -> QueryError {
        let near = NearNames.of(comparison.property, among: table.columns.map(\.name))
        let hint = near.isEmpty ? "" : "; did you mean \(near.joined(separator: " or "))?"
        return QueryError(
            .unknownProperty, "\(table.name) has no property “\(comparison.property)”\(hint)",
            position: comparison.position)
    }
}
