import FirnStore

extension ObjectBase {
    /// The realm that the object belongs to; nil for an unmanaged object, and for one given to `Realm.delete`.
    public final var realm: Realm? {
        guard let context, !isDetached else { return nil }
        return Realm(context)
    }

    /// Whether the object's row is gone: deleted, or its realm invalidated. False for an unmanaged object.
    ///
    /// The one property besides `realm` and `description` that an invalidated object answers.
    public final var isInvalidated: Bool {
        guard let context else { return false }
        if context.isClosed { return true }
        context.checkConfinement(for: self)
        if isDead { return true }
        if context.isFound(self) { return false }
        return locate(in: context) == nil && !(context.isBroken && birth == context.writeSerial)
    }

    /// Whether the object is frozen: pinned to one version, and readable from every thread.
    public final var isFrozen: Bool { context?.isFrozen ?? false }

    /// The schema of the object's class.
    public final var objectSchema: ObjectSchema {
        ObjectSchema(classInfo)
    }

    /// Whether both are the same row of the same realm (frozen: of the same version) or, unmanaged, the same instance. Nil is the
    /// same as none.
    public final func isSameObject(as other: ObjectBase?) -> Bool {
        guard let other else { return false }
        if self === other { return true }
        guard let context, context.shows(other) else { return false }
        return key == other.key && binding.table.id == other.binding.table.id
    }
}

extension ObjectBase: Hashable {
    /// For a class with a primary key, and for frozen objects, whether both are the same row of the same realm (frozen: of the
    /// same version); else, and for unmanaged and invalidated objects, whether both are one instance.
    public static func == (left: ObjectBase, right: ObjectBase) -> Bool {
        if left === right { return true }
        guard left.isManaged, left.isFrozen || left.binding.info.primaryKey != nil, left.isSameObject(as: right) else {
            return false
        }
        return !left.isInvalidated && !right.isInvalidated
    }

    /// The hash value; see `hash(into:)`.
    public final var hash: Int { hashValue }

    /// Hashes the primary key, or the instance where the class has none, or what row a frozen object is. The hash value of an object whose primary key is no
    /// integer is another one once it is deleted.
    public func hash(into hasher: inout Hasher) {
        guard let primaryKey = classInfo.primaryKey else {
            return isFrozen ? hasher.combine(key) : hasher.combine(ObjectIdentifier(self))
        }
        if isManaged, binding.usesIntegerKey { return hasher.combine(StoredValue.int(integer(ofObjectKey: key))) }
        guard !isInvalidated else { return hasher.combine(ObjectIdentifier(self)) }
        hasher.combine(storedValue(of: primaryKey))
    }
}
