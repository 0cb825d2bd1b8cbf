import FirnStore

/// Reading elements that are values.
extension ResultsOrigin {
    /// All values, in order, as they are stored.
    func storedValues(in context: RealmContext) -> [StoredValue] {
        var values: [StoredValue] = []
        forEachValue(in: context) { source, slot in values.append(context.connection.value(source.record, slot)) }
        return values
    }

    /// All values, in order.
    func values<Element: RealmCollectionValue>(in context: RealmContext) -> [Element] {
        var values: [Element] = []
        forEachValue(in: context) { source, slot in values.append(Element._load(source, slot)) }
        return values
    }

    /// The value at a position of the collection.
    func value<Element: RealmCollectionValue>(at position: Reference, in context: RealmContext) -> Element {
        guard case .collection(let handle, let kind) = self else { misuse("Objects were read as values") }
        return handle.withElement(kind, at: Int(position), in: context.connection) { record, slot in
            Element._load(source(handle, record, context), slot)
        }
    }

    private func forEachValue(in context: RealmContext, _ body: (_RecordSource, Int) -> Void) {
        guard case .collection(let handle, let kind) = self else { return }
        handle.forEachElement(kind, in: context.connection) { record, slot in
            body(source(handle, record, context), slot)
        }
    }

    private func source(_ handle: CollectionHandle, _ record: RecordView, _ context: RealmContext) -> _RecordSource {
        _RecordSource(context: context, record: record, owner: (handle.owner, handle.slot))
    }
}
