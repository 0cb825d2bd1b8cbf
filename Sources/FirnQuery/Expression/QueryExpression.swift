/// A predicate as a tree: what every way of writing one is turned into, and what plans are made from.
///
/// Knows names and constants, no tables and no classes.
package indirect enum QueryExpression: Hashable, Sendable {
    /// The same answer for every object.
    case always(Bool)
    /// A property compared with a constant.
    case comparison(Comparison)
    /// All of these; an empty list is true.
    case all([QueryExpression])
}
