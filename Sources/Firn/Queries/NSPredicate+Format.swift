import FirnQuery
import Foundation

// Foundation on Linux has NSPredicate, but marks its format initialisers unavailable. Its block initialiser is there,
// so the text travels in a block, and is had back by evaluating the predicate with a probe.
extension NSPredicate {
    /// A predicate from text, for `Results.filter(_:)`: see there for what it may say.
    ///
    /// The text is read when the predicate is used. Evaluating the predicate by itself traps.
    public convenience init(format: String, _ arguments: Any?...) {
        self.init(text: PredicateText(format: format, arguments: arguments))
    }

    /// A predicate from text and an array of arguments: see `init(format:_:)`.
    public convenience init(format: String, argumentArray arguments: [Any]?) {
        self.init(text: PredicateText(format: format, arguments: arguments ?? []))
    }

    private convenience init(text: PredicateText) {
        let box = PredicateTextBox(text)
        self.init { object, _ in
            guard let probe = object as? PredicateProbe else {
                misuse("A predicate from text was evaluated by itself; give it to Results.filter(_:)")
            }
            probe.box = box
            return true
        }
    }

    /// The tree that the predicate stands for. Throws for one that was not made from text.
    func expression(in context: RealmContext) throws(Realm.Error) -> QueryExpression {
        if let compound = self as? NSCompoundPredicate { return try compound.parts(in: context) }
        for answer in [true, false] where isEqual(NSPredicate(value: answer)) { return .always(answer) }
        let probe = PredicateProbe()
        _ = evaluate(with: probe)
        guard let text = probe.box?.text else {
            throw Realm.Error(
                .invalidInput,
                "A predicate made from a block cannot be a query; use NSPredicate(format:) or filter the objects in Swift"
            )
        }
        return try text.expression(in: context)
    }
}

extension NSCompoundPredicate {
    fileprivate func parts(in context: RealmContext) throws(Realm.Error) -> QueryExpression {
        var parts: [QueryExpression] = []
        for part in subpredicates {
            parts.append(try part.expression(in: context))
        }
        return switch compoundPredicateType {
        case .and: .conjunction(parts)
        case .or: .disjunction(parts)
        case .not: .not(.conjunction(parts))
        @unknown default: .conjunction(parts)
        }
    }
}

/// Takes the text out of a predicate.
private final class PredicateProbe {
    var box: PredicateTextBox?
}

// Immutable; its arguments are values, or objects for one thread.
private final class PredicateTextBox: @unchecked Sendable {
    let text: PredicateText

    init(_ text: PredicateText) {
        self.text = text
    }
}
