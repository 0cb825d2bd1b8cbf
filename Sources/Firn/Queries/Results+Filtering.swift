import Foundation

extension Results {
    /// Those of the objects for which predicate text holds.
    ///
    ///     dogs.filter("age > %d AND name BEGINSWITH[c] %@", 3, "re")
    ///
    /// The text compares properties with constants, joined by AND. Traps where it says anything else, names an unknown
    /// property, or does not fit the property's type; the message says where.
    public func filter(_ format: String, _ arguments: Any?...) -> Results<Element> {
        filter(PredicateText(format: format, arguments: arguments))
    }

    /// Those of the objects for which a predicate holds: see `filter(_:_:)`.
    public func filter(_ predicate: NSPredicate) -> Results<Element> {
        do {
            return try filtered(by: predicate)
        } catch {
            misuse(error.message)
        }
    }

    private func filter(_ text: PredicateText) -> Results<Element> {
        do {
            return try Results(source.filtered(by: text.expression(in: source.context)))
        } catch {
            misuse(error.message)
        }
    }

    /// The throwing form of `filter(_:)`, for callers that can throw.
    func filtered(by predicate: NSPredicate) throws(Realm.Error) -> Results<Element> {
        try Results(source.filtered(by: predicate.expression(in: source.context)))
    }
}
