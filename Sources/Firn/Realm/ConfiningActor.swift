import CThreadIdentity
import Synchronization

/// An actor that realms belong to. It keeps neither the actor alive nor what the actor owns.
///
/// `@unchecked Sendable`: the weak reference is only read once this is made.
final class ConfiningActor: @unchecked Sendable {
    /// The actor's type, as messages name it.
    let name: String
    /// A number that no queue and no other actor has.
    let token = Confinement.makeToken()
    private weak var actor: (any Actor)?
    private let executor: (identity: UInt, implementation: UInt)

    private init(_ actor: any Actor) {
        name = "\(type(of: actor))"
        self.actor = actor
        // SAFETY: the documented layout of an executor reference is these two words.
        executor = unsafeBitCast(actor.unownedExecutor, to: (UInt, UInt).self)
    }

    private static let known = Mutex<[ObjectIdentifier: ConfiningActor]>([:])

    /// The one of an actor.
    static func of(_ actor: any Actor) -> ConfiningActor {
        known.withLock { known in
            // Another actor may have had the address.
            if let entry = known[ObjectIdentifier(actor)], entry.actor === actor { return entry }
            known = known.filter { $0.value.actor != nil }
            let entry = ConfiningActor(actor)
            known[ObjectIdentifier(actor)] = entry
            return entry
        }
    }

    /// Whether the caller runs on the actor.
    var isCurrent: Bool {
        // An actor that is gone runs nothing, and its executor may be asked for no more.
        guard let actor else { return false }
        return withExtendedLifetime(actor) { firn_is_current_executor(executor.identity, executor.implementation) }
    }

    /// The actor, unless it is gone.
    func get() -> (any Actor)? { actor }

    /// Has a block run on the actor soon, unless it is gone. Keeps it until then.
    func run(_ body: @escaping @Sendable () -> Void) {
        guard let actor else { return }
        Task.detached { await Self.run(body, on: actor) }
    }

    private static func run(_ body: () -> Void, on actor: isolated any Actor) {
        body()
    }

    /// Whether it is the one of an actor.
    func isOf(_ actor: (any Actor)?) -> Bool {
        actor != nil && self.actor === actor
    }
}

extension ConfiningActor: Hashable {
    static func == (left: ConfiningActor, right: ConfiningActor) -> Bool { left === right }

    func hash(into hasher: inout Hasher) {
        hasher.combine(token)
    }
}
