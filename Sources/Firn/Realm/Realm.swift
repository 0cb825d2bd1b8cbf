import Dispatch
import Foundation

/// A database file, as one thread or one queue sees it.
///
///     let realm = try Realm()
///     try realm.write {
///         realm.add(dog)
///     }
///     for dog in realm.objects(Dog.self) { print(dog.name) }
///
/// A realm shows one version of its file: the one from when it was opened, until `refresh()`, a write, or `autorefresh` moves it on.
/// It belongs to the thread that opened it, or to the queue it was opened for; using it, or an object or collection
/// that comes from it, elsewhere traps. All realms of one configuration there are equal, and opening one again is cheap.
/// A frozen realm (`freeze()`) stays at its version, and may be read from every thread.
public struct Realm: Sendable {
    /// The realm, on whatever thread.
    let opened: RealmContext

    /// The realm for the calling thread. Traps outside a live realm's thread or queue.
    var context: RealmContext { opened.here }

    init(_ context: RealmContext) {
        opened = context
    }

    /// Opens the default realm: see `Configuration.defaultConfiguration`.
    ///
    /// With a queue, which must be serial and the one that the caller runs on, the realm belongs to that queue instead
    /// of the calling thread.
    public init(queue: DispatchQueue? = nil, file: StaticString = #fileID, line: UInt = #line) throws {
        try self.init(configuration: .defaultConfiguration, queue: queue, file: file, line: line)
    }

    /// Opens a file with default settings.
    public init(fileURL: URL, file: StaticString = #fileID, line: UInt = #line) throws {
        var configuration = Configuration.defaultConfiguration
        configuration.fileURL = fileURL
        try self.init(configuration: configuration, file: file, line: line)
    }

    /// Opens the realm of a configuration, making its file if there is none.
    ///
    /// Throws where the file cannot be opened, the classes contradict themselves or do not fit the file, or this
    /// process has the file open with other settings. `file` and `line` are for `diagnostics(for:)`, which names the line that
    /// opened a realm first.
    public init(
        configuration: Configuration, queue: DispatchQueue? = nil, file: StaticString = #fileID, line: UInt = #line
    ) throws {
        let confinement = queue.map { Confinement($0) } ?? .here
        guard confinement.isCurrent else {
            misuse("A realm was opened for a queue from outside of it; open it in a block that runs on that queue")
        }
        opened = try RealmRegistry.context(
            for: configuration, confinement, openedAt: SourceLine(file: file, line: line))
    }

    /// The configuration with which the realm was opened.
    public var configuration: Configuration {
        opened.configuration
    }

    /// The classes of the realm.
    public var schema: Schema {
        Schema(opened.bindingList.map { ObjectSchema($0.info) })
    }

    /// Whether the file has no objects, of any class.
    public var isEmpty: Bool {
        let context = context
        return context.connection.schema.tables.allSatisfy { context.connection.count($0.id) == 0 }
    }

    /// Moves to the newest version. False where the realm is at it or frozen, where a write is open, and where the file cannot be
    /// read; the realm stays at its version then.
    ///
    /// Then tells the observers what they have not been told, also where the realm has not moved. In a block of an observer it does
    /// nothing, and is false.
    @discardableResult
    public func refresh() -> Bool {
        let context = context
        let hasMoved = (try? context.refresh()) ?? false
        context.deliverNotifications()
        return hasMoved
    }

    /// Lets go of the version, and of an open write. All objects that came from the realm are invalid from then on. Does nothing
    /// to a frozen realm.
    public func invalidate() {
        context.invalidate()
    }

    /// Whether the realm is frozen: pinned to one version, and readable from every thread.
    public var isFrozen: Bool { opened.isFrozen }
}

extension Realm: Equatable {
    /// Whether both are the same view: one file, one thread or queue, one set of classes; frozen, one version of one file.
    public static func == (left: Realm, right: Realm) -> Bool {
        left.opened.showsSame(as: right.opened)
    }
}
