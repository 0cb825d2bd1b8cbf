import Foundation
import RawLMDB

/// LMDB used directly, from C (`Sources/RawLMDB`).
final class RawEngine: Engine {
    /// "LMDB 0.9.24", without the date that LMDB puts after it.
    static var version: String { String(String(cString: raw_version()).prefix { $0 != ":" }) }

    struct Failure: Error, CustomStringConvertible {
        let description: String
    }

    private let store: OpaquePointer
    private let keys: KeyKind

    init(path: String, keys: KeyKind) throws {
        var opened: OpaquePointer?
        let code = raw_open(path, keys == .integer ? RAW_INTEGER_KEYS : RAW_UUID_KEYS, &opened)
        guard let opened else { throw Self.failure(code) }
        store = opened
        self.keys = keys
    }

    deinit {
        raw_close(store)
    }

    static func failure(_ code: Int32) -> Failure {
        Failure(description: "LMDB: " + String(cString: raw_error(code)))
    }

    private func check(_ code: Int32) throws {
        guard code == 0 else { throw Self.failure(code) }
    }

    func insertGroups(_ count: Int) throws {
        try check(raw_insert_groups(store, UInt64(count)))
    }

    func insert(_ batch: Batch) throws {
        try check(raw_insert(store, batch.rawItems.items, batch.rawItems.items.count))
    }

    func read(ids: [Int]) throws -> Sum {
        var sum = raw_sum()
        // Int and UInt64 differ in sign only, and ids are positive.
        try ids.withUnsafeBytes { bytes in
            let ids = bytes.bindMemory(to: UInt64.self)
            try check(raw_read_integers(store, ids.baseAddress, ids.count, &sum))
        }
        return Sum(sum)
    }

    func read(uuids: [UUID]) throws -> Sum {
        var sum = raw_sum()
        try uuids.withUnsafeBytes { bytes in
            let uuids = bytes.bindMemory(to: raw_uuid.self)
            try check(raw_read_uuids(store, uuids.baseAddress, uuids.count, &sum))
        }
        return Sum(sum)
    }

    func read(ids: [Int], threads: Int) throws -> Sum {
        nonisolated(unsafe) let engine = self
        return try Parts(count: ids.count, threads: threads).sum { range in
            // Each has a transaction of its own: LMDB's are one thread's.
            try engine.read(ids: Array(ids[range]))
        }
    }

    func read(ids: [Int], threads: Int, besideUpdatesOf updated: ArraySlice<Int>) throws -> Sum {
        nonisolated(unsafe) let engine = self
        return try Parts(count: ids.count, threads: threads).sum(
            beside: Parts.batches(of: updated),
            write: { try engine.update(ids: $0, counters: $0) },
            read: { range in
                var sum = Sum()
                for batch in Parts.batches(of: ids[range]) { sum.add(try engine.read(ids: batch)) }
                return sum
            })
    }

    func readEachInSnapshot(ids: [Int]) throws -> Sum {
        var sum = Sum()
        for id in ids { sum.add(try read(ids: [id])) }
        return sum
    }

    func update(ids: [Int], counters: [Int]) throws {
        try ids.withUnsafeBytes { idBytes in
            try counters.withUnsafeBytes { counterBytes in
                let ids = idBytes.bindMemory(to: UInt64.self)
                let counters = counterBytes.bindMemory(to: Int64.self)
                try check(raw_update(store, ids.baseAddress, counters.baseAddress, ids.count))
            }
        }
    }

    func iterate() throws -> Sum {
        var sum = raw_sum()
        try check(raw_iterate(store, &sum))
        return Sum(sum)
    }

    func countScores(above bound: Double) throws -> Int {
        var count: UInt64 = 0
        try check(raw_count_scores(store, bound, &count))
        return Int(count)
    }

    func countActiveScores(above bound: Double) throws -> Int {
        var count: UInt64 = 0
        try check(raw_count_active_scores(store, bound, &count))
        return Int(count)
    }

    func holds(_ row: Row) throws -> Bool {
        var item = raw_item()
        let wanted = RawItems([row]).items[0]
        try check(raw_find(store, wanted.id, raw_uuid(bytes: wanted.uuid), &item))
        var byToken: UInt64 = 0
        try check(raw_count_token(store, raw_uuid(bytes: wanted.token), &byToken))
        return RawItems.row(item) == row && byToken == 1
    }

    func count(category: Int) throws -> Int {
        var count: UInt64 = 0
        try check(raw_count_category(store, Int64(category), &count))
        return Int(count)
    }
}

extension Sum {
    fileprivate init(_ sum: raw_sum) {
        self.init(count: Int(sum.count), counters: Int(sum.counters), scores: sum.scores)
    }
}
