/// What deleting an object does to those that one of its properties links to.
///
///     class Owner: Object {
///         @Persisted(deleteRule: .cascade) var dogs: List<Dog>
///         @Persisted(deleteRule: .deny) var contract: Contract?
///     }
///
/// The rules are part of the file's schema, so that they hold whoever deletes. All objects that one call deletes are judged
/// together: those that cascades reach are found first, then refusals among them, and only then is anything deleted.
public enum DeleteRule: Sendable {
    /// They stay. The rule of properties that name none.
    case nullify
    /// They are deleted too, even where other objects link to them: those links are taken away. Objects that a property loses
    /// because `add` or `create` updates its object are deleted where no cascading property links to them any more; none that
    /// the same call adds, updates or links to is.
    case cascade
    /// The object cannot be deleted while the property links to one that the same call does not delete. The write transaction
    /// throws the refusal at its end. A migration that takes objects away is not refused.
    case deny
}

/// A type of property that can have a delete rule: it links to objects of a class, one or many.
///
/// Underscored, because it only constrains initialisers of `Persisted`.
public protocol _LinksToObjects {}

extension Optional: _LinksToObjects where Wrapped: Object {}
extension List: _LinksToObjects where Element: Object {}
extension MutableSet: _LinksToObjects where Element: Object {}
extension Map: _LinksToObjects where Value: _LinksToObjects {}

extension Persisted where Value: _LinksToObjects {
    /// A property that says what becomes of the objects it links to when its own object is deleted.
    public init(deleteRule: DeleteRule) {
        self.init()
        flags = PropertyOptions(deleteRule).rawValue
    }

    /// A property with a default of its own that says what becomes of the objects it links to when its own object is deleted.
    public init(wrappedValue value: @autoclosure @escaping () -> Value, deleteRule: DeleteRule) {
        self.init(wrappedValue: value())
        flags = PropertyOptions(deleteRule).rawValue
    }
}
