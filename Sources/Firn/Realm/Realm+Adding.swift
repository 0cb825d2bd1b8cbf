extension Realm {
    /// What adding an object does where one with its primary key exists.
    public enum UpdatePolicy: Int, Sendable {
        /// It is an error.
        case error = 1
        /// The existing object takes the new one's values. A value that is equal is not written.
        case all = 2
        /// As `all`; and an object without primary key that a property links to is updated in place.
        case modified = 3
    }

    /// Adds an unmanaged object and all that it links to; they become live views of their rows.
    ///
    /// An object that cannot be added stays unmanaged, and the write transaction throws the reason at its end. Nothing
    /// happens for one that is in the realm already. Traps outside a write transaction, for an object of another realm
    /// or a deleted one, and for a policy other than `.error` with a class that has no primary key.
    public func add(_ object: Object, update: UpdatePolicy = .error) {
        context.add(object, update)
    }

    /// Adds each object of a sequence: see `add(_:update:)`.
    public func add<S: Sequence>(_ objects: S, update: UpdatePolicy = .error) where S.Element: Object {
        for object in objects {
            context.add(object, update)
        }
    }

    /// The former spelling of `add(_:update: .all)` and `add(_:)`.
    public func add(_ object: Object, update: Bool) {
        add(object, update: update ? .all : .error)
    }

    /// The former spelling of `add(_:update: .all)` and `add(_:)`.
    public func add<S: Sequence>(_ objects: S, update: Bool) where S.Element: Object {
        add(objects, update: update ? .all : .error)
    }

    /// Creates an object from a dictionary, an array in order of declaration, or another object.
    ///
    /// Properties that a dictionary leaves out take their defaults in a new object, and stay as they are in one that is
    /// updated. An integer property takes any integer or Bool, Bool 0 and 1, Float and Double any number, Decimal128 a
    /// number or its text, UUID its text, an enum its raw value, a link the same three things as `value`.
    ///
    /// Keys of a dictionary that name no property are passed over.
    ///
    /// Where the values cannot be stored the result is an unmanaged object, and the write transaction throws the reason
    /// at its end.
    @discardableResult
    public func create<T: Object>(_ type: T.Type, value: Any = [String: Any](), update: UpdatePolicy = .error) -> T {
        return unsafeDowncast(context.create(type, value, update), to: T.self)
    }

    /// The former spelling of `create(_:value:update: .all)` and `create(_:value:)`.
    @discardableResult
    public func create<T: Object>(_ type: T.Type, value: Any, update: Bool) -> T {
        create(type, value: value, update: update ? .all : .error)
    }
}
