import Dispatch
import FirnStore

/// Scans of whole tables outside a write: over the leaves as they lie, without a cursor, and on all processors where the
/// table is large.
extension PlannedQuery {
    /// So many leaves (4 KiB each) are one task: large enough that handing them out costs nothing beside reading them.
    private static var leavesPerTask: Int { 512 }
    /// A table of fewer leaves is read before another thread has woken.
    private static var parallelLeafCount: Int { 2048 }

    /// What `body` makes of the matches of each stretch of the table, in the order of keys, beginning each with the same; at
    /// least one, and for the same leaves always the same stretches. Nil in a write.
    func foldWhole<Part: Sendable>(
        _ table: TableID, _ connection: Connection, into initial: Part,
        _ body: @Sendable (inout Part, LeafSelection) -> Void
    ) -> [Part]? {
        guard let leaves = connection.leaves(of: table) else { return nil }
        let taskCount = max(1, (leaves.count + PlannedQuery.leavesPerTask - 1) / PlannedQuery.leavesPerTask)
        // SAFETY: the tests do not use it where several threads make them: those read nothing but records, which lie in the
        // list's snapshot.
        nonisolated(unsafe) let connection = connection
        @Sendable func fold(_ task: Int) -> Part {
            var part = initial
            let first = task * PlannedQuery.leavesPerTask
            LeafSelection.withRoom { room in
                leaves.forEach(in: first..<min(first + PlannedQuery.leavesPerTask, leaves.count)) { leaf in
                    body(&part, select(leaf, 0..<leaf.count, room, connection))
                }
            }
            return part
        }
        guard leaves.count >= PlannedQuery.parallelLeafCount, tests.allSatisfy(\.readsRecordOnly) else {
            return (0..<taskCount).map(fold)
        }
        return [Part](unsafeUninitializedCapacity: taskCount) { parts, initializedCount in
            // SAFETY: each task writes the one place that is its own, and all are done when the call returns.
            nonisolated(unsafe) let parts = parts
            DispatchQueue.concurrentPerform(iterations: taskCount) { parts.initializeElement(at: $0, to: fold($0)) }
            initializedCount = taskCount
        }
    }

    /// Calls `body` with what of each leaf passes all tests, from the last leaf to the first, until it answers false.
    func forEachSelectionBackwards(
        _ leaves: LeafList, _ connection: Connection, _ body: (LeafSelection) -> Bool
    ) {
        LeafSelection.withRoom { room in
            for position in stride(from: leaves.count - 1, through: 0, by: -1) {
                let leaf = leaves[position]
                guard body(select(leaf, 0..<leaf.count, room, connection)) else { return }
            }
        }
    }
}
