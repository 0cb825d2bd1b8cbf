import CThreadIdentity
import Dispatch
import Foundation
import Synchronization

/// Where a realm and its objects may be used: on one thread, on one serial queue, or on one actor.
enum Confinement: Hashable, Sendable {
    /// The thread with a token of `firn_thread_token`.
    case thread(UInt64)
    /// The queue marked with a token, whatever thread it runs on.
    case queue(UInt64)
    /// An actor, whatever thread it runs on.
    case actor(ConfiningActor)

    /// The confinement to the calling thread.
    static var currentThread: Confinement { .thread(firn_thread_token()) }

    /// The confinement to a queue. The main queue's is the main thread's.
    init(_ queue: DispatchQueue) {
        if queue === DispatchQueue.main, Thread.isMainThread {
            self = .currentThread
        } else {
            self = .queue(Self.token(of: queue))
        }
    }

    /// The confinement to an actor. The main actor's is the main thread's, where the caller must be then.
    init(_ actor: any Actor) {
        self = actor === MainActor.shared ? .currentThread : .actor(ConfiningActor.of(actor))
    }

    /// Whether the caller is where it may be.
    var isCurrent: Bool {
        switch self {
        case .thread(let token): token == firn_thread_token()
        case .queue(let token): DispatchQueue.getSpecific(key: Self.key) == token
        case .actor(let actor): actor.isCurrent
        }
    }

    /// What a thread compares its own token with, 0 for a queue and an actor: no thread has that one.
    var threadToken: UInt64 {
        if case .thread(let token) = self { token } else { 0 }
    }

    private static let key = DispatchSpecificKey<UInt64>()
    private static let tokenLock = Mutex(())
    private static let lastToken = Atomic<UInt64>(0)

    /// A number that no other queue and no actor has.
    static func makeToken() -> UInt64 {
        lastToken.add(1, ordering: .relaxed).newValue
    }

    private static func token(of queue: DispatchQueue) -> UInt64 {
        tokenLock.withLock { _ in
            if let known = queue.getSpecific(key: key) { return known }
            let token = makeToken()
            queue.setSpecific(key: key, value: token)
            return token
        }
    }
}

extension Confinement: CustomStringConvertible {
    /// The place as messages name it.
    var description: String {
        switch self {
        case .thread(let token): "thread \(token)"
        case .queue(let token): "queue \(token)"
        case .actor(let actor): "the actor \(actor.name)"
        }
    }
}
