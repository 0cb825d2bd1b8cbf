import FirnStore
import LMDB

extension RealmContext {
    var isWriting: Bool { openWrite != nil }

    /// Whether the store has given the write up, so that changes do nothing until it ends.
    var isBroken: Bool { openWrite?.isBroken == true }

    /// Runs a block in a write, joining the one that is open.
    func write<R>(quiet tokens: [NotificationToken] = [], _ block: () throws -> R) throws -> R {
        if isWriting {
            keepQuiet(tokens)
            return try joinWrite(block)
        }
        try beginWrite(onWriterThread: false)
        keepQuiet(tokens)
        return try finishWrite(block)
    }

    /// Runs a block in the write that was begun for it, and ends that.
    func finishWrite<R>(_ block: () throws -> R) throws -> R {
        let serial = writeSerial
        let result: R
        do {
            result = try block()
        } catch {
            // The block may have ended the write itself.
            if isWriting, writeSerial == serial { rollback() }
            throw error
        }
        if isWriting, writeSerial == serial { try commit() }
        return result
    }

    private func joinWrite<R>(_ block: () throws -> R) throws -> R {
        let serial = writeSerial
        do {
            return try block()
        } catch {
            if isWriting, writeSerial == serial { poison(error) }
            throw error
        }
    }

    /// Begins a write at the newest version. With a place in line at once, or not at all.
    func beginWrite(onWriterThread: Bool, place: WriterPlace? = nil) throws {
        if isFrozen { misuse("A write of a frozen realm was begun; write to what its thaw() gives") }
        guard !configuration.readOnly else {
            throw Realm.Error(
                .filePermissionDenied,
                "A realm whose configuration says readOnly cannot be written; open it without", fileURL: fileURL)
        }
        detachWalks()
        synchronizePlain()
        let version = connection.version
        do {
            try connection.beginWrite(
                WriteRequest(onWriterThread: onWriterThread, place: place, holder: writerDescription))
        } catch {
            // What another process did to the schema is found out at the newest version.
            if connection.version != version {
                generation &+= 1
                rebindIfNeeded()
                refillPlain()
            }
            throw Realm.Error.wrapping(error, fileURL: fileURL)
        }
        if connection.version != version { generation &+= 1 }
        rebindIfNeeded()
        writeSerial &+= 1
        openWrite = OpenWrite(attached: attachedObservations)
        plainObjects.holdAll()
        if connection.version != version { refillPlain() }
    }

    /// Begins a write for a place in line; false where somebody else is writing.
    func tryBeginWrite(_ place: WriterPlace) throws -> Bool {
        if isWriting { return false }
        do {
            try beginWrite(onWriterThread: false, place: place)
            return true
        } catch let error as Realm.Error where (error.cause as? StoreError)?.environment?.code == .writerTimeout {
            return false
        }
    }

    /// Begins a write that can only end with an error: the real one could not begin.
    func beginBrokenWrite(_ error: any Error) {
        writeSerial &+= 1
        openWrite = OpenWrite(poison: error, isBroken: true)
    }

    private var writerDescription: WriterDescription {
        WriterDescription(text: "the realm of \(confinement)", identity: confinement.writerIdentity)
    }

    /// Commits, or rolls back and throws where the write is poisoned.
    func commit() throws {
        synchronizePlain()
        guard let state = openWrite else { return }
        if let poison = state.poison {
            rollback()
            throw poison
        }
        let version = connection.version
        let deleted = connection.deletedRows
        do {
            if let waker {
                try waker.whileCommitting { _ = try connection.commit() }
            } else {
                try connection.commit()
            }
        } catch {
            endRolledBack(state, deleted)
            throw Realm.Error.wrapping(error, fileURL: fileURL)
        }
        openWrite = nil
        plainObjects.releaseHeld()
        // Another writer may have been faster than the look at the newest version that follows a commit.
        if connection.version > version + 1 {
            generation &+= 1
            rebindIfNeeded()
            refillPlain()
        }
        for observation in state.quiet { observation.skip(knowing: version) }
        warnOfPinnedVersions()
        tellOfEnd(state)
    }

    /// Ends the write with nothing of it kept.
    func rollback() {
        guard let state = openWrite else { return }
        let deleted = connection.deletedRows
        if connection.isWriting { connection.rollback() }
        endRolledBack(state, deleted)
    }

    private func endRolledBack(_ state: OpenWrite, _ deleted: DeletedRows) {
        identity.noteRollback(serial: writeSerial, state, deleted)
        generation &+= 1
        openWrite = nil
        plainObjects.releaseHeld()
        refillPlain()
        // The rows are there again, their accessors are not.
        renew(state.attached)
        tellOfEnd(state)
    }

    private func tellOfEnd(_ state: OpenWrite) {
        for action in state.atEnd { action() }
        announceVersion()
        // Whoever listens hears only of others' commits.
        if !observations.isEmpty { waker?.wake() }
        wakeIfDeferred()
    }

    /// Does something when the open write has ended, or now where none is open.
    func atEndOfWrite(_ action: @escaping () -> Void) {
        if isWriting { openWrite?.atEnd.append(action) } else { action() }
    }

    /// Makes the write throw `error` at its end, unless an earlier one is there.
    func poison(_ error: any Error) {
        if openWrite?.poison == nil { openWrite?.poison = error }
    }

    /// Throws the error that the open write is going to end with.
    func checkPoison() throws {
        if let poison = openWrite?.poison { throw poison }
    }

    /// Poisons the write with an error of the store.
    func fail(_ error: StoreError, _ context: String) {
        // A refusal to delete an object says itself what was attempted.
        let isWhole = error.code == .deletionDenied
        poison(Realm.Error(error, fileURL: fileURL, context: isWhole ? nil : context))
        if connection.lostWriteError != nil {
            openWrite?.isBroken = true
            generation &+= 1
        }
    }

    /// Traps outside a write, with what was attempted, and what is to be done in one.
    @inline(__always)
    func checkIsWriting(_ attempt: @autoclosure () -> String, _ remedy: String = "do it") {
        if !isWriting { trapNotWriting(attempt(), remedy) }
    }

    @inline(never)
    private func trapNotWriting(_ attempt: String, _ remedy: String) -> Never {
        if isFrozen { misuse("\(attempt) in a frozen realm, which never changes; use what thaw() gives") }
        misuse("\(attempt) outside of a write transaction; \(remedy) in the block of realm.write { … }")
    }

    /// Traps in a write that ends with its block and not by a call.
    func checkEnds(_ call: String) {
        if openWrite?.endsByItself == true {
            misuse(
                "\(call) was called in a block of performWrite, which commits when it returns; throw an error to keep nothing of it"
            )
        }
    }

    /// Moves to the newest version. False where there is none, and in a write.
    func refresh() throws -> Bool {
        guard !isWriting, !isFrozen, !isDelivering else { return false }
        detachWalks()
        synchronizePlain()
        guard try connection.refresh() else { return false }
        generation &+= 1
        rebindIfNeeded()
        refillPlain()
        announceVersion()
        return true
    }

    /// Lets go of the version; all accessors are invalid for good.
    func invalidate() {
        if isFrozen || isDelivering { return }
        checkEnds("invalidate")
        rollback()
        let attached = attachedObservations
        detachWalks()
        do {
            try connection.invalidate()
        } catch {
            // The realm stays at its version, which it can still read; its accessors are invalid all the same.
        }
        rebindIfNeeded()
        identity.invalidateAll()
        generation &+= 1
        renew(attached)
    }

    /// Lets iterations that walk the store take what is left as a snapshot.
    private func detachWalks() {
        let walks = liveWalks.values
        liveWalks = [:]
        for walk in walks {
            // SAFETY: a walk takes itself off the list before it goes away.
            walk._withUnsafeGuaranteedRef { $0.detach() }
        }
    }
}
