import FirnQuery

/// What a predicate says of a value, or a predicate itself: what the closure of `where` is given and returns.
///
///     let results = dogs.where { $0.age > 3 && $0.owner.name.starts(with: "A") }
///     let people = people.where { $0.dogs.age > 3 && !$0.name.contains("x", options: .caseInsensitive) }
///
/// A property of a collection's objects stands for any of them: `$0.dogs.age > 3` holds where some dog is older. For how many
/// of the objects a predicate holds is its `count`: `($0.dogs.age > 3 && $0.dogs.name == "Rex").count >= 2`.
///
/// A query is of use within the closure it was given to only.
@dynamicMemberLookup
public struct Query<T> {
    let builder: QueryBuilder
    let node: QueryNode

    init(_ builder: QueryBuilder, _ node: QueryNode) {
        self.builder = builder
        self.node = node
    }

    /// What a closure says. Throws where a value in it is none that a property could have.
    static func expression(
        _ predicate: (Query<T>) -> Query<Bool>, in objects: some ObjectArguments
    ) throws(Realm.Error) -> QueryExpression {
        let builder = QueryBuilder()
        let template = builder.template(
            predicate(Query<T>(builder, .operand(.path(QueryPath([])), isMany: false))).expression)
        do {
            return try template.expression(arguments: builder.arguments) { try QueryConstant.operand($0, objects) }
        } catch {
            throw Realm.Error(error)
        }
    }

    /// The same value, or predicate, as one of another type.
    func cast<V>(_ type: V.Type = V.self) -> Query<V> { Query<V>(builder, node) }

    /// The operand that stands for the value.
    var operand: Operand {
        switch node {
        case .operand(let operand, _): operand
        case .expression(let expression):
            .choice(expression, .constant(.bool(true)), .constant(.bool(false)))
        }
    }

    /// The path to the value. Traps for what is no property.
    func path(for purpose: String) -> QueryPath {
        guard case .operand(.path(let path), _) = node else {
            misuse("\(purpose) was asked of something in a query that is no property; ask it of a property")
        }
        return path
    }

    /// The value a step further on.
    func step<V>(_ step: QueryPath.Step, isMany: Bool = false, _ type: V.Type = V.self) -> Query<V> {
        var path = path(for: "A property")
        path.steps.append(step)
        return Query<V>(builder, .operand(.path(path), isMany: isMany || node.isMany))
    }

    /// The property that a key path leads to, and whether that is a collection of objects or values.
    func property<Root: ObjectBase, V>(_ keyPath: KeyPath<Root, V>) -> Query<V> {
        // The compiler (Swift 6.3) does not ask of members that are looked up dynamically whether their class is one.
        guard isObjectClass(Root.self) else {
            misuse(
                "A query asked for a property of \(Root.self), which is no object; ask what it is stored as: "
                    + "`persistableValue`")
        }
        guard let name = PropertyTracer.name(of: keyPath) else {
            misuse("A query asked for a property of '\(Root.className())' that is not persisted; ask for one that is")
        }
        var query: Query<V> = cast()
        for part in name.split(separator: ".") {
            query = query.step(.property(String(part)), isMany: V.self is any QueriedCollection.Type)
        }
        if query.node.isMany, case .operand(.path(let path), _) = query.node, V.self is any QueriedCollection.Type {
            builder.collections.insert(path)
        }
        return query
    }

    /// A comparison with a constant.
    func compared(_ operation: ComparisonOperator, with value: Any?, _ options: ComparisonOptions = []) -> Query<Bool> {
        comparison(operation, builder.argument(value), options, isMany: node.isMany)
    }

    /// A comparison with another value of the query.
    func compared<V>(
        _ operation: ComparisonOperator, with other: Query<V>, _ options: ComparisonOptions = []
    ) -> Query<Bool> {
        comparison(operation, other.operand, options, isMany: node.isMany || other.node.isMany)
    }

    private func comparison(
        _ operation: ComparisonOperator, _ right: Operand, _ options: ComparisonOptions, isMany: Bool
    ) -> Query<Bool> {
        Query<Bool>(
            builder,
            .expression(
                .comparison(Comparison(operand, operation, right, options: options, quantifier: isMany ? .any : nil))))
    }
}

/// Whether a type is what a generic parameter says of it. Not inlined, lest the compiler take it for true.
@inline(never)
private func isObjectClass(_ type: Any.Type) -> Bool {
    type is ObjectBase.Type
}

/// What a query stands for.
enum QueryNode {
    case operand(Operand, isMany: Bool)
    case expression(QueryExpression)

    /// Whether there may be any number of values.
    var isMany: Bool {
        if case .operand(_, let isMany) = self { isMany } else { false }
    }
}

/// What the queries in one closure share.
final class QueryBuilder {
    private(set) var arguments: [Any?] = []
    /// The collections of objects or values that were named.
    var collections: Set<QueryPath> = []

    /// The place of a value that becomes a constant when the query is asked.
    func argument(_ value: Any?) -> Operand {
        arguments.append(value)
        return .argument(arguments.count - 1, .any)
    }

    func template(_ expression: QueryExpression) -> PredicateTemplate {
        PredicateTemplate(expression, argumentCount: arguments.count)
    }
}

/// A collection that a property can be.
protocol QueriedCollection {}

extension List: QueriedCollection {}
extension MutableSet: QueriedCollection {}
extension Map: QueriedCollection {}
extension LinkingObjects: QueriedCollection {}

// MARK: Properties

extension Query where T: ObjectBase {
    /// A property.
    public subscript<V>(dynamicMember member: KeyPath<T, V>) -> Query<V> { property(member) }
}

extension Query where T: _QueryOptional, T.Wrapped: ObjectBase {
    /// A property of the object that a link leads to.
    public subscript<V>(dynamicMember member: KeyPath<T.Wrapped, V>) -> Query<V> { property(member) }
}

extension Query where T: RealmCollection, T.Element: ObjectBase {
    /// A property of any of a collection's objects.
    public subscript<V>(dynamicMember member: KeyPath<T.Element, V>) -> Query<V> { property(member) }
}

extension Query where T: RealmKeyedCollection, T.Value: _QueryOptional, T.Value.Wrapped: ObjectBase {
    /// A property of any of a map's objects.
    public subscript<V>(dynamicMember member: KeyPath<T.Value.Wrapped, V>) -> Query<V> { property(member) }
}

// MARK: Predicates

extension Query<Bool> {
    /// The predicate; a Bool by itself is compared with true.
    var expression: QueryExpression {
        switch node {
        case .expression(let expression): expression
        case .operand(let operand, let isMany):
            .comparison(Comparison(operand, .equal, .constant(.bool(true)), quantifier: isMany ? .any : nil))
        }
    }

    /// Both predicates.
    public static func && (left: Query<Bool>, right: Query<Bool>) -> Query<Bool> {
        Query(left.builder, .expression(.conjunction([left.expression, right.expression])))
    }

    /// Either predicate.
    public static func || (left: Query<Bool>, right: Query<Bool>) -> Query<Bool> {
        Query(left.builder, .expression(.disjunction([left.expression, right.expression])))
    }

    /// The opposite of a predicate.
    public static prefix func ! (query: Query<Bool>) -> Query<Bool> {
        Query(query.builder, .expression(.not(query.expression)))
    }
}
