import FirnStore

/// A class whose instances plain classes hold in `let` properties: a collection, or a box of one value.
///
///     class Person: Object {
///         dynamic var name = ""
///         let dogs = List<Dog>()
///         let age = RealmProperty<Int?>()
///     }
///
/// An instance stays with its object for good. It holds what it was given until the object is managed; from then on it shows
/// what the row holds.
protocol ManagedField: AnyObject {
    /// What the property is stored as.
    static var persistableType: any _Persistable.Type { get }

    /// What a new record holds for the unmanaged instance; null where `write` has to follow.
    func storedValue() -> StoredValue

    /// Why what the unmanaged instance holds cannot be stored; nil where it can.
    func storingError() -> (any Error)?

    /// The value as an untyped reader gets it.
    func untypedValue() -> Any?

    /// Takes over the contents of something untyped, managed or not; false where they do not fit.
    func take(_ value: Any) -> Bool

    /// Calls `body` with each object that the unmanaged instance links to.
    func forEachLinkedObject(_ body: (ObjectBase) -> Void)

    /// Writes what the unmanaged instance holds to a slot of a managed object.
    func write(to object: ObjectBase, _ slot: Int, _ policy: Realm.UpdatePolicy)

    /// Makes this the live view of a place. The handle's owner is an accessor that does not hold this instance.
    func manage(_ handle: CollectionHandle)
}

extension ManagedField where Self: _Persistable {
    static var persistableType: any _Persistable.Type { Self.self }

    func storedValue() -> StoredValue { _stored().value }

    func storingError() -> (any Error)? { _storingError() }

    func untypedValue() -> Any? { _untyped() }

    func forEachLinkedObject(_ body: (ObjectBase) -> Void) { _forEachLinkedObject(body) }

    func write(to object: ObjectBase, _ slot: Int, _ policy: Realm.UpdatePolicy) { _fill(object, slot, policy) }
}

/// A `let` property of a plain class that holds a `ManagedField`.
struct ManagedFieldProperty<Instance: ManagedField>: PropertyField {
    static var kind: FieldKind { .managedInPlace }
    static var valueType: any _Persistable.Type { Instance.persistableType }

    static func options(at field: UnsafeMutableRawPointer) -> PropertyOptions { [] }

    static func needsFilling(at field: UnsafeMutableRawPointer) -> Bool { true }

    static func stored(at field: UnsafeMutableRawPointer) -> StoredValue { instance(field).storedValue() }

    static func storingError(at field: UnsafeMutableRawPointer) -> (any Error)? { instance(field).storingError() }

    static func untyped(at field: UnsafeMutableRawPointer) -> Any? { instance(field).untypedValue() }

    static func linkedObject(at field: UnsafeMutableRawPointer) -> ObjectBase? { nil }

    static func forEachLinkedObject(at field: UnsafeMutableRawPointer, _ body: (ObjectBase) -> Void) {
        instance(field).forEachLinkedObject(body)
    }

    static func discard(at field: UnsafeMutableRawPointer) {}

    static func assign(_ value: Any, at field: UnsafeMutableRawPointer) -> Bool { instance(field).take(value) }

    static func write(
        _ field: UnsafeMutableRawPointer, to object: ObjectBase, slot: Int, _ policy: Realm.UpdatePolicy
    ) {
        instance(field).write(to: object, slot, policy)
    }

    static func load(_ field: UnsafeMutableRawPointer, from object: ObjectBase, slot: Int) {
        instance(field).manage(CollectionHandle(owner: object, slot: slot))
    }

    static func assign(_ value: Any, to object: ObjectBase, slot: Int) -> Bool {
        object.checkIsWriting(slot)
        return assign(value, at: object.plainAddress(slot))
    }

    static func untyped(_ object: ObjectBase, slot: Int) -> Any? { untyped(at: object.plainAddress(slot)) }

    private static func instance(_ field: UnsafeMutableRawPointer) -> Instance {
        // SAFETY: see `PropertyField`.
        field.assumingMemoryBound(to: Instance.self).pointee
    }
}
