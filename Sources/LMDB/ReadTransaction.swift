import CLMDB

/// One version of the environment, kept readable until it is aborted or released.
///
/// SAFETY of `@unchecked Sendable`: every database was touched when it began, so look-ups and cursors only read LMDB's
/// structures from then on and several threads may use it at once, each with cursors of its own (measured on 0.9.24
/// with the thread sanitizer). `abort` and `renew` need everyone else to be done, which is the caller's to see to.
@usableFromInline
package final class ReadTransaction: Transaction, @unchecked Sendable {
    override init(_ environment: Environment, _ raw: OpaquePointer) {
        super.init(environment, raw)
    }

    deinit {
        abort()
    }

    /// Ends the transaction; its version's pages may be reused. Does nothing the second time, nor in a fork's child.
    package func abort() {
        guard let raw else { return }
        self.raw = nil
        guard !environment.isInherited else { return }
        Calls.transactionAbort(raw)
    }

    /// Ends the transaction and keeps the database handles that it opened.
    func commit() throws {
        let raw = try open()
        self.raw = nil
        let result = Calls.transactionCommit(raw)
        guard result == MDB_SUCCESS else { throw LMDBError.make(result, "keeping the databases open") }
    }

    /// Moves the transaction to the newest version. Cheaper than a new one; its cursors need `renew` too. When it
    /// throws the transaction has ended.
    package func renew() throws {
        let raw = try open()
        try environment.checkUsable()
        Calls.transactionReset(raw)
        do {
            let result = Calls.transactionRenew(raw)
            guard result == MDB_SUCCESS else { throw environment.readBeginFailure(result) }
            try environment.touchDatabases(of: raw)
        } catch {
            self.raw = nil
            Calls.transactionAbort(raw)
            throw error
        }
    }
}
