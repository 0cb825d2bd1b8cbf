import FirnStore
import Foundation
import LMDB

extension Realm {
    /// When a file is fetched before it is opened, which only a synchronised one can be: it makes no difference here.
    @frozen public enum OpenBehavior: Sendable {
        case never, always, once
    }

    /// Opens a realm that belongs to an actor: it, its objects, its collections and its results may be used wherever the code runs on
    /// that actor, whatever the thread, and between two `await`s as after them.
    ///
    ///     actor Library {
    ///         private var realm: Realm!
    ///         init() async throws { realm = try await Realm(actor: self) }
    ///         func add(_ title: String) async throws {
    ///             try await realm.asyncWrite { realm.add(Book(value: [title])) }
    ///         }
    ///     }
    ///
    /// The file is opened in the background; opening one that is open is cheap. The realm does not keep the actor alive. Throws as
    /// `init(configuration:queue:)` does, and `CancellationError` where the task is cancelled before.
    public init<A: Actor>(
        configuration: Configuration = .defaultConfiguration, actor: A, downloadBeforeOpen: OpenBehavior = .never
    ) async throws {
        self = try await Self.open(configuration, for: actor, isolation: actor)
    }

    /// Opens a realm of the main actor, which is that of the main thread: `Realm(configuration:)` called there gives the same one.
    @MainActor
    public init(
        configuration: Configuration = .defaultConfiguration, downloadBeforeOpen: OpenBehavior
    ) async throws {
        self = try await Self.open(configuration, for: MainActor.shared, isolation: MainActor.shared)
    }

    /// Opens a realm of the actor on which the caller runs: see `init(configuration:actor:downloadBeforeOpen:)`.
    ///
    /// Traps where that is none; open one with `Realm(configuration:)` there, for code without an `await` in between.
    public static func open(
        configuration: Configuration = .defaultConfiguration, _isolation actor: isolated (any Actor)? = #isolation,
        downloadBeforeOpen: OpenBehavior = .never
    ) async throws -> Realm {
        guard let actor else {
            misuse(
                "Realm.open was called by code that runs on no actor, where the next line may run on another thread; call it in an "
                    + "actor or on the main actor, or freeze what is to be read")
        }
        return try await open(configuration, for: actor, isolation: actor)
    }

    private static func open(
        _ configuration: Configuration, for actor: any Actor, isolation: isolated any Actor
    ) async throws -> Realm {
        try Task.checkCancellation()
        let realm = try await openUncancelled(configuration, for: actor, isolation: actor)
        try Task.checkCancellation()
        return realm
    }

    /// Opens a realm whether or not the task is cancelled.
    static func openUncancelled(
        _ configuration: Configuration, for actor: any Actor, isolation: isolated any Actor
    ) async throws -> Realm {
        // Making the file, checking it and building indexes can take long; what is open then is quickly opened once more.
        let opened = try await OpenedStore(configuration)
        defer { withExtendedLifetime(opened) {} }
        return Realm(try RealmRegistry.context(for: configuration, Confinement(actor)))
    }

    /// Runs a block in a write transaction and commits it, waiting for other writers without blocking the actor.
    ///
    /// All is as `write(_:)` says, but for the wait: the task is suspended for it, and the actor goes on with other work meanwhile. The
    /// block itself and its commit run on the actor. Turns come in the order in which they were asked for, but a `write` that waits
    /// on a thread overtakes. Once the call has returned, every realm that is refreshed or opened sees the commit.
    ///
    /// Throws `CancellationError` where the task is cancelled while it waits. Traps for a realm that belongs neither to the actor on
    /// which the caller runs nor, there, to the main thread.
    @discardableResult
    public func asyncWrite<Result>(
        _isolation actor: isolated (any Actor)? = #isolation, _ block: () throws -> Result
    ) async throws -> Result {
        let context = asyncContext(actor, "asyncWrite")
        let place = context.lineUpTask()
        defer { context.leaveLine(place) }
        var pause = TurnPause()
        while true {
            await place.waitUntilFree()
            try Task.checkCancellation()
            if context.isClosed { throw context.closedBeforeTurn }
            if try context.tryBeginWrite(place) { break }
            if let time = pause.next(context) { try await Task.sleep(for: time) }
        }
        return try context.finishWrite(block)
    }

    /// Moves to the newest version, as `refresh()` does.
    @discardableResult
    public func asyncRefresh(_isolation actor: isolated (any Actor)? = #isolation) async -> Bool {
        _ = asyncContext(actor, "asyncRefresh")
        return refresh()
    }

    /// The realm's context. Traps unless the realm is one of the actor on which the caller runs.
    private func asyncContext(_ actor: (any Actor)?, _ call: String) -> RealmContext {
        switch opened.confinement {
        case .actor(let own) where own.isOf(actor): return context
        case .main where actor === MainActor.shared: return context
        default:
            if isFrozen { misuse("\(call) was called for a frozen realm, which never changes; use what thaw() gives") }
            misuse(
                "\(call) was called for the realm of \(opened.confinement) on \(actor.map { "the actor \(type(of: $0))" } ?? "no actor"); "
                    + "open the realm with Realm(actor:), and call it on that actor")
        }
    }
}

/// A realm of its own that keeps a file open which was opened in the background.
private final class OpenedStore: Sendable {
    private let context: RealmContext

    init(_ configuration: Realm.Configuration) async throws {
        context = try await withCheckedThrowingContinuation { continuation in
            RealmRegistry.openInBackground(configuration) { continuation.resume(with: $0) }
        }
    }
}
