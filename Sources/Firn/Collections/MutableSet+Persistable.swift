import FirnStore

extension MutableSet: _PersistableCollection, ManagedField {
    public typealias PersistedType = MutableSet

    public static var _elements: _ColumnShape { Element._elementColumn.collection(.set) }

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

    public func _take(_ other: MutableSet, isMerging: Bool) {
        switch state {
        case .unmanaged:
            let elements = Array(other)
            if !isMerging { removeAll() }
            insert(objectsIn: elements)
        case .managed(let handle):
            guard let context = handle.checkedForChange(), self != other else { return }
            guard let values = context.prepare(Array(other), for: handle) else { return }
            handle.replaceSet(values, context, isMerging: isMerging)
        }
    }

    /// Takes arrays, sets and collections whose elements fit, and nil for an empty set.
    public static func _converted(from value: Any) -> Self? {
        UntypedValue.elements(value).map { Self($0) }
    }
}
