import Dispatch
import Synchronization

/// A serial queue that realms belong to, kept by them.
struct ConfiningQueue: Sendable {
    let queue: DispatchQueue
    /// A number that no actor and no other queue has.
    let token: UInt64

    init(_ queue: DispatchQueue) {
        self.queue = queue
        token = Self.lock.withLock { _ in
            if let known = queue.getSpecific(key: Self.key) { return known }
            let token = Confinement.makeToken()
            queue.setSpecific(key: Self.key, value: token)
            return token
        }
    }

    /// What the program calls it.
    var label: String { queue.label }

    /// Whether the caller runs on the queue.
    var isCurrent: Bool { DispatchQueue.getSpecific(key: Self.key) == token }

    private static let key = DispatchSpecificKey<UInt64>()
    private static let lock = Mutex(())
}

extension ConfiningQueue: Hashable {
    static func == (left: ConfiningQueue, right: ConfiningQueue) -> Bool { left.token == right.token }

    func hash(into hasher: inout Hasher) {
        hasher.combine(token)
    }
}
