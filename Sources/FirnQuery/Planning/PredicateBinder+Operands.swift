import FirnStore

extension PredicateBinder {
    /// A comparison of operands that must be found for each object.
    func bindOperands(_ comparison: Comparison) throws(QueryError) -> RecordTest {
        let (left, right) = Typed.paired(
            try bind(comparison.left, comparison), try bind(comparison.right, comparison))
        try check(left, right, comparison)
        _ = try reach(of: left.operand.isMany || right.operand.isMany, left.name, comparison)
        if let test = existenceTest(left.operand, comparison) { return test }
        return .operands(
            OperandTest(
                left: left.operand, operation: comparison.operation, folding: TextFolding(comparison.options),
                right: right.operand, quantifier: comparison.quantifier))
    }

    /// An operand with what is known of it.
    private struct Typed {
        var operand: BoundOperand
        let name: String
        let kind: Kind
        /// Whether all values that it may have are `Float`s, constants among them too.
        var isFloat = false

        /// Two operands that are compared or stand for each other. Where one has `Float`s, the other's constants become such
        /// first, as where a property is compared with constants.
        static func paired(_ left: Typed, _ right: Typed) -> (left: Typed, right: Typed) {
            guard left.isFloat || right.isFloat else { return (left, right) }
            var (first, second) = (left, right)
            if right.isFloat { first.operand = left.operand.withFloatConstants }
            // A list in which a `Double` is looked for keeps its constants.
            if left.isFloat || left.operand.isConstant { second.operand = right.operand.withFloatConstants }
            return (first, second)
        }

        /// Whether all values of some operands are `Float`s.
        static func areFloats(_ operands: [Typed]) -> Bool {
            operands.contains(where: \.isFloat) && operands.allSatisfy { $0.isFloat || $0.operand.isConstant }
        }
    }

    /// What values an operand may have.
    private enum Kind: Equatable {
        case null, bool, number, string, data, date, objectID, uuid
        case object(TableID)
        case any
        case list([Kind])

        init(_ type: ColumnType, _ target: TableID?) {
            self =
                switch type {
                case .bool: .bool
                case .int, .float, .double, .decimal: .number
                case .date: .date
                case .string: .string
                case .data: .data
                case .objectID: .objectID
                case .uuid: .uuid
                case .link: target.map { .object($0) } ?? .any
                case .any, .coded: .any
                }
        }

        init(_ constant: Constant) {
            self =
                switch constant {
                case .null: .null
                case .bool: .bool
                case .int, .double, .decimal: .number
                case .string: .string
                case .data: .data
                case .date: .date
                case .objectID: .objectID
                case .uuid: .uuid
                case .link(let table, _): .object(TableID(rawValue: table))
                case .coded: .any
                case .area: .null
                }
        }

        var name: String {
            switch self {
            case .null: "nil"
            case .bool: "a Bool"
            case .number: "a number"
            case .string: "a string"
            case .data: "data"
            case .date: "a date"
            case .objectID: "an ObjectId"
            case .uuid: "a UUID"
            case .object: "an object"
            case .any: "a value of any type"
            case .list: "a list"
            }
        }

        /// Whether values of both kinds may be compared.
        func fits(_ other: Kind) -> Bool {
            self == other || [self, other].contains { $0 == .any || $0 == .null }
        }
    }

    private func bind(_ operand: Operand, _ comparison: Comparison) throws(QueryError) -> Typed {
        switch operand {
        case .constant(let constant):
            return Typed(operand: .constant(constant), name: constant.text(.short), kind: Kind(constant))
        case .argument: throw error(comparison, .invalidArgument, "An argument was not given")
        case .list(let operands):
            var bound: [Typed] = []
            for operand in operands { bound.append(try bind(operand, comparison)) }
            return Typed(
                operand: .list(bound.map(\.operand)), name: "a list", kind: .list(bound.map(\.kind)),
                isFloat: Typed.areFloats(bound))
        case .path(let path):
            let target = try target(path, comparison)
            return Typed(
                operand: .path(target.path, isMany: target.isMany), name: target.name.description,
                kind: try kind(target, comparison), isFloat: target.isFloat)
        case .aggregate(.count, let path): return try bindCount(path, comparison)
        case .aggregate(let aggregate, let path): return try bind(aggregate, path, comparison)
        case .count(let subquery): return try bind(subquery, comparison)
        case .arithmetic(let operation, let left, let right):
            return Typed(
                operand: .arithmetic(operation, try number(left, comparison), try number(right, comparison)),
                name: "the result of \(operation.rawValue)", kind: .number)
        case .coalesced(let left, let right):
            let (left, right) = Typed.paired(try bind(left, comparison), try bind(right, comparison))
            guard left.kind.fits(right.kind) else { throw mismatch(left, right, comparison) }
            return Typed(
                operand: .coalesced(left.operand, right.operand), name: left.name,
                kind: left.kind == .null ? right.kind : left.kind, isFloat: Typed.areFloats([left, right]))
        case .choice(let condition, let left, let right):
            let test = try bind(condition)
            let (left, right) = Typed.paired(try bind(left, comparison), try bind(right, comparison))
            guard left.kind.fits(right.kind) else { throw mismatch(left, right, comparison) }
            return Typed(
                operand: .choice(test, left.operand, right.operand), name: left.name,
                kind: left.kind == .null ? right.kind : left.kind, isFloat: Typed.areFloats([left, right]))
        case .text(let function, let operand):
            let text = try bind(operand, comparison)
            guard text.kind.fits(.string) else {
                throw error(
                    comparison, .invalidComparison,
                    "\(text.name) is \(text.kind.name), and \(function.rawValue) is for strings")
            }
            return Typed(operand: .text(function, text.operand), name: text.name, kind: .string)
        }
    }

    private func kind(_ target: PathTarget, _ comparison: Comparison) throws(QueryError) -> Kind {
        switch target.type {
        case .value(.coded, _, _), .typeName, .caseName:
            throw error(comparison, .invalidComparison, "\(target.name) is compared with constants only")
        case .value(let type, _, let table): return Kind(type, table)
        case .object(let table): return .object(table)
        }
    }

    private func number(_ operand: Operand, _ comparison: Comparison) throws(QueryError) -> BoundOperand {
        let bound = try bind(operand, comparison)
        guard bound.kind.fits(.number), !bound.operand.isMany else {
            throw error(
                comparison, .invalidComparison,
                "\(bound.name) is \(bound.operand.isMany ? "many values" : bound.kind.name), and arithmetic is for numbers"
            )
        }
        return bound.operand
    }

    // MARK: Counts and aggregates

    private func bindCount(_ path: QueryPath, _ comparison: Comparison) throws(QueryError) -> Typed {
        if path.steps.last == .allLinks {
            let object = try target(QueryPath(Array(path.steps.dropLast()), from: path.variable), comparison)
            guard case .object = object.type, object.path.steps.isEmpty else {
                throw error(comparison, .invalidComparison, "@links.@count is for the object itself")
            }
            return Typed(
                operand: .linkCount(depth: object.path.depth, scopes[scopes.count - 1 - object.path.depth].table.id),
                name: "@links.@count", kind: .number)
        }
        let target = try target(path, comparison)
        guard target.isMany else {
            throw error(
                comparison, .invalidComparison, "\(target.name) leads to one value, and @count is for collections")
        }
        let name = "\(target.name).@count"
        guard case .elements(let slot, let within) = target.path.end, within.isEmpty else {
            return Typed(operand: .siteCount(target.path), name: name, kind: .number)
        }
        var owner = target.path
        owner.end = .object
        return Typed(operand: .elementCount(owner, slot: slot), name: name, kind: .number)
    }

    private func bind(
        _ aggregate: Aggregate, _ path: QueryPath, _ comparison: Comparison
    ) throws(QueryError) -> Typed {
        let target = try target(path, comparison)
        let kind = try kind(target, comparison)
        let isOrdered = aggregate == .min || aggregate == .max
        guard target.isMany else {
            throw error(
                comparison, .invalidComparison, "\(target.name) leads to one value, and \(aggregate.symbol) is for many"
            )
        }
        guard kind.fits(.number) || isOrdered && kind == .date else {
            throw error(
                comparison, .invalidComparison, "\(target.name) is \(kind.name), and \(aggregate.symbol) is for numbers"
            )
        }
        return Typed(
            operand: .aggregate(aggregate, target.path), name: "\(target.name).\(aggregate.symbol)",
            kind: kind, isFloat: isOrdered && target.isFloat)
    }

    private func bind(_ subquery: Subquery, _ comparison: Comparison) throws(QueryError) -> Typed {
        let target = try target(subquery.collection, comparison)
        guard target.isMany, let (path, elements) = objects(target) else {
            throw error(comparison, .invalidComparison, "\(target.name) is no collection of objects to query")
        }
        var inner = self
        inner.scopes.append(Variable(name: subquery.variable, table: elements))
        return Typed(
            operand: .matchCount(path, try inner.bind(subquery.condition)),
            name: "the number of \(target.name)", kind: .number)
    }

    /// Whether some element matches, or none does, where that is all a comparison with a number asks: the walk ends at the
    /// first.
    private func existenceTest(_ operand: BoundOperand, _ comparison: Comparison) -> RecordTest? {
        guard case .matchCount(let path, let test) = operand,
            case .constant(.int(let number)) = comparison.right
        else { return nil }
        let exists = RecordTest.exists(ElementTest(path: path, test: test))
        switch (comparison.operation, number) {
        case (.greater, 0), (.notEqual, 0), (.greaterOrEqual, 1): return exists
        case (.equal, 0), (.less, 1), (.lessOrEqual, 0): return .not(exists)
        default: return nil
        }
    }

    // MARK: What fits

    private func check(_ left: Typed, _ right: Typed, _ comparison: Comparison) throws(QueryError) {
        let operation = comparison.operation
        switch (operation, right.kind) {
        case (.isIn, .list(let kinds)), (.between, .list(let kinds)):
            guard kinds.allSatisfy(left.kind.fits) else { throw mismatch(left, right, comparison) }
            if operation == .between, kinds.count != 2 {
                throw error(comparison, .invalidComparison, "BETWEEN takes a list of two values")
            }
        case (.isIn, _), (.between, _), (_, .list):
            throw error(
                comparison, .invalidComparison, "\(operation.symbol) does not fit \(right.kind.name) on its right")
        case (.within, _): throw error(comparison, .invalidComparison, "geoWithin takes an area on its right")
        default:
            guard left.kind.fits(right.kind) else { throw mismatch(left, right, comparison) }
        }
        let kind = left.kind == .any || left.kind == .null ? right.kind : left.kind
        switch kind {
        case .bool, .object:
            guard !operation.isForOrder else {
                throw error(comparison, .invalidComparison, "\(left.name) is compared with == and != only")
            }
        default: break
        }
        if operation.isForText, ![.string, .data, .any, .null].contains(kind) {
            throw error(
                comparison, .invalidComparison,
                "\(operation.symbol) is for strings and data, and \(left.name) is \(kind.name)")
        }
        if !comparison.options.isEmpty, ![.string, .any, .null].contains(kind) || operation.isForOrder {
            throw error(
                comparison, .invalidComparison,
                "\(operation.symbol) of \(kind.name) takes no \(comparison.options.symbol)")
        }
    }

    private func mismatch(_ left: Typed, _ right: Typed, _ comparison: Comparison) -> QueryError {
        error(
            comparison, .invalidComparison,
            "\(left.name) is \(left.kind.name), and \(right.name) is \(right.kind.name): they cannot be compared")
    }
}

extension PathTarget {
    /// Whether the path leads to `Float`s.
    fileprivate var isFloat: Bool {
        if case .value(.float, _, _) = type { true } else { false }
    }
}

extension BoundOperand {
    /// Whether it has constants for values, whichever of them.
    fileprivate var isConstant: Bool {
        switch self {
        case .constant: true
        case .coalesced(let left, let right), .choice(_, let left, let right): left.isConstant && right.isConstant
        default: false
        }
    }

    /// The operand whose constants, where it has nothing else for values, are `Float`s.
    fileprivate var withFloatConstants: BoundOperand {
        switch self {
        case .constant(let constant): .constant(constant.roundedToFloat)
        case .list(let operands): .list(operands.map(\.withFloatConstants))
        case .coalesced(let left, let right) where isConstant:
            .coalesced(left.withFloatConstants, right.withFloatConstants)
        case .choice(let test, let left, let right) where isConstant:
            .choice(test, left.withFloatConstants, right.withFloatConstants)
        default: self
        }
    }
}

extension Constant {
    /// The nearest `Float`; numbers beyond the range of `Float` and what is no number are as they were.
    fileprivate var roundedToFloat: Constant {
        let value: Double
        switch self {
        case .int(let integer): value = Double(integer)
        case .double(let double): value = double
        default: return self
        }
        let float = Float(value)
        return float.isFinite || !value.isFinite ? .double(Double(float)) : self
    }
}
