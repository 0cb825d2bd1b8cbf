import CSwiftMetadata
import FirnStore

extension _OptionalPersistable where Self: ObjectBase {
    public static var _optionalColumn: _ColumnShape { _ColumnShape(.link, isOptional: true, target: Self.self) }

    public static func _readOptional(_ object: ObjectBase, _ slot: Int) -> Self? {
        object.readLink(slot).map { unsafeDowncast($0, to: Self.self) }
    }

    public static func _loadOptional(_ source: _RecordSource, _ slot: Int) -> Self? {
        guard !source.record.isNull(slot), let target = source.target else { return nil }
        let object = source.context.makeObject(target, key: source.record.link(slot))
        return unsafeDowncast(object, to: Self.self)
    }

    public static func _writeOptional(_ value: Self?, _ object: ObjectBase, _ slot: Int) {
        object.writeLink(value, slot)
    }

    public func _storedWrapped() -> _StoredValue {
        _StoredValue(isManaged ? .link(key) : .null)
    }

    /// Takes an object of the class.
    public static func _convertedWrapped(from value: Any) -> Self? { value as? Self }

    public func _linkedWrappedObject() -> ObjectBase? { self }

    public static func _tracedOptional(_ object: ObjectBase, _ propertyIndex: Int) -> Self? {
        object.traceLink(propertyIndex, to: Self.self).map { unsafeDowncast($0, to: Self.self) }
    }
}

extension RealmCollectionValue where Self: ObjectBase {
    public static var _elementColumn: _ColumnShape { _ColumnShape(.link, target: Self.self) }

    public static func _load(_ source: _RecordSource, _ slot: Int) -> Self {
        let object = source.context.makeObject(target(of: source), key: source.record.link(slot))
        return unsafeDowncast(object, to: Self.self)
    }

    private static func target(of source: _RecordSource) -> TableBinding {
        guard let target = source.target else {
            misuse("A collection of objects of class '\(Self.className())' does not know where they are")
        }
        return target
    }

    public static func _load(
        _ source: _RecordSource, _ slots: Range<Int>, into memory: UnsafeMutableRawPointer, isReplacing: Bool
    ) {
        // SAFETY: the caller has bound the memory to this type, and it has room.
        var element = memory.assumingMemoryBound(to: Self.self)
        let context = source.context
        let target = target(of: source)
        for slot in slots {
            if isReplacing { element.deinitialize(count: 1) }
            let object = context.makeObject(target, key: source.record.link(slot))
            // Who goes over objects will read them, and their records are best found one after the other.
            _ = object.locate(in: context)
            element.initialize(to: unsafeDowncast(object, to: Self.self))
            element += 1
        }
    }

    @inlinable
    public static func _element(_ object: ObjectBase) -> Self {
        unsafeDowncast(object, to: Self.self)
    }

    public func _elementForm() -> _ElementForm { _ElementForm(.object(self)) }

    public static func _takeForms(
        _ elements: UnsafeRawPointer, _ count: Int, _ take: (_ElementForm) -> Bool
    ) -> Bool {
        // SAFETY: the caller lends so many objects of a class derived from this one.
        let objects = elements.assumingMemoryBound(to: ObjectBase.self)
        // The objects may lie anywhere, and to wait for each would take longer than all that is done with it.
        let distance = 16
        for index in 0..<count {
            if index + distance < count {
                let offset = (index + distance) * MemoryLayout<UnsafeRawPointer>.stride
                firn_prefetch_object(elements.load(fromByteOffset: offset, as: UnsafeRawPointer.self))
            }
            guard take(_ElementForm(.object(objects[index]))) else { return false }
        }
        return true
    }

    /// Takes an object of the class.
    public static func _convertedElement(from value: Any) -> Self? { UntypedValue.unwrapped(value) as? Self }

    public func _untypedElement() -> Any? { self }
}
