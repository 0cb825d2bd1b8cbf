import FirnStore

/// Reading elements that are values.
extension ResultsOrigin {
    /// All values, in order, as they are stored.
    func storedValues(in context: RealmContext) -> [StoredValue] {
        if case .results(let source) = self { return source.origin.storedValues(in: context) }
        guard case .collection(let handle, let kind) = self else { return [] }
        return handle.storedElements(kind)
    }

    /// All values, in order.
    func values<Element: RealmCollectionValue>(in context: RealmContext) -> [Element] {
        if case .results(let source) = self { return source.origin.values(in: context) }
        guard case .collection(let handle, let kind) = self else { return [] }
        var values: [Element] = []
        handle.forEachElement(kind, in: context.connection) { record, slot in
            values.append(Element._load(handle.source(context, record), slot))
        }
        return values
    }

    /// The value at a position of the collection.
    func value<Element: RealmCollectionValue>(at position: Reference, in context: RealmContext) -> Element {
        if case .results(let source) = self { return source.origin.value(at: position, in: context) }
        guard case .collection(let handle, let kind) = self else { misuse("Objects were read as values") }
        return handle.withElement(kind, at: Int(position), in: context.connection) { record, slot in
            Element._load(handle.source(context, record), slot)
        }
    }
}
