import _Concurrency

/// The writes that wait for their turns: the most urgent first, among equals the one that was asked for first.
struct WriteLanes {
    /// A write that somebody waits for.
    struct Write {
        let id: UInt64
        let priority: TaskPriority
        let since: ContinuousClock.Instant
        /// Runs the block; what it returns tells the caller that what the block did is kept.
        let run: (RealmContext) throws -> () -> Void
        /// Tells the caller that nothing of it is kept.
        let fail: (any Error) -> Void
    }

    private var lanes: [UInt8: ArraySlice<Write>] = [:]
    private(set) var count = 0

    var isEmpty: Bool { count == 0 }

    /// Since when the write has waited that has waited longest.
    var oldest: ContinuousClock.Instant? { lanes.values.lazy.compactMap(\.first?.since).min() }

    mutating func append(_ write: Write) {
        lanes[write.priority.rawValue, default: []].append(write)
        count += 1
    }

    /// Takes the next write; with a priority only if it is of that one.
    mutating func popFirst(only priority: TaskPriority? = nil) -> Write? {
        guard let highest = lanes.keys.max(), priority.map({ $0.rawValue == highest }) ?? true else { return nil }
        let write = lanes[highest]?.popFirst()
        if lanes[highest]?.isEmpty ?? false { lanes[highest] = nil }
        count -= 1
        return write
    }

    /// Takes a write out of the line. Nil where it is not there any more.
    mutating func remove(_ id: UInt64) -> Write? {
        for (priority, lane) in lanes {
            guard let index = lane.firstIndex(where: { $0.id == id }) else { continue }
            lanes[priority] = lane.count == 1 ? nil : lane[..<index] + lane[(index + 1)...]
            count -= 1
            return lane[index]
        }
        return nil
    }

    mutating func removeAll() -> [Write] {
        defer { self = WriteLanes() }
        return lanes.values.flatMap { $0 }
    }
}
