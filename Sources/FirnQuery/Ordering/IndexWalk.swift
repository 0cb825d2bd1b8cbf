import FirnStore

/// A way along an index, which has the order that is asked for.
struct IndexWalk {
    let index: StoredIndex
    /// The index's columns.
    private let columns: [StoredColumn]
    let isAscending: Bool
    /// How many of the columns the order is about, those of which all objects have one value included: objects that have the same
    /// in these are alike.
    private let orderedColumnCount: Int
    /// In how many of the first columns all objects on the way have one value.
    private(set) var constantCount = 0
    var range = IndexRange.all
    /// What the range stands for; nothing where it is the whole index.
    var rangeConditions: [QueryExpression] = []
    /// What is asked of each object on the way.
    private(set) var tests: [RecordTest] = []
    /// The query that asks it.
    private var query: PlannedQuery?
    /// What objects that are alike are sorted by.
    private(set) var rest = ObjectOrder()

    /// A way along the index of one column; nil where it has none.
    init?(_ table: StoredTable, along column: StoredColumn, isAscending: Bool, rest: ObjectOrder = ObjectOrder()) {
        guard let index = column.index else { return nil }
        self.index = index
        columns = [column]
        orderedColumnCount = 1
        self.isAscending = isAscending
        self.rest = rest
    }

    /// A way along an index over several columns: behind those in which a predicate asks for one value each, the next ones are what
    /// is sorted by, all in one direction. Nil where the first value to sort by is not there.
    init?(_ table: StoredTable, along index: StoredIndex, for order: ObjectOrder, where planner: QueryPlanner?) {
        let stretch = planner?.stretch(of: index)
        let columns = table.columns(of: index)
        let constants = columns.prefix(stretch?.constantCount ?? 0).map(\.id)
        var count = constants.count
        var direction: Bool?
        var rest: [ObjectOrder.Term] = []
        for term in order.terms {
            let id = term.path.isDirect ? term.path.column.id : nil
            if let id, constants.contains(id) { continue }
            if rest.isEmpty, count < columns.count, columns[count].id == id,
                direction ?? term.isAscending == term.isAscending
            {
                direction = term.isAscending
                count += 1
            } else {
                rest.append(term)
            }
        }
        guard let direction else { return nil }
        self.index = index
        self.columns = columns
        isAscending = direction
        orderedColumnCount = count
        constantCount = constants.count
        self.rest = ObjectOrder(rest)
        if let stretch {
            range = stretch.range
            rangeConditions = stretch.conditions
            test(as: stretch.rest)
        }
    }

    /// Asks what a query asks.
    mutating func test(as query: PlannedQuery) {
        self.query = query
        tests = query.tests
    }

    /// The same way from its other end, without sorting.
    var reversed: IndexWalk {
        var walk = self
        walk.isReversed.toggle()
        walk.rest = ObjectOrder()
        return walk
    }

    private var isReversed = false

    /// Whether the index is walked from its end.
    var isBackwards: Bool { isAscending == isReversed }

    /// Whether objects that are alike must be gathered before they can be put in order.
    var isGrouped: Bool { !rest.isEmpty || orderedColumnCount < columns.count }

    /// The way in words, for plans.
    var explanation: String {
        var text = "walk index \(columns.map(\.name).joined(separator: ", "))"
        if !isAscending { text += " backwards" }
        if !rangeConditions.isEmpty {
            text += ": \(rangeConditions.map { $0.text(.short) }.joined(separator: " AND "))"
        }
        if let testTexts = query?.testTexts, !testTexts.isEmpty {
            text += ", test \(testTexts.joined(separator: ", "))"
        }
        if !rest.isEmpty { text += ", \(rest.explanation) within each" }
        return text
    }

    /// Whether a way leads to just the entries that are walked.
    func isAlong(_ access: QueryAccess) -> Bool {
        guard !rangeConditions.isEmpty, case .index(let way) = access, way.index.id == index.id else { return false }
        return columns.count == 1 || way.ranges == [range]
    }

    /// Whether of two ways this one is the likelier to lead to few objects, or else needs less sorting.
    func isBetter(than other: IndexWalk) -> Bool {
        func rank(_ walk: IndexWalk) -> (Int, Int, Int, Int) {
            (walk.constantCount, walk.rangeConditions.isEmpty ? 0 : 1, -walk.rest.terms.count, -walk.columns.count)
        }
        return rank(self) > rank(other)
    }

    // MARK: Values

    /// Fewer bytes than which values have that stand whole in the index. Where they are cut, others may sort before them that come
    /// behind.
    var byteLimit: Int { IndexRange.byteLimit(of: index) }

    /// Those of an entry's values that objects must share to be alike; nil where the entry has them not.
    func group(of values: UnsafeRawBufferPointer) -> UnsafeRawBufferPointer? {
        if orderedColumnCount == columns.count { return values }
        var reader = OrderedReader(values)
        for column in columns.prefix(orderedColumnCount) {
            guard let form = OrderedValue.Form(rawValue: column.type.rawValue), (try? reader.next(as: form)) != nil
            else { return nil }
        }
        return UnsafeRawBufferPointer(rebasing: values[..<reader.offset])
    }
}
