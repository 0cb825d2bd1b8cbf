import FirnStore

/// How a field of a model class holds its property.
enum FieldKind {
    /// In a `Persisted`, which holds its slot once the object is managed.
    case wrapped
    /// As the value itself, where nothing sees it change.
    case plain
    /// As an instance that is managed where it is: see `ManagedField`.
    case managedInPlace
    /// Not at all: a dynamic object has columns only.
    case absent
}

/// A field of a model class that holds a persisted property, whatever its type.
///
/// Callers take a field's address from the class's field list and keep its object alive while they use it.
protocol PropertyField {
    static var kind: FieldKind { get }
    static var valueType: any _Persistable.Type { get }
    /// What the field's wrapper was told.
    static func options(at field: UnsafeMutableRawPointer) -> PropertyOptions
    /// What a record holds for the field of an unmanaged or plain object.
    static func stored(at field: UnsafeMutableRawPointer) -> StoredValue
    /// Why the field's value cannot be stored; nil where it can.
    static func storingError(at field: UnsafeMutableRawPointer) -> (any Error)?
    static func untyped(at field: UnsafeMutableRawPointer) -> Any?
    /// The object that the field's value is a link to.
    static func linkedObject(at field: UnsafeMutableRawPointer) -> ObjectBase?
    /// Calls `body` with each object that the field's value links to, however it holds them.
    static func forEachLinkedObject(at field: UnsafeMutableRawPointer, _ body: (ObjectBase) -> Void)
    /// Whether the field may hold what `stored(at:)` leaves out: no default collection is made only to find it empty.
    static func needsFilling(at field: UnsafeMutableRawPointer) -> Bool
    /// Writes what `stored(at:)` left out to the row of a managed object: see `_Persistable._fill`.
    static func write(
        _ field: UnsafeMutableRawPointer, to object: ObjectBase, slot: Int, _ policy: Realm.UpdatePolicy)
    /// Lets go of the value of a field that is managed now.
    static func discard(at field: UnsafeMutableRawPointer)
    /// False where `value` does not fit the property.
    static func assign(_ value: Any, at field: UnsafeMutableRawPointer) -> Bool
    /// Makes a field that is no wrapper show what a managed object's record has.
    static func load(_ field: UnsafeMutableRawPointer, from object: ObjectBase, slot: Int)
    /// The same as `assign(_:at:)` for a managed object.
    static func assign(_ value: Any, to object: ObjectBase, slot: Int) -> Bool
    /// The same as `untyped(at:)` for a managed object.
    static func untyped(_ object: ObjectBase, slot: Int) -> Any?
}

extension Persisted: PropertyField {
    static var kind: FieldKind { .wrapped }
    static var valueType: any _Persistable.Type { Value.self }

    static func options(at field: UnsafeMutableRawPointer) -> PropertyOptions {
        PropertyOptions(rawValue: pointer(field).pointee.flags)
    }

    static func stored(at field: UnsafeMutableRawPointer) -> StoredValue {
        Value._storedField(field).value
    }

    static func storingError(at field: UnsafeMutableRawPointer) -> (any Error)? {
        if pointer(field).pointee.isUnset, !Value._hasDefault { return MissingValue() }
        return pointer(field).pointee.materialized()._storingError()
    }

    static func untyped(at field: UnsafeMutableRawPointer) -> Any? {
        if pointer(field).pointee.isUnset, !Value._hasDefault { return nil }
        return pointer(field).pointee.materialized()._untyped()
    }

    static func linkedObject(at field: UnsafeMutableRawPointer) -> ObjectBase? {
        guard !pointer(field).pointee.isUnset else { return nil }
        return pointer(field).pointee.materialized()._linkedObject()
    }

    static func forEachLinkedObject(at field: UnsafeMutableRawPointer, _ body: (ObjectBase) -> Void) {
        guard !pointer(field).pointee.isUnset else { return }
        pointer(field).pointee.materialized()._forEachLinkedObject(body)
    }

    static func needsFilling(at field: UnsafeMutableRawPointer) -> Bool {
        Value._needsFilling && !pointer(field).pointee.isUnset
    }

    static func write(
        _ field: UnsafeMutableRawPointer, to object: ObjectBase, slot: Int, _ policy: Realm.UpdatePolicy
    ) {
        pointer(field).pointee.materialized()._fill(object, slot, policy)
    }

    static func discard(at field: UnsafeMutableRawPointer) {
        pointer(field).pointee.value = nil
        pointer(field).pointee.makeValue = nil
    }

    static func assign(_ value: Any, at field: UnsafeMutableRawPointer) -> Bool {
        guard let converted = Value._converted(from: value) else { return false }
        let current = pointer(field).pointee.value
        pointer(field).pointee.value = converted._assigned(over: current)
        return true
    }

    static func load(_ field: UnsafeMutableRawPointer, from object: ObjectBase, slot: Int) {}

    static func assign(_ value: Any, to object: ObjectBase, slot: Int) -> Bool {
        guard let converted = Value._converted(from: value) else { return false }
        Value._write(converted, object, slot)
        return true
    }

    static func untyped(_ object: ObjectBase, slot: Int) -> Any? {
        Value._readUntyped(object, slot)
    }

    private static func pointer(_ field: UnsafeMutableRawPointer) -> UnsafeMutablePointer<Self> {
        // SAFETY: see `PropertyField`.
        field.assumingMemoryBound(to: Self.self)
    }
}

/// A property of a type without default was given no value.
private struct MissingValue: Error, CustomStringConvertible {
    let description = "it was given no value, and its type has no default; give it one, or make the property optional"
}
