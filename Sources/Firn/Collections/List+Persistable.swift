import FirnStore

extension List: _PersistableCollection, ManagedField {
    public typealias PersistedType = List

    public static var _elements: _ColumnShape { Element._elementColumn.collection(.list) }

    public static var _elementType: Any.Type { Element.self }

    public convenience init(_ object: ObjectBase, _ slot: Int) {
        self.init(CollectionHandle(owner: object, slot: slot))
    }

    public func _manage(_ object: ObjectBase, _ slot: Int) {
        manage(CollectionHandle(owner: object, slot: slot))
    }

    func manage(_ handle: CollectionHandle) {
        state = .managed(handle)
    }

    public var _isManaged: Bool { state.handle != nil }

    public func _forEachElement(_ body: (_ElementForm) -> Void) {
        for element in self { body(element._elementForm()) }
    }

    public func _take(_ other: List, isMerging: Bool) {
        switch state {
        case .unmanaged:
            state = .unmanaged(Array(other))
        case .managed(let handle):
            guard let context = handle.checkedForChange(), self != other else { return }
            guard let values = context.prepare(Array(other), for: handle) else { return }
            handle.replaceList(values, context)
        }
    }

    /// Takes arrays, sets and collections whose elements fit, and nil for an empty list.
    public static func _converted(from value: Any) -> Self? {
        UntypedValue.elements(value).map { Self($0) }
    }
}
