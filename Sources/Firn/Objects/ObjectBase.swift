/// What all model classes have in common. Derive your classes from `Object`.
///
/// An object is unmanaged (a plain Swift object, with values of its own), managed (a live view of a row of its
/// realm, confined to that realm's thread or queue), or invalidated (its row is gone).
open class ObjectBase {
    // First, and together, the fields that a read or a link to the object touches. `exclusivity(unchecked)`: they are only
    // accessed by the straight-line code of this module, never across a call to user code.
    /// Owned by `context`.
    @exclusivity(unchecked) final var hotBinding: Unmanaged<TableBinding>?
    /// The address of the row's record, good while the realm's stamp is `stamp`; nil before the row was found, and once it is
    /// gone.
    @exclusivity(unchecked) final var record: UnsafeRawPointer?
    @exclusivity(unchecked) final var stamp: UInt64 = 0
    @exclusivity(unchecked) final var key: UInt64 = 0
    /// The realm, unretained, for the hot path. Nil while unmanaged.
    @exclusivity(unchecked) final var hotContext: Unmanaged<RealmContext>?

    /// Keeps the realm alive. Nil while unmanaged.
    @exclusivity(unchecked) final var context: RealmContext?
    /// The realm's identity epoch at which this accessor was last known to be itself.
    @exclusivity(unchecked) final var epoch: UInt32 = 0
    /// The serial number of the write in which this accessor was made, or 0.
    @exclusivity(unchecked) final var birth: UInt32 = 0
    @exclusivity(unchecked) final var isAddedInWrite = false
    /// This accessor saw its row deleted, and stays invalid for good.
    @exclusivity(unchecked) final var isDead = false {
        didSet { if isDead { record = nil } }
    }
    /// This accessor was deleted with `Realm.delete(_:)`, and so has no realm any more.
    final var isDetached = false
    /// What few objects have: a tracer, or the bad value that `init(value:)` was given.
    final var attachment: AnyObject?

    /// Makes an unmanaged object.
    public required init() {}

    // MARK: What a class says about itself

    /// The class's name in the schema: its Swift name without the module, but with the types that it is nested in.
    open class func className() -> String {
        ClassName.make(for: self)
    }

    /// The name of the primary key, for a class that does not say `@Persisted(primaryKey: true)`. Nil by default.
    open class func primaryKey() -> String? { nil }

    /// The names of properties to index besides those marked `@Persisted(indexed: true)`. None by default.
    open class func indexedProperties() -> [String] { [] }

    /// Indexes over several properties, besides those that properties have for themselves. None by default.
    ///
    ///     override class var indexes: [ObjectIndex] {
    ///         [ObjectIndex(\Person.lastName, \Person.firstName), ObjectIndex("house", "room", unique: true)]
    ///     }
    open class var indexes: [ObjectIndex] { [] }

    /// The names of properties that are not stored. None by default.
    open class func ignoredProperties() -> [String] { [] }

    /// The names in the file of properties that have another one there, by Swift name. None by default.
    open class func propertiesMapping() -> [String: String] { [:] }

    /// Whether a realm whose configuration names no classes opens with this one. True by default.
    open class func shouldIncludeInDefaultSchema() -> Bool { true }
}
