import Foundation

/// Objects of one class, stored and found: a realm as the repository pattern wants it.
///
///     let people = try Repository<Person>()
///     try people.add(Person(value: ["name": "jude"]))
///     let jude = try people.find(\.name, equals: "jude").first
///     try people.transaction { jude?.name = "Jude" }
///
/// Whatever can fail throws. A repository belongs to the thread that made it, or to an actor, as do the objects that it finds; on
/// another thread make another one. `performWrite` alone may be called from everywhere. Each call that changes something is a
/// transaction of its own, or part of the `transaction` that it stands in.
public final class Repository<Model: Object>: Sendable {
    /// The realm in which the objects are.
    public let realm: Realm
    /// Of one that was given to a block of `performWrite`, the serial number of the write.
    private let writeSerial: UInt32?

    /// Opens the realm of a configuration. Throws as `Realm.init(configuration:queue:)` does.
    public convenience init(
        configuration: Realm.Configuration = .defaultConfiguration, file: StaticString = #fileID, line: UInt = #line
    ) throws {
        self.init(realm: try Realm(configuration: configuration, file: file, line: line))
    }

    /// Stores and finds objects in an open realm.
    public init(realm: Realm) {
        self.realm = realm
        writeSerial = nil
    }

    /// One that is good until the open write, or part of a write, ends.
    init(lentIn context: RealmContext) {
        realm = Realm(context)
        writeSerial = context.writeSerial
    }

    /// The realm, after the check that the caller is where the repository may be used.
    var checkedContext: RealmContext {
        let isHome = realm.isFrozen || realm.opened.confinement.isCurrent
        if let writeSerial, !isHome || !realm.opened.isWriting || realm.opened.writeSerial != writeSerial {
            misuse(
                "A repository of '\(Model.className())' that a block of performWrite was given was used after or outside of that block; "
                    + "return what is needed as values or as a ThreadSafeReference")
        }
        guard isHome else {
            misuse(
                "A repository of '\(Model.className())' was used on \(Confinement.here), but belongs to "
                    + "\(realm.opened.confinement); make a Repository on each thread that needs one")
        }
        return realm.context
    }

    // MARK: Changing

    /// Adds objects, and updates those whose primary key exists.
    public func add(domains: [Model]) throws {
        let context = checkedContext
        let updates = context.binding(for: Model.self).info.primaryKey != nil
        try context.write {
            for model in domains {
                context.add(model, updates ? .modified : .error)
            }
        }
    }

    /// Adds an object, or updates the one whose primary key it has.
    public func add(_ model: Model) throws {
        try add(domains: [model])
    }

    /// Deletes objects, judged together: see `Realm.delete(_:)`. Traps for one that is not in the realm.
    public func delete(domains: [Model]) throws {
        let context = checkedContext
        try context.write {
            context.delete(domains)
        }
    }

    /// Deletes the object with a primary key. False where there is none.
    ///
    /// Traps for a class without primary key, and for a key of another type.
    @discardableResult
    public func delete<Key>(primaryKey: Key) throws -> Bool {
        let context = checkedContext
        return try context.write {
            guard let model = find(primaryKey: primaryKey) else { return false }
            context.delete([model])
            return true
        }
    }

    /// Runs a block in a transaction: see `Realm.write(_:)`. Returns what the block does.
    @discardableResult
    public func transaction<Result>(_ transactionBlock: () throws -> Result) throws -> Result {
        try checkedContext.write(transactionBlock)
    }
}
