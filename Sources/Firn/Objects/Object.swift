/// A model class's superclass: its `@Persisted` properties are stored in a realm.
///
///     class Dog: Object {
///         @Persisted(primaryKey: true) var id: ObjectId
///         @Persisted var name = ""
///         @Persisted var owner: Person?
///     }
///
/// An object is a plain Swift object until `Realm.add` makes it a live view of its row. What comes from a realm
/// belongs to that realm's thread or queue.
open class Object: ObjectBase, RealmFetchable, _OptionalPersistable, RealmCollectionValue {
    /// Underscored protocols ask for it: an object is stored as itself.
    public typealias PersistedType = Object

    /// Makes an unmanaged object.
    public required init() {
        super.init()
    }

    /// Makes an unmanaged object from the values of a dictionary, an array in order of declaration, or an object.
    ///
    /// Values are converted as `Realm.create` does. Where one does not fit, the object keeps its defaults, and adding
    /// it makes the write throw the error that says why.
    public convenience init(value: Any) {
        self.init()
        do {
            try assignProperties(from: value)
        } catch {
            attachment = Defect(error)
        }
    }
}

/// Why an unmanaged object cannot be added: `init(value:)` was given a bad value, and could not throw.
final class Defect {
    let error: Realm.Error

    init(_ error: Realm.Error) {
        self.error = error
    }
}
