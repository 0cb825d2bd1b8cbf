import CThreadIdentity
import Dispatch
import Foundation
import Synchronization

/// Where a realm and its objects may be used: on one thread, on one serial queue, or on one actor.
enum Confinement: Hashable, Sendable {
    /// The main thread, and with it the main queue and the main actor. Where `main` is async, and after `dispatchMain()`, other
    /// threads run those, and the main thread runs nothing any more.
    case main
    /// The thread with a token of `firn_thread_token`.
    case thread(UInt64)
    /// A serial queue, whatever thread it runs on.
    case queue(ConfiningQueue)
    /// An actor, whatever thread it runs on.
    case actor(ConfiningActor)

    /// The confinement to the calling thread, whatever queue it runs.
    static var currentThread: Confinement { .thread(firn_thread_token()) }

    /// To what a realm belongs that is opened now for nothing in particular.
    static var here: Confinement { isMain ? .main : .currentThread }

    /// The confinement to a queue.
    init(_ queue: DispatchQueue) {
        let queue = ConfiningQueue(queue)
        self = queue == Self.mainQueue ? .main : .queue(queue)
    }

    /// The confinement to an actor.
    init(_ actor: any Actor) {
        self = actor === MainActor.shared ? .main : .actor(ConfiningActor.of(actor))
    }

    /// Whether the caller is where it may be.
    var isCurrent: Bool {
        switch self {
        case .main: Self.isMain
        case .thread(let token): token == firn_thread_token()
        case .queue(let queue): queue.isCurrent
        case .actor(let actor): actor.isCurrent
        }
    }

    /// What a thread compares its own token with: where it is the same, the caller is where it may be. 0, which no thread has, for a
    /// queue and an actor, and for the main queue on another thread than the main one.
    var threadToken: UInt64 {
        switch self {
        case .main: Thread.isMainThread ? firn_thread_token() : 0
        case .thread(let token): token
        case .queue, .actor: 0
        }
    }

    /// By what the gate knows a writer that belongs here and now writes: see `WriterDescription.identity`.
    var writerIdentity: UInt64 {
        // The numbers of queues and actors are their own; the bit keeps them apart from those of threads.
        switch self {
        case .main: Thread.isMainThread ? firn_thread_token() : Self.mainQueue.token | 1 << 63
        case .thread(let token): token
        case .queue(let queue): queue.token | 1 << 63
        case .actor(let actor): actor.token | 1 << 63
        }
    }

    // The queue first: that is quicker, and says it but where the main thread is in another queue's `sync`.
    private static var isMain: Bool { mainQueue.isCurrent || Thread.isMainThread }
    private static let mainQueue = ConfiningQueue(.main)
    private static let lastToken = Atomic<UInt64>(0)

    /// A number that no other queue and no actor has.
    static func makeToken() -> UInt64 {
        lastToken.add(1, ordering: .relaxed).newValue
    }
}

extension Confinement: CustomStringConvertible {
    /// The place as messages name it.
    var description: String {
        switch self {
        case .main: "the main thread"
        case .thread(let token): "thread \(token)"
        case .queue(let queue): "queue \(queue.token)" + (queue.label.isEmpty ? "" : " ('\(queue.label)')")
        case .actor(let actor): "the actor \(actor.name)"
        }
    }
}
