/// The superclass of model classes whose objects belong to exactly one other object.
///
///     class Address: EmbeddedObject {
///         @Persisted var street = ""
///     }
///
/// An embedded object is stored with its owner, goes with it, and goes when another takes its place. It has no primary key,
/// cannot be added to a realm by itself, and stands in single properties, lists and maps.
open class EmbeddedObject: ObjectBase, _OptionalPersistable, RealmCollectionValue {
    /// Underscored protocols ask for it: an object is stored as itself.
    public typealias PersistedType = EmbeddedObject

    /// Makes an unmanaged object.
    public required init() {
        super.init()
    }

    /// Makes an unmanaged object from the values of a dictionary, an array in order of declaration, or an object: see
    /// `Object.init(value:)`.
    public convenience init(value: Any) {
        self.init()
        do {
            try assignProperties(from: value)
        } catch {
            attachment = Defect(error)
        }
    }
}
