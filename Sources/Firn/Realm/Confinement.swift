import CThreadIdentity
import Dispatch
import Foundation
import Synchronization

/// Where a realm and its objects may be used: on one thread, or on one serial queue.
enum Confinement: Hashable, Sendable {
    /// The thread with a token of `firn_thread_token`.
    case thread(UInt64)
    /// The queue marked with a token, whatever thread it runs on.
    case queue(UInt64)

    /// The confinement to the calling thread.
    static var currentThread: Confinement { .thread(firn_thread_token()) }

    /// The confinement to the queue that the calling thread runs, where a realm was opened for it.
    static var currentQueue: Confinement? { DispatchQueue.getSpecific(key: key).map { .queue($0) } }

    /// The confinement to a queue. The main queue's is the main thread's.
    init(_ queue: DispatchQueue) {
        if queue === DispatchQueue.main, Thread.isMainThread {
            self = .currentThread
        } else {
            self = .queue(Self.token(of: queue))
        }
    }

    /// Whether the caller is where it may be.
    var isCurrent: Bool {
        switch self {
        case .thread(let token): token == firn_thread_token()
        case .queue(let token): DispatchQueue.getSpecific(key: Self.key) == token
        }
    }

    /// What a thread compares its own token with, 0 for a queue: no thread has that one.
    var threadToken: UInt64 {
        if case .thread(let token) = self { token } else { 0 }
    }

    private static let key = DispatchSpecificKey<UInt64>()
    private static let lastToken = Mutex<UInt64>(0)

    private static func token(of queue: DispatchQueue) -> UInt64 {
        lastToken.withLock { last in
            if let known = queue.getSpecific(key: key) { return known }
            last += 1
            queue.setSpecific(key: key, value: last)
            return last
        }
    }
}

extension Confinement: CustomStringConvertible {
    /// The place as messages name it.
    var description: String {
        switch self {
        case .thread(let token): "thread \(token)"
        case .queue(let token): "queue \(token)"
        }
    }
}
