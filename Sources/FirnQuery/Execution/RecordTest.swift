import FirnStore

/// A question about one object, ready to be asked of records' bytes.
indirect enum RecordTest: Sendable {
    /// One about a value of its own.
    case value(slot: Int, ValueTest)
    /// One about values that a path leads to.
    case path(PathTest)
    /// Two operands compared that must be found first.
    case operands(OperandTest)
    /// Whether some element of a collection passes a test.
    case exists(ElementTest)
    /// Whether a place lies within an area.
    case place(PlaceTest)
    /// All of several, the cheapest first.
    case all([RecordTest])
    /// Any of several, the cheapest first.
    case any([RecordTest])
    case not(RecordTest)
    case always(Bool)

    func matches(_ scope: Scope, _ connection: Connection) -> Bool {
        switch self {
        case .value(let slot, let test): test.matches(scope.record, slot, connection)
        case .path(let test): test.matches(scope, connection)
        case .operands(let test): test.matches(scope, connection)
        case .exists(let test): test.matches(scope, connection)
        case .place(let test): test.matches(scope, connection)
        case .all(let tests): tests.allSatisfy { $0.matches(scope, connection) }
        case .any(let tests): tests.contains { $0.matches(scope, connection) }
        case .not(let test): !test.matches(scope, connection)
        case .always(let answer): answer
        }
    }

    /// What a test costs beside the others.
    var cost: Int {
        switch self {
        case .always: 0
        case .value(_, let test): test.cost
        case .path(let test): test.cost
        case .operands: 40
        case .place: 80
        case .exists(let test): 40 + test.test.cost
        case .all(let tests), .any(let tests): tests.reduce(1) { $0 + $1.cost }
        case .not(let test): test.cost
        }
    }

    /// Whether the test needs nothing but the record, so that any thread may make it.
    var readsRecordOnly: Bool {
        switch self {
        case .always: true
        case .value(_, let test): test.readsRecordOnly
        case .path, .operands, .exists, .place: false
        case .all(let tests), .any(let tests): tests.allSatisfy(\.readsRecordOnly)
        case .not(let test): test.readsRecordOnly
        }
    }

    /// Whether the test reads nothing but the record and its blobs.
    var staysInTable: Bool {
        switch self {
        case .always, .value: true
        case .path, .operands, .exists, .place: false
        case .all(let tests), .any(let tests): tests.allSatisfy(\.staysInTable)
        case .not(let test): test.staysInTable
        }
    }

    /// Keeps the selected records of which the test holds; one of a value in a loop compiled for its kind.
    func narrow(_ selection: inout LeafSelection, _ connection: Connection) {
        switch self {
        case .value(let slot, let test): test.narrow(&selection, slot, connection)
        case .all(let tests): for test in tests { test.narrow(&selection, connection) }
        case .always(true): return
        default: selection.narrow { matches(Scope($0, $1), connection) }
        }
    }
}

/// Whether some object at the end of a path passes a test.
struct ElementTest: Sendable {
    let path: BoundPath
    let test: RecordTest

    func matches(_ scope: Scope, _ connection: Connection) -> Bool {
        BoundOperand.count(path, test, scope, connection, atMost: 1) == 1
    }
}

extension [RecordTest] {
    /// The tests with the cheapest first.
    var cheapestFirst: [RecordTest] { cheapestFirst(\.cost) }
}

extension Array {
    /// The elements with the cheapest first; those that cost the same keep their order. Each is asked once for its cost, which may
    /// be that of many tests in it.
    func cheapestFirst(_ cost: (Element) -> Int) -> [Element] {
        if count < 2 { return self }
        let costs = map(cost)
        return indices.sorted { (costs[$0], $0) < (costs[$1], $1) }.map { self[$0] }
    }
}
