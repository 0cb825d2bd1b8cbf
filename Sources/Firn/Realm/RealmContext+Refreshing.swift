import FirnStore
import LMDB

extension RealmContext {
    /// Where blocks for the realm can be run. Nil for a frozen realm, and on a thread that runs no run loop, which is asked anew each
    /// time.
    var scheduler: Scheduler? {
        if let knownScheduler { return knownScheduler }
        if isFrozen { return nil }
        knownScheduler = Scheduler(confinement)
        return knownScheduler
    }

    /// Has `refreshAndDeliver()` called after each commit of others, as long as the realm is there. Does nothing the second time,
    /// nor where no blocks can be run.
    func startListening() {
        guard waker == nil, let scheduler else { return }
        let waker = Waker(scheduler, reference)
        self.waker = waker
        commitListener = waker.listen(to: connection.store.environment)
        wakeIfBehind()
    }

    /// Refreshes from now on whenever others commit, if blocks can be run. To be called when the realm has been opened.
    func startAutorefresh() {
        guard scheduler != nil else { return }
        isAutorefreshing = true
        startListening()
    }

    func setAutorefresh(_ isOn: Bool) {
        if isOn, isFrozen {
            misuse("autorefresh was set for a frozen realm, which never changes; use what thaw() gives")
        }
        isAutorefreshing = isOn
        guard isOn else { return }
        startListening()
        wakeIfBehind()
    }

    /// What is to be done when somebody has committed. Called where the realm is at home, and at the end of a write that was open.
    func refreshAndDeliver() {
        guard !isWriting, !isDelivering else {
            isWakeDeferred = true
            return
        }
        // What cannot be read now is found by the next commit or the next use of the file.
        if isAutorefreshing { _ = try? refresh() } else { announceRequiredRefresh() }
        deliverNotifications()
    }

    /// To be called when a write has ended, however, and when observers have been told.
    func wakeIfDeferred() {
        guard isWakeDeferred else { return }
        isWakeDeferred = false
        waker?.wake()
    }

    /// For commits that nobody listened to.
    private func wakeIfBehind() {
        if let waker, !connection.isNewest { waker.wake() }
    }
}
