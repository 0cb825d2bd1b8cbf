import CThreadIdentity
import FirnStore
import LMDB
import Synchronization

/// Has a realm look at its file again, where it is at home, when there is a new version.
///
/// It does not keep the realm. Commits that come while a block is on its way there send no second one.
final class Waker: Sendable {
    private let scheduler: Scheduler
    private let realm: ContextReference
    private let isOnItsWay = Atomic(false)
    /// The token of the thread on which the realm is committing, else 0.
    private let committingThread = Atomic<UInt64>(0)

    init(_ scheduler: Scheduler, _ realm: ContextReference) {
        self.scheduler = scheduler
        self.realm = realm
    }

    /// Begins to wake the realm, for as long as what is returned is there.
    func listen(to environment: Environment) -> CommitListener {
        environment.listen { [self] in
            // The realm knows its own commits.
            if committingThread.load(ordering: .relaxed) != firn_thread_token() { wake() }
        }
    }

    /// Wakes the realm. From any thread.
    func wake() {
        guard !isOnItsWay.exchange(true, ordering: .acquiringAndReleasing) else { return }
        scheduler.schedule { [self] in
            // Before the look at the file: a commit that comes later wakes the realm again.
            _ = isOnItsWay.exchange(false, ordering: .acquiringAndReleasing)
            realm.get()?.refreshAndDeliver()
        }
    }

    /// Runs the realm's own commit, which does not wake it.
    func whileCommitting<Result>(_ commit: () throws -> Result) rethrows -> Result {
        committingThread.store(firn_thread_token(), ordering: .relaxed)
        defer { committingThread.store(0, ordering: .relaxed) }
        return try commit()
    }
}
