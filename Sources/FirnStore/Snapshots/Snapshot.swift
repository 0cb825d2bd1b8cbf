import Foundation
import LMDB

/// One version of a store, held for as long as somebody looks at it.
///
/// All databases are touched when it is opened, so that from then on several threads may read it through cursors of
/// their own without a lock. A held snapshot keeps every page that is freed after it.
package final class Snapshot: Sendable {
    /// The store whose version it is.
    package let store: Store
    /// The version, by our own counter.
    package var version: UInt64 { state.version }
    let transaction: ReadTransaction
    let state: StoreState
    /// When it was opened, and its version so began to be kept.
    let openingTime = Date()

    init(store: Store, transaction: ReadTransaction) throws {
        self.store = store
        self.transaction = transaction
        guard let bytes = try transaction.get(store.databases.meta, MetaKey.state) else {
            throw StoreError(.corrupted, "the file has no state record; run `firn check`")
        }
        state = try StoreState(bytes)
    }
}
