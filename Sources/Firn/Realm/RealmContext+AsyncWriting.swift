import FirnStore
import LMDB

extension RealmContext {
    /// Traps unless blocks can be run later where the realm is at home.
    func schedulerForWriting(_ call: String) -> Scheduler {
        if isFrozen { misuse("\(call) was called for a frozen realm; write to what its thaw() gives") }
        guard let scheduler else {
            misuse(
                "\(call) was called for the realm of \(confinement), which runs no run loop in which the block could be called later; "
                    + "use write(_:), or open the realm for a queue with Realm(queue:)")
        }
        return scheduler
    }

    /// Has a write made when its turn has come.
    func enqueueWrite(
        _ call: String, commits: Bool, _ block: @escaping () -> Void, onComplete: AsyncWrites.Completion?
    ) -> AsyncTransactionId {
        let scheduler = schedulerForWriting(call)
        let id = asyncWrites.makeID()
        asyncWrites.waiting.append(
            AsyncWrites.Request(id: id, block: block, commits: commits, onComplete: onComplete))
        lineUpForAsyncWrite(scheduler)
        return id
    }

    /// Commits the open write, and tells later how that went.
    func commitAsyncWrite(_ onComplete: AsyncWrites.Completion?) -> AsyncTransactionId {
        checkIsWriting("commitAsyncWrite was called")
        checkEnds("commitAsyncWrite")
        let scheduler = schedulerForWriting("commitAsyncWrite")
        let id = asyncWrites.makeID()
        let failure = outcome { try commit() }
        guard let onComplete else {
            if let failure { logUntold(failure) }
            return id
        }
        asyncWrites.completions[id] = onComplete
        scheduler.schedule { [self, home = scheduler.home] in
            if !isClosed { checkConfinement() }
            asyncWrites.completions.removeValue(forKey: id)?(failure)
            withExtendedLifetime(home) {}
        }
        return id
    }

    /// Forgets a write that has not begun, or whom to tell of a commit.
    func cancelAsyncWrite(_ id: AsyncTransactionId) {
        asyncWrites.completions[id] = nil
        asyncWrites.waiting.removeAll { $0.id == id }
        if asyncWrites.waiting.isEmpty {
            asyncWrites.place?.leave()
            asyncWrites.place = nil
        }
    }

    /// Puts a task that writes in the line of writers, where it waits until its turn, or until the realm is closed.
    func lineUpTask() -> WriterPlace {
        let place = connection.store.environment.lineUp()
        asyncWrites.tasksPlaces.append(place)
        return place
    }

    func leaveLine(_ place: WriterPlace) {
        place.leave()
        asyncWrites.tasksPlaces.removeAll { $0 === place }
    }

    /// Takes back all writes that wait. Tasks that wait look for themselves what has happened.
    func takeAsyncWrites() -> [AsyncWrites.Request] {
        for place in asyncWrites.tasksPlaces { place.leave() }
        asyncWrites.place?.leave()
        asyncWrites.place = nil
        defer { asyncWrites.waiting = [] }
        return asyncWrites.waiting
    }

    private func lineUpForAsyncWrite(_ scheduler: Scheduler) {
        guard asyncWrites.place == nil, !asyncWrites.waiting.isEmpty else { return }
        let place = connection.store.environment.lineUp()
        asyncWrites.place = place
        asyncWrites.pause = TurnPause()
        waitForTurn(place, scheduler, after: nil)
    }

    /// Waits for the turn elsewhere, and tries to take it where the realm is at home: so nobody holds the gate who has yet to be
    /// resumed. The realm and its actor are kept meanwhile.
    private func waitForTurn(_ place: WriterPlace, _ scheduler: Scheduler, after pause: Duration?) {
        Task.detached { [self, home = scheduler.home] in
            if let pause { try? await Task.sleep(for: pause) }
            await place.waitUntilFree()
            scheduler.schedule {
                self.takeTurn(place, scheduler)
                withExtendedLifetime(home) {}
            }
        }
    }

    private func takeTurn(_ place: WriterPlace, _ scheduler: Scheduler) {
        if isClosed { return }
        checkConfinement()
        // All may have been cancelled meanwhile.
        guard asyncWrites.place === place, let request = asyncWrites.waiting.first else { return }
        var failure: (any Error)?
        do {
            guard try tryBeginWrite(place) else {
                return waitForTurn(place, scheduler, after: asyncWrites.pause.next(self))
            }
        } catch {
            failure = error
        }
        place.leave()
        asyncWrites.place = nil
        asyncWrites.waiting.removeFirst()
        if failure == nil { failure = run(request) }
        if let onComplete = request.onComplete {
            onComplete(failure)
        } else if let failure {
            logUntold(failure)
        }
        lineUpForAsyncWrite(scheduler)
    }

    /// Runs the block of a write that was begun for it, and ends that.
    private func run(_ request: AsyncWrites.Request) -> (any Error)? {
        asyncWrites.isRunning = true
        defer { asyncWrites.isRunning = false }
        if request.commits { return outcome { try finishWrite(request.block) } }
        let serial = writeSerial
        request.block()
        // The block may have begun another write, which is its own.
        if isWriting, writeSerial == serial { rollback() }
        return nil
    }

    private func outcome(of body: () throws -> Void) -> (any Error)? {
        do {
            try body()
            return nil
        } catch {
            return error
        }
    }

    private func logUntold(_ failure: any Error) {
        Logger.shared.log(.error, "An asynchronous write without a completion block has failed: \(failure)")
    }
}
