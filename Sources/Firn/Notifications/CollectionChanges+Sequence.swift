import FirnStore
import LMDB
import Synchronization

/// The changes of a collection, for `for await`: see `RealmCollection.changes`.
public struct CollectionChangeSequence<Observed: RealmCollection>: AsyncSequence, Sendable {
    public typealias Element = RealmCollectionChange<Observed>
    public typealias Failure = Never

    private let start: ChangeFeed<Observed>.Start

    init(_ collection: Observed, _ keyPaths: [String]?) {
        start = ChangeFeed.Start(collection, keyPaths)
    }

    /// Begins with what there is then.
    public func makeAsyncIterator() -> Iterator { Iterator(feed: ChangeFeed(start)) }

    /// Goes from change to change.
    public struct Iterator: AsyncIteratorProtocol {
        public typealias Failure = Never

        fileprivate let feed: ChangeFeed<Observed>

        /// Waits for the next change; nil once the object is gone that the collection belongs to, and where the task is cancelled.
        public mutating func next() async -> RealmCollectionChange<Observed>? {
            await next(isolation: nil)
        }

        /// Waits for the next change; nil once the object is gone that the collection belongs to, and where the task is cancelled.
        public mutating func next(isolation actor: isolated (any Actor)?) async -> RealmCollectionChange<Observed>? {
            // Found on a thread of the pool, whatever the actor is.
            guard let step = await feed.next() else { return nil }
            return step.change()
        }
    }
}

extension RealmCollection {
    /// The changes of the collection, as a sequence to wait for, in whatever task.
    ///
    ///     for await change in realm.objects(Dog.self).changes {
    ///         if case .update(let dogs, let deletions, let insertions, let modifications) = change { … }
    ///     }
    ///
    /// The first is `.initial`, the others are as for `observe(keyPaths:on:_:)`: each tells what is different from the one before. Each comes
    /// with the collection frozen at exactly its version. Whoever is slow misses nothing and waits for nothing: all commits since are
    /// one change then, found when it is asked for, on a thread of the pool. Ends when the object is gone that the collection belongs
    /// to, with the change that says so, and when the task is cancelled.
    ///
    /// Between two changes the version of the last one stays in the file. Traps for an unmanaged collection.
    public var changes: CollectionChangeSequence<Self> { changes(keyPaths: nil) }

    /// The changes of the collection and of what key paths name: see `changes` and `observe(keyPaths:on:_:)`.
    public func changes(keyPaths: [String]?) -> CollectionChangeSequence<Self> {
        CollectionChangeSequence(self, keyPaths)
    }

    /// The changes of the collection and of what key paths name: see `changes` and `observe(keyPaths:on:_:)`.
    public func changes(keyPaths: [PartialKeyPath<Element>]) -> CollectionChangeSequence<Self>
    where Element: ObjectBase {
        changes(keyPaths: keyPaths.map(\.observedName))
    }
}

/// Finds one change after the other.
///
/// SAFETY of `@unchecked Sendable`: the iterator that has it asks for one change at a time.
private final class ChangeFeed<Observed: RealmCollection>: @unchecked Sendable {
    /// What a feed begins with.
    struct Start: Sendable {
        let handedOver: _HandedOver
        let keyPaths: [String]?
        /// Keeps the file open.
        let context: RealmContext

        init(_ collection: Observed, _ keyPaths: [String]?) {
            guard case .managed(let source) = collection._querySource.content else {
                misuse("An unmanaged collection was asked for its changes; add it to a realm with its object first")
            }
            // Traps here for key paths that lead nowhere.
            _ = source.observedPaths(keyPaths)
            handedOver = collection._handedOver
            self.keyPaths = keyPaths
            context = source.context.frozenContext()
        }
    }

    /// A change, as it goes to another thread.
    struct Step: Sendable {
        let handedOver: _HandedOver
        let context: RealmContext
        /// Nil for the first.
        let changes: ElementChanges?

        func change() -> RealmCollectionChange<Observed>? {
            // What is gone is told of with the collection as it was last.
            guard let collection = Observed._resolve(handedOver, in: Realm(context.here)) else { return nil }
            guard let changes else { return .initial(collection) }
            return .update(
                collection, deletions: changes.deletions, insertions: changes.insertions,
                modifications: changes.modifications)
        }
    }

    private let handedOver: _HandedOver
    private let keyPaths: [String]?
    private let signal = CommitSignal()
    private let listener: CommitListener
    private var context: RealmContext
    private var tracker: ElementTracker?
    private var isOver = false

    init(_ start: Start) {
        handedOver = start.handedOver
        keyPaths = start.keyPaths
        context = start.context
        listener = start.context.connection.store.environment.listen { [signal] in signal.ring() }
    }

    deinit {
        listener.stop()
    }

    /// The next change. On a thread of the pool.
    func next() async -> Step? {
        while !isOver, !Task.isCancelled {
            if let step = step() { return step }
            if !isOver { await signal.wait() }
        }
        return nil
    }

    private func step() -> Step? {
        let newest = context.here.newestFrozenContext()
        let source = source(in: newest)
        guard let tracker else {
            context = newest
            guard let source else {
                isOver = true
                return nil
            }
            tracker = ElementTracker(source, source.observedPaths(keyPaths))
            return Step(handedOver: handedOver, context: newest, changes: nil)
        }
        let changes = tracker.advance(to: source)
        if source != nil { context = newest } else { isOver = true }
        return changes.isEmpty ? nil : Step(handedOver: handedOver, context: context, changes: changes)
    }

    private func source(in context: RealmContext) -> ResultsSource? {
        guard let collection = Observed._resolve(handedOver, in: Realm(context)),
            case .managed(let source) = collection._querySource.content
        else { return nil }
        return source.frozenIfThere()
    }
}

/// Whether a file has been committed to since somebody looked.
private final class CommitSignal: Sendable {
    private struct State {
        var hasRung = false
        var waiter: CheckedContinuation<Void, Never>?
    }

    private let state = Mutex(State())

    /// Notes a commit.
    func ring() {
        let waiter = state.withLock { state in
            defer { state.waiter = nil }
            if state.waiter == nil { state.hasRung = true }
            return state.waiter
        }
        waiter?.resume()
    }

    /// Returns once there was a commit since the last call, and where the task is cancelled.
    func wait() async {
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let hasRung = state.withLock { state in
                    if state.hasRung || Task.isCancelled {
                        state.hasRung = false
                        return true
                    }
                    state.waiter = continuation
                    return false
                }
                if hasRung { continuation.resume() }
            }
        } onCancel: {
            ring()
        }
    }
}
