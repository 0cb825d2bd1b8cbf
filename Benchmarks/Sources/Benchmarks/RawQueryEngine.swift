import Foundation
import RawLMDB

/// LMDB used directly, from C (`Sources/RawLMDB/raw_queries.c`).
final class RawQueryEngine: QueryEngine {
    private let store: OpaquePointer
    private let wanted: [raw_query_item]

    init(path: String, _ dataset: QueryDataset) throws {
        var opened: OpaquePointer?
        let code = raw_queries_open(path, &opened)
        guard let opened else { throw RawEngine.failure(code) }
        store = opened
        wanted = dataset.wanted.map(Self.item)
        try dataset.forEachBatch { rows in
            try check(raw_queries_insert(store, rows.map(Self.item), rows.count))
        }
    }

    deinit {
        raw_queries_close(store)
    }

    private func check(_ code: Int32) throws {
        guard code == 0 else { throw RawEngine.failure(code) }
    }

    private static func item(_ row: QueryRow) -> raw_query_item {
        var item = raw_query_item()
        item.id = UInt64(row.id)
        withUnsafeMutableBytes(of: &item.object_id) { $0.copyBytes(from: row.objectID) }
        item.uuid = row.uuid.uuid
        item.age = Int64(row.age)
        item.score = row.score
        item.active = row.active
        item.code_length = UInt8(row.code.utf8.count)
        item.name_length = UInt8(row.name.utf8.count)
        withUnsafeMutableBytes(of: &item.code) { $0.copyBytes(from: row.code.utf8) }
        withUnsafeMutableBytes(of: &item.name) { $0.copyBytes(from: row.name.utf8) }
        return item
    }

    func sumScores(by key: QueryKey) throws -> Double {
        let rawKey =
            switch key {
            case .code: RAW_BY_CODE
            case .objectID: RAW_BY_OBJECT_ID
            case .uuid: RAW_BY_UUID
            }
        var sum = 0.0
        try check(raw_sum_scores_of(store, rawKey, wanted, wanted.count, QueryDataset.lookUpRepeats, &sum))
        return sum
    }

    // C has no words for it.
    func sumScoresFromText(by key: QueryKey) throws -> Double { try sumScores(by: key) }

    func countAges() throws -> Int {
        var sum: Int64 = 0
        try check(raw_count_ages(store, Int64(QueryDataset.ageCount), QueryDataset.ageRepeats, &sum))
        return Int(sum)
    }

    func sumScoresByAge() throws -> Double {
        var sum = 0.0
        try check(raw_sum_scores_by_age(store, Int64(QueryDataset.ageCount), &sum))
        return sum
    }

    func countActive(scoreAbove bound: Double) throws -> Int {
        var count: UInt64 = 0
        try check(raw_count_active(store, bound, &count))
        return Int(count)
    }

    func count(nameContaining part: String) throws -> Int {
        var count: UInt64 = 0
        try check(raw_count_names(store, part, part.utf8.count, &count))
        return Int(count)
    }

    func sumScores() throws -> Double {
        var sum = 0.0
        try check(raw_sum_scores(store, &sum))
        return sum
    }

    func agesByScore(first limit: Int) throws -> [Int] {
        try ages(limit) { raw_ages_by_score(store, limit, $0, &$1) }
    }

    func activeAgesByCode(first limit: Int) throws -> [Int] {
        try ages(limit) { raw_active_ages_by_code(store, limit, $0, &$1) }
    }

    private func ages(_ limit: Int, _ fill: (UnsafeMutablePointer<Int64>?, inout Int) -> Int32) throws -> [Int] {
        var count = 0
        var code: Int32 = 0
        let ages = [Int64](unsafeUninitializedCapacity: limit) { buffer, initializedCount in
            code = fill(buffer.baseAddress, &count)
            initializedCount = count
        }
        try check(code)
        return ages.map(Int.init)
    }
}
