import FirnStore

/// One comparison, ready to be made on the bytes of records.
///
/// All of them answer for a record that has no value, or nil, with an answer found in advance: what a nil gives, or for a
/// required property what the zero of its type does.
enum RecordTest: RecordMatcher {
    case absence(AbsenceTest)
    case bool(BoolTest)
    case integer(IntegerTest)
    case link(LinkTest)
    case floatingPoint(FloatingPointTest)
    case wide(WideTest)
    case text(TextTest)
    case decimal(DecimalTest)

    func matches(_ record: RecordView, _ connection: Connection) -> Bool {
        switch self {
        case .absence(let test): test.matches(record, connection)
        case .bool(let test): test.matches(record, connection)
        case .integer(let test): test.matches(record, connection)
        case .link(let test): test.matches(record, connection)
        case .floatingPoint(let test): test.matches(record, connection)
        case .wide(let test): test.matches(record, connection)
        case .text(let test): test.matches(record, connection)
        case .decimal(let test): test.matches(record, connection)
        }
    }

    /// What a test costs beside the others; a conjunction asks the cheap ones first.
    var cost: Int {
        switch self {
        case .absence, .bool, .integer, .link, .floatingPoint: 1
        case .wide: 2
        case .text(let test): test.cost
        case .decimal: 20
        }
    }
}
