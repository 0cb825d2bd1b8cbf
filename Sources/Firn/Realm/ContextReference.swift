import CSwiftMetadata
import Synchronization

/// A reference to a context that does not keep it.
///
/// Not `weak`: that would slow down the retain and release which every object costs its realm.
final class ContextReference: Sendable {
    private let context = Mutex<Unmanaged<RealmContext>?>(nil)

    /// The context, unless it is on its way out.
    func get() -> RealmContext? {
        context.withLock { context in
            // SAFETY: the context clears the reference when it goes, under the same lock.
            context.flatMap { firn_try_retain($0.toOpaque()) ? $0.takeRetainedValue() : nil }
        }
    }

    func set(_ context: RealmContext) {
        self.context.withLock { $0 = .passUnretained(context) }
    }

    /// The context is going.
    func clear() {
        context.withLock { $0 = nil }
    }
}
