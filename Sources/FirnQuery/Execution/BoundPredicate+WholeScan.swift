import Dispatch
import FirnStore

/// Scans of whole tables outside a write: over the leaves as they lie, without a cursor, and on all processors where the
/// table is large.
extension PlannedQuery {
    /// So many leaves (4 KiB each) are one task: large enough that handing them out costs nothing beside reading them.
    private static var leavesPerTask: Int { 512 }
    /// A table of fewer leaves is read before another thread has woken.
    private static var parallelLeafCount: Int { 2048 }

    /// What `part` makes of each leaf's matches, in the order of keys; nil in a write.
    func scanWhole<Part: Sendable>(
        _ table: TableID, _ connection: Connection, _ part: @Sendable (LeafSelection) -> Part
    ) -> [Part]? {
        guard let leaves = connection.leaves(of: table) else { return nil }
        guard leaves.count >= PlannedQuery.parallelLeafCount, tests.allSatisfy(\.readsRecordOnly) else {
            return scan(leaves, 0..<leaves.count, connection, part)
        }
        // SAFETY: the tests do not use it: they read nothing but records, and those lie in the list's snapshot.
        nonisolated(unsafe) let connection = connection
        let taskCount = (leaves.count + PlannedQuery.leavesPerTask - 1) / PlannedQuery.leavesPerTask
        return [[Part]](unsafeUninitializedCapacity: taskCount) { parts, initializedCount in
            // SAFETY: each task writes the one place that is its own, and all are done when the call returns.
            nonisolated(unsafe) let parts = parts
            DispatchQueue.concurrentPerform(iterations: taskCount) { task in
                let first = task * PlannedQuery.leavesPerTask
                let range = first..<min(first + PlannedQuery.leavesPerTask, leaves.count)
                parts.initializeElement(at: task, to: scan(leaves, range, connection, part))
            }
            initializedCount = taskCount
        }.flatMap { $0 }
    }

    private func scan<Part>(
        _ leaves: LeafList, _ range: Range<Int>, _ connection: Connection, _ part: (LeafSelection) -> Part
    ) -> [Part] {
        var parts: [Part] = []
        parts.reserveCapacity(range.count)
        withUnsafeTemporaryAllocation(of: UInt16.self, capacity: LeafSelection.capacity) { buffer in
            guard let room = buffer.baseAddress else { return }
            leaves.forEach(in: range) { leaf in
                var selection = LeafSelection(leaf, 0..<leaf.count, in: room)
                for test in tests { test.narrow(&selection, connection) }
                parts.append(part(selection))
            }
        }
        return parts
    }
}
