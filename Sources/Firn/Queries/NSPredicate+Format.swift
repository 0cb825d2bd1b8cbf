import FirnQuery
import Foundation

// Foundation on Linux has NSPredicate, but marks its format initialisers unavailable. Its block initialiser is there,
// so what a predicate says travels in a block, and is had back by evaluating the predicate with a probe.
extension NSPredicate {
    /// A predicate from text, for `Results.filter(_:)`: see there for what it may say.
    ///
    /// The text is read when the predicate is used. Evaluating the predicate by itself traps.
    public convenience init(format: String, _ arguments: Any?...) {
        self.init(content: PredicateText(format: format, arguments: arguments))
    }

    /// A predicate from text and an array of arguments: see `init(format:_:)`.
    public convenience init(format: String, argumentArray arguments: [Any]?) {
        self.init(content: PredicateText(format: format, arguments: arguments ?? []))
    }

    /// A predicate that says the same as `content`.
    convenience init(content: any PredicateContent) {
        let box = PredicateContentBox(content)
        self.init { object, _ in
            guard let probe = object as? PredicateProbe else {
                misuse("A predicate of a realm was evaluated by itself; give it to Results.filter(_:)")
            }
            probe.box = box
            return true
        }
    }

    /// The tree that the predicate stands for. Throws for one that was made from a block.
    func expression(in objects: some ObjectArguments) throws(Realm.Error) -> QueryExpression {
        if let compound = self as? NSCompoundPredicate { return try compound.parts(in: objects) }
        for answer in [true, false] where isEqual(NSPredicate(value: answer)) { return .always(answer) }
        let probe = PredicateProbe()
        _ = evaluate(with: probe)
        guard let content = probe.box?.content else {
            throw Realm.Error(
                .invalidInput,
                "A predicate made from a block cannot be a query; use NSPredicate(format:) or filter the objects in Swift"
            )
        }
        return try content.expression(in: objects)
    }
}

extension NSCompoundPredicate {
    fileprivate func parts(in objects: some ObjectArguments) throws(Realm.Error) -> QueryExpression {
        var parts: [QueryExpression] = []
        for part in subpredicates {
            parts.append(try part.expression(in: objects))
        }
        return switch compoundPredicateType {
        case .and: .conjunction(parts)
        case .or: .disjunction(parts)
        case .not: .not(.conjunction(parts))
        @unknown default: .conjunction(parts)
        }
    }
}

/// Takes the content out of a predicate.
private final class PredicateProbe {
    var box: PredicateContentBox?
}

// Immutable; the arguments in it are values, or objects for one thread.
private final class PredicateContentBox: @unchecked Sendable {
    let content: any PredicateContent

    init(_ content: any PredicateContent) {
        self.content = content
    }
}
