/// An index over one property of a class or several, for `indexes` of the class.
///
/// It is ordered by the values of the first property, for equal ones by those of the second, and so on. A query uses it where
/// it asks for single values of the first properties, and for values, ranges or beginnings of the next. Properties that hold one
/// value have an order, but for `PersistableCodable` ones; a link is such a property too.
public struct ObjectIndex: Hashable, Sendable {
    /// The properties, by their Swift names, in the index's order.
    public let propertyNames: [String]
    /// Whether no two objects may have the same values of all the properties, unless one of these is nil. See
    /// `Persisted.init(unique:)`.
    public let isUnique: Bool

    /// An index over the properties with these names.
    public init(_ first: String, _ others: String..., unique: Bool = false) {
        propertyNames = [first] + others
        isUnique = unique
    }

    /// An index over the properties that key paths lead to. Plain properties have none that can be told: write their names.
    public init<Root: ObjectBase>(
        _ first: PartialKeyPath<Root>, _ others: PartialKeyPath<Root>..., unique: Bool = false
    ) {
        propertyNames = ([first] + others).map { PropertyTracer.name(of: $0) ?? "\($0)" }
        isUnique = unique
    }
}
