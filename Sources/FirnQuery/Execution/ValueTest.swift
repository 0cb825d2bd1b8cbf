import FirnStore

/// One comparison of a value with constants, ready to be made on the bytes of records.
///
/// All of them answer for a record that has no value, or nil, with an answer found in advance: what a nil gives, or for a
/// required property what the zero of its type does.
indirect enum ValueTest: ValueMatcher {
    case absence(AbsenceTest)
    case bool(BoolTest)
    case integer(IntegerTest)
    case link(LinkTest)
    case floatingPoint(FloatingPointTest)
    case wide(WideTest)
    case text(TextTest)
    case decimal(DecimalTest)
    case member(MemberTest)
    case any(AnyValueTest)
    case anyType(AnyTypeTest)
    case caseName(CaseNameTest)
    /// All of several.
    case all([ValueTest])
    /// Any of several.
    case oneOf([ValueTest])
    case always(Bool)

    func matches(_ record: RecordView, _ slot: Int, _ connection: Connection) -> Bool {
        switch self {
        case .absence(let test): test.matches(record, slot, connection)
        case .bool(let test): test.matches(record, slot, connection)
        case .integer(let test): test.matches(record, slot, connection)
        case .link(let test): test.matches(record, slot, connection)
        case .floatingPoint(let test): test.matches(record, slot, connection)
        case .wide(let test): test.matches(record, slot, connection)
        case .text(let test): test.matches(record, slot, connection)
        case .decimal(let test): test.matches(record, slot, connection)
        case .member(let test): test.matches(record, slot, connection)
        case .any(let test): test.matches(record, slot, connection)
        case .anyType(let test): test.matches(record, slot, connection)
        case .caseName(let test): test.matches(record, slot, connection)
        case .all(let tests): tests.allSatisfy { $0.matches(record, slot, connection) }
        case .oneOf(let tests): tests.contains { $0.matches(record, slot, connection) }
        case .always(let answer): answer
        }
    }

    /// What a test costs beside the others; a conjunction asks the cheap ones first.
    var cost: Int {
        switch self {
        case .always: 0
        case .absence, .bool, .integer, .link, .floatingPoint: 1
        case .wide: 2
        case .member: 4
        case .text(let test): test.cost
        case .decimal, .any, .anyType, .caseName: 20
        case .all(let tests), .oneOf(let tests): tests.reduce(1) { $0 + $1.cost }
        }
    }

    /// Whether the test needs nothing but the record: a string or data may stand in a blob outside it.
    var readsRecordOnly: Bool {
        switch self {
        case .absence, .bool, .integer, .link, .floatingPoint, .wide, .decimal, .anyType, .always: true
        case .member(let test): test.readsRecordOnly
        case .text, .any, .caseName: false
        case .all(let tests), .oneOf(let tests): tests.allSatisfy(\.readsRecordOnly)
        }
    }

    /// Keeps the selected records of which the test holds for a slot, in a loop compiled for its kind.
    func narrow(_ selection: inout LeafSelection, _ slot: Int, _ connection: Connection) {
        switch self {
        case .absence(let test): selection.narrow(by: test, slot, connection)
        case .bool(let test): selection.narrow(by: test, slot, connection)
        case .integer(let test): selection.narrow(by: test, slot, connection)
        case .link(let test): selection.narrow(by: test, slot, connection)
        case .floatingPoint(let test):
            selection.narrow(by: test, slot, tag: .double, connection) { test.matches(doubleAt: $0) }
        case .wide(let test): selection.narrow(by: test, slot, connection)
        case .text(let test): selection.narrow(by: test, slot, connection)
        case .decimal(let test): selection.narrow(by: test, slot, connection)
        case .member(let test): selection.narrow(by: test, slot, connection)
        case .any(let test): selection.narrow(by: test, slot, connection)
        case .anyType(let test): selection.narrow(by: test, slot, connection)
        case .caseName(let test): selection.narrow(by: test, slot, connection)
        case .all(let tests): for test in tests { test.narrow(&selection, slot, connection) }
        case .always(true): return
        case .oneOf, .always(false): selection.narrow(by: self, slot, connection)
        }
    }
}
