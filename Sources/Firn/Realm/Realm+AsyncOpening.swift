import Dispatch
import Synchronization

extension Realm {
    /// An opening under way: see `asyncOpen(configuration:callbackQueue:callback:)`.
    public struct AsyncOpenTask: Sendable {
        fileprivate final class State: Sendable {
            let isCancelled = Atomic(false)
        }

        fileprivate let state = State()

        /// Has the callback not called any more. From any thread; once the callback has begun it does nothing.
        public func cancel() {
            state.isCancelled.store(true, ordering: .releasing)
        }
    }

    /// Opens a realm for a serial queue: the file in the background, since making it, checking it and building indexes can take long.
    ///
    /// The callback is called on the queue, unless the task that is returned is cancelled before, with the realm, which belongs to the
    /// queue (on the main queue, to the main thread), or with the error that `init(configuration:queue:)` would throw.
    @discardableResult
    public static func asyncOpen(
        configuration: Configuration = .defaultConfiguration, callbackQueue: DispatchQueue = .main,
        callback: @escaping (Result<Realm, Swift.Error>) -> Void
    ) -> AsyncOpenTask {
        let task = AsyncOpenTask()
        let callback = OpeningCallback(call: callback)
        RealmRegistry.openInBackground(configuration) { opened in
            callbackQueue.async {
                // What is open is quickly opened once more, for the queue.
                defer { withExtendedLifetime(opened) {} }
                guard !task.state.isCancelled.load(ordering: .acquiring) else { return }
                callback.call(
                    opened.flatMap { _ in
                        Result { try Realm(configuration: configuration, queue: callbackQueue) }
                    })
            }
        }
        return task
    }
}

/// `@unchecked Sendable`: called once, on the queue that the caller of `asyncOpen` has named for it.
private struct OpeningCallback: @unchecked Sendable {
    let call: (Result<Realm, any Error>) -> Void
}
