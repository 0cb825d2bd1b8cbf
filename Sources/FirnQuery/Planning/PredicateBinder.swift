import FirnStore

/// Checks an expression against a schema and makes tests of it.
struct PredicateBinder {
    /// What names of properties are names of.
    struct Variable {
        /// Nil for the object that the predicate is about.
        let name: String?
        let table: StoredTable
    }

    let catalog: QueryCatalog
    /// The innermost last.
    var scopes: [Variable]
    /// What the answer depends on, of all that was bound.
    let log = DependencyLog()

    init(_ catalog: QueryCatalog, table: StoredTable) {
        self.catalog = catalog
        scopes = [Variable(name: nil, table: table)]
    }

    /// The test for an expression.
    /// - Throws: `.unknownProperty`, `.invalidComparison`, `.invalidArgument` or `.notSupported`.
    func bind(_ expression: QueryExpression) throws(QueryError) -> RecordTest {
        switch expression {
        case .always(let answer): return .always(answer)
        case .comparison(let comparison): return try bind(comparison).test
        case .all(let parts): return .all(try bind(parts))
        case .any(let parts): return .any(try bind(parts))
        case .not(let part): return .not(try bind(part))
        }
    }

    private func bind(_ parts: [QueryExpression]) throws(QueryError) -> [RecordTest] {
        var tests: [RecordTest] = []
        for part in parts { tests.append(try bind(part)) }
        return tests.cheapestFirst
    }

    // MARK: Comparisons

    /// A comparison that was found good.
    struct Bound {
        let comparison: Comparison
        let test: RecordTest
        /// The column of the object itself that is compared with constants.
        var column: StoredColumn?
        /// What is asked of the column.
        var value: ValueBinder.Bound?
        /// A way to the objects that match, which needs no scan.
        var access: QueryAccess?
    }

    func bind(_ comparison: Comparison) throws(QueryError) -> Bound {
        let comparison = Self.normalised(comparison)
        if comparison.operation == .within { return Bound(comparison: comparison, test: try bindPlace(comparison)) }
        if case .path(let path) = comparison.left, let constants = comparison.right.constants {
            return try bind(path, comparison, constants)
        }
        return Bound(comparison: comparison, test: try bindOperands(comparison))
    }

    /// The comparison with a path on its left, where one side is one and the operator can be turned around.
    private static func normalised(_ comparison: Comparison) -> Comparison {
        var comparison = comparison
        if comparison.operation == .isIn, case .path = comparison.right {
            // A value in a collection is one that some element equals.
            swap(&comparison.left, &comparison.right)
            comparison.operation = .equal
            comparison.quantifier = comparison.quantifier ?? .any
        }
        guard case .path = comparison.right, comparison.left.constants != nil,
            let mirrored = comparison.operation.mirrored
        else { return comparison }
        swap(&comparison.left, &comparison.right)
        comparison.operation = mirrored
        return comparison
    }

    /// What a path leads to, compared with constants.
    private func bind(
        _ path: QueryPath, _ comparison: Comparison, _ constants: [Constant]
    ) throws(QueryError) -> Bound {
        let target = try target(path, comparison)
        let reach = try reach(of: target.isMany, target.name, comparison)
        let isNullMet = constants.contains(.null) && comparison.operation.acceptsEqual
        let matchesNothing = constants.contains(.null) ? isNullMet : comparison.operation == .notEqual

        func pathTest(_ test: ValueTest, objects: ObjectTest? = nil) -> RecordTest {
            .path(
                PathTest(path: target.path, reach: reach, test: test, matchesNothing: matchesNothing, objects: objects))
        }
        switch target.type {
        case .object(let table):
            let test = try objectTest(table, target.name, comparison, constants)
            return Bound(comparison: comparison, test: pathTest(.always(false), objects: test))
        case .typeName:
            return Bound(
                comparison: comparison, test: pathTest(.anyType(try typeTest(target.name, comparison, constants))))
        case .caseName:
            let names = try valueTest(target, .string, nil, comparison, constants)
            return Bound(comparison: comparison, test: pathTest(.caseName(CaseNameTest(names: names.test))))
        case .value(let type, _, let table):
            let bound = try valueTest(target, type, table, comparison, constants)
            let isMatchedByNothing = matchesNothing && target.mayBeNothing
            let access = isMatchedByNothing || reach == .all ? nil : access(target, bound, comparison)
            guard let column = target.ownColumn, column.collection == nil else {
                return Bound(comparison: comparison, test: pathTest(bound.test), access: access)
            }
            return Bound(
                comparison: comparison, test: .value(slot: column.slot, bound.test), column: column, value: bound,
                access: access)
        }
    }

    private func valueTest(
        _ target: PathTarget, _ type: ColumnType, _ table: TableID?, _ comparison: Comparison, _ constants: [Constant]
    ) throws(QueryError) -> ValueBinder.Bound {
        var isOptional = target.mayBeNothing
        if case .value(_, let isColumnOptional, _) = target.type { isOptional = isOptional || isColumnOptional }
        let binder = ValueBinder(
            catalog: catalog, name: target.name, type: type, isOptional: isOptional, target: table,
            indexed: target.indexed, operation: comparison.operation, options: comparison.options,
            position: comparison.position)
        if comparison.operation == .isIn || comparison.operation == .between, !comparison.right.isList {
            throw error(
                comparison, .invalidComparison,
                "\(comparison.operation.symbol) takes a list, such as {1, 2}, on its right")
        }
        switch comparison.operation {
        case .isIn: return try binder.bindMembers(constants)
        case .between: return try binder.bindRange(constants)
        default:
            guard constants.count == 1, !comparison.right.isList else {
                throw error(
                    comparison, .invalidComparison, "\(comparison.operation.symbol) takes one value, not a list")
            }
            return try binder.bind(constants[0])
        }
    }

    /// A way to the objects from whose path's end a comparison holds: through the end's index, its primary key or the links to
    /// an object, and back along the path by the links that lead there.
    private func access(
        _ target: PathTarget, _ bound: ValueBinder.Bound, _ comparison: Comparison
    ) -> QueryAccess? {
        guard target.path.depth == 0, scopes.count == 1, let table = target.table, let column = target.column else {
            return nil
        }
        var access: QueryAccess
        if let ranges = bound.ranges, let index = column.index {
            access = .index(IndexWay(table, index, ranges, for: [.comparison(comparison)]))
        } else if table.usesIntegerKey, column.id == table.primaryKeyID, let ranges = bound.test.integerRanges {
            access = .keys(KeyWay(table.id, column, ranges, for: .comparison(comparison)))
        } else if case .link(let key) = bound.value, comparison.operation == .equal, let target = column.target {
            access = .links(to: [RowID(table: target, key: key)], column, table)
        } else {
            return nil
        }
        for (step, origin) in zip(target.path.steps, target.tables).reversed() {
            guard let link = catalog.link(of: step, from: origin) else { return nil }
            access = .linking(to: access, link, origin)
        }
        return access
    }

    private func objectTest(
        _ table: TableID, _ name: PathName, _ comparison: Comparison, _ constants: [Constant]
    ) throws(QueryError) -> ObjectTest {
        guard [.equal, .notEqual, .isIn].contains(comparison.operation) else {
            throw error(comparison, .invalidComparison, "\(name) is an object, which is compared with == and != only")
        }
        var keys: [ObjectKey] = []
        for constant in constants {
            switch constant {
            case .link(table.rawValue, let key): keys.append(key)
            // An object of a class that is gone with all its objects equals nothing.
            case .link(let other, _) where catalog.schema[TableID(rawValue: other)] == nil: continue
            case .null: continue
            default:
                throw error(
                    comparison, .invalidComparison,
                    "\(name) is compared with an object of its class, and not with \(constant.kind)")
            }
        }
        return ObjectTest(keys: keys.sorted(), isInverted: comparison.operation == .notEqual)
    }

    private func typeTest(
        _ name: PathName, _ comparison: Comparison, _ constants: [Constant]
    ) throws(QueryError) -> AnyTypeTest {
        guard [.equal, .notEqual, .isIn].contains(comparison.operation) else {
            throw error(comparison, .invalidComparison, "\(name) is compared with == and != only")
        }
        var kinds: Set<AnyTypeTest.Kind> = []
        for constant in constants {
            guard case .string(let type) = constant, let found = AnyTypeTest.kinds(named: type) else {
                throw error(
                    comparison, .invalidComparison,
                    "\(name) is compared with the name of a type, such as 'string', 'int', 'numeric' or 'object'")
            }
            kinds.formUnion(found)
        }
        return AnyTypeTest(kinds: kinds, isInverted: comparison.operation == .notEqual)
    }

    /// Whether the object that a path leads to is a place within an area.
    private func bindPlace(_ comparison: Comparison) throws(QueryError) -> RecordTest {
        guard case .path(let path) = comparison.left, case .constant(.area(let area)) = comparison.right else {
            throw error(
                comparison, .invalidComparison,
                "geoWithin compares an object with an area: a GeoBox, GeoCircle or GeoPolygon")
        }
        let target = try target(path, comparison)
        let reach = try reach(of: target.isMany, target.name, comparison)
        guard let (objects, table) = objects(target), let type = table["type"], type.type == .string,
            type.collection == nil, let coordinates = table["coordinates"], coordinates.type == .double,
            coordinates.collection == .list
        else {
            throw error(
                comparison, .invalidComparison,
                "\(target.name) is no place: its class needs `type: String` and `coordinates: List<Double>`")
        }
        return .place(
            PlaceTest(
                path: objects, reach: reach, typeSlot: type.slot, coordinatesSlot: coordinates.slot,
                area: BoundArea(area)))
    }

    /// The path to the objects that a path's end holds, and their table; nil where it holds none of one class.
    func objects(_ target: PathTarget) -> (path: BoundPath, table: StoredTable)? {
        var path = target.path
        switch (target.type, path.end) {
        case (.object(let id), .object): return catalog.schema[id].map { (path, $0) }
        case (.value(.link, _, let id?), .slot(let slot, let within)) where within.isEmpty:
            path.steps.append(.link(slot: slot, table: id))
            path.end = .object
            return catalog.schema[id].map { (path, $0) }
        case (.value(.link, _, let id?), .elements(let slot, let within)) where within.isEmpty:
            path.steps.append(.elements(slot: slot, table: id))
            path.end = .object
            return catalog.schema[id].map { (path, $0) }
        default: return nil
        }
    }

    // MARK: What both kinds of comparisons need

    func target(_ path: QueryPath, _ comparison: Comparison) throws(QueryError) -> PathTarget {
        let target: PathTarget
        if scopes.count == 1 {
            target = try catalog.target(of: path, from: scopes[0].table.id) { () throws(QueryError) in
                try bind(path, comparison)
            }
        } else {
            target = try bind(path, comparison)
        }
        for dependency in target.dependencies { log.note(dependency) }
        return target
    }

    private func bind(_ path: QueryPath, _ comparison: Comparison) throws(QueryError) -> PathTarget {
        try PathBinder(catalog: catalog, scopes: scopes, position: comparison.position).bind(path)
    }

    /// Of how many values a comparison must hold. Throws where a path leads to many and nothing says of how many, or the
    /// other way round.
    func reach(
        of isMany: Bool, _ name: some CustomStringConvertible, _ comparison: Comparison
    ) throws(QueryError) -> PathTest.Reach {
        switch (isMany, comparison.quantifier) {
        case (true, .any): .any
        case (true, .all): .all
        case (false, nil): .one
        case (true, nil):
            var whole = "\(name)"
            if case .path(let path) = comparison.left {
                whole = path.variable == nil ? "\(scopes[0].table.name).\(path.text)" : path.text
            }
            throw error(
                comparison, .invalidComparison,
                "\(whole) leads to any number of values: write ANY, ALL or NONE before the comparison")
        case (false, let quantifier?):
            throw error(
                comparison, .invalidComparison,
                "\(quantifier.rawValue) is for paths through collections, and \(name) leads to one value")
        }
    }

    func error(_ comparison: Comparison, _ code: QueryError.Code, _ message: String) -> QueryError {
        QueryError(code, message, position: comparison.position)
    }
}

extension ComparisonOperator {
    /// Whether equal values stand so to each other.
    var acceptsEqual: Bool {
        switch self {
        case .equal, .lessOrEqual, .greaterOrEqual, .isIn: true
        default: false
        }
    }
}

extension Operand {
    /// The constants that the operand consists of; nil where it is anything else.
    var constants: [Constant]? {
        switch self {
        case .constant(let constant): return [constant]
        case .list(let operands):
            var constants: [Constant] = []
            for operand in operands {
                guard case .constant(let constant) = operand else { return nil }
                constants.append(constant)
            }
            return constants
        default: return nil
        }
    }

    var isList: Bool {
        if case .list = self { true } else { false }
    }
}
