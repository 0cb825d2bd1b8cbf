import FirnQuery
import FirnStore
import Foundation

extension ResultsSource {
    /// The position of an element; nil where it is none, and for an unmanaged object. O(elements).
    ///
    /// Traps for a deleted object.
    func index<Element: RealmCollectionValue>(of element: Element) -> Int? {
        switch element._elementForm().form {
        case .object(let object): index(of: object)
        case .stored(let value): index(of: value)
        case .any(let value):
            if let value = value.storedScalar {
                index(of: value)
            } else {
                (values() as [Element]).firstIndex(of: element)
            }
        case .unstorable: nil
        }
    }

    private func index(of object: ObjectBase) -> Int? {
        let keys = allKeys()
        guard context.shows(object), object.binding.table.id == binding?.table.id else { return nil }
        if !context.isFrozen { context.checkOwnership(of: object) }
        return keys.firstIndex(of: object.key)
    }

    /// By the equality that the order of values has: NaN is NaN, and a negative zero is zero.
    private func index(of value: StoredValue) -> Int? {
        guard binding == nil else { return nil }
        let form = ValuePath("self", from: origin, to: "be searched").form
        var sought = KeyBuffer(limit: .max)
        OrderedValue.append(value, as: form, to: &sought)
        let positions = allKeys()
        let values = origin.storedValues(in: context)
        var candidate = KeyBuffer(limit: .max)
        return positions.firstIndex { position in
            candidate.removeAll()
            OrderedValue.append(values[Int(position)], as: form, to: &candidate)
            return sought.bytes.elementsEqual(candidate.bytes)
        }
    }

    /// The position of the first object for which an expression holds. Throws where that does not fit the class.
    func firstIndex(matching expression: QueryExpression) throws(Realm.Error) -> Int? {
        try firstIndex(matching: ResultsSource(context, origin).filtered(by: expression))
    }

    /// The position of the first object that is one of others from the same origin.
    func firstIndex(matching source: ResultsSource) -> Int? { source.firstIndex(among: allKeys()) }

    /// The position of the first of these objects that has what this source's condition asks for.
    private func firstIndex(among keys: [ObjectKey]) -> Int? {
        guard let predicate = currentPredicate else { return keys.isEmpty ? nil : 0 }
        return predicate.firstIndex(among: keys, in: context.connection)
    }
}
