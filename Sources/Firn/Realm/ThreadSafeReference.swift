import FirnStore
import Synchronization

/// What belongs to one thread or queue, and can be handed to another by a `ThreadSafeReference`: objects,
/// collections and results.
public protocol ThreadConfined {
    /// The realm it belongs to, nil for what is unmanaged.
    var realm: Realm? { get }
    /// Whether it can no longer be used.
    var isInvalidated: Bool { get }
    /// Whether it is pinned to one version.
    var isFrozen: Bool { get }

    /// What another thread needs to find it again. Underscored: it is for `ThreadSafeReference`.
    var _handedOver: _HandedOver { get }
    /// Finds it again; nil where it is gone. Underscored: it is for `Realm.resolve(_:)`.
    static func _resolve(_ handedOver: _HandedOver, in realm: Realm) -> Self?

    /// The same, pinned to the version that its realm shows: it never changes, and every thread may read it, at once with others.
    /// What it leads to is frozen too.
    ///
    /// In a write that is the version from before it. The version's bytes stay in the file as long as something frozen of it is
    /// there. Something frozen is itself. Traps for what is unmanaged, gone, or was added in the open write. Cheap: nothing is copied.
    func freeze() -> Self

    /// The same as a live realm of the calling thread shows it, which moves to the frozen version if it is at an older one; nil where
    /// it is gone. Something live is itself.
    func thaw() -> Self?
}

/// An object, a collection or results on their way to another thread.
///
///     let reference = ThreadSafeReference(to: person)
///     queue.async {
///         guard let realm = try? Realm(), let person = realm.resolve(reference) else { return }
///         …
///     }
///
/// Resolved once, on the thread that is to have it.
public struct ThreadSafeReference<Confined: ThreadConfined>: Sendable {
    let content: _HandedOver

    /// Traps for what is unmanaged or invalidated.
    public init(to threadConfined: Confined) {
        guard threadConfined.realm != nil, !threadConfined.isInvalidated else {
            misuse("A reference to something unmanaged or invalidated was made; hand its values over instead")
        }
        content = threadConfined._handedOver
    }

    /// Whether the reference has been resolved.
    public var isInvalidated: Bool { content.isResolved.load(ordering: .acquiring) }
}

extension Realm {
    /// The object or results of a reference, in this realm; nil where they are gone.
    ///
    /// Moves the realm to the reference's version if it is at an older one, unless a write is open. Traps for a reference
    /// that was resolved before, and for one of another file.
    public func resolve<Confined: ThreadConfined>(_ reference: ThreadSafeReference<Confined>) -> Confined? {
        let content = reference.content
        guard !content.isResolved.exchange(true, ordering: .acquiringAndReleasing) else {
            misuse("A ThreadSafeReference was resolved twice; make another one for each use")
        }
        guard content.configuration.place == context.configuration.place else {
            misuse("A ThreadSafeReference was resolved in a realm of another file")
        }
        return content.resolved(in: self)
    }
}

extension _HandedOver {
    /// What is carried, in a realm of the file, which moves to the version of its making if it is at an older one; nil where it is
    /// gone.
    func resolved<Confined: ThreadConfined>(in realm: Realm) -> Confined? {
        if realm.context.connection.version < version { realm.refresh() }
        return Confined._resolve(self, in: realm)
    }
}

/// What a `ThreadSafeReference` carries.
///
/// Public, because `ThreadConfined` mentions it; what it holds is not.
public final class _HandedOver: Sendable {
    let configuration: Realm.Configuration
    let version: UInt64
    let row: HandedRow?
    let origin: HandedOrigin?
    let query: ResultsQuery
    let isResolved = Atomic(false)

    init(
        _ context: RealmContext, row: HandedRow? = nil, origin: ResultsOrigin? = nil,
        query: ResultsQuery = ResultsQuery()
    ) {
        configuration = context.configuration
        // What is changed in a write is there once that is committed.
        version = context.connection.version + (context.isWriting ? 1 : 0)
        self.row = row
        self.origin = origin.map { HandedOrigin($0) }
        self.query = query
    }
}

extension ObjectBase: ThreadConfined {
    public final var _handedOver: _HandedOver {
        guard let context else { misuse("A reference to an unmanaged object was made; hand its values over instead") }
        return _HandedOver(context, row: HandedRow(self))
    }
}

extension ThreadConfined where Self: ObjectBase {
    public static func _resolve(_ handedOver: _HandedOver, in realm: Realm) -> Self? {
        handedOver.row?.resolved(in: realm.context) as? Self
    }
}

extension Results: ThreadConfined {
    public var _handedOver: _HandedOver {
        let source = source
        return _HandedOver(source.context, origin: source.origin, query: source.query)
    }

    public static func _resolve(_ handedOver: _HandedOver, in realm: Realm) -> Results? {
        handedOver.origin?.resolved(in: realm.context).map { origin in
            Results(ResultsSource(realm.context, origin, handedOver.query))
        }
    }
}
