import Foundation
import RawLMDB

/// LMDB used directly, from C (`Sources/RawLMDB/raw_collections.c`).
final class RawCollectionEngine: CollectionEngine {
    private let store: OpaquePointer

    init(path: String) throws {
        var opened: OpaquePointer?
        let code = raw_collections_open(path, &opened)
        guard let opened else { throw RawEngine.failure(code) }
        store = opened
    }

    deinit {
        raw_collections_close(store)
    }

    private func check(_ code: Int32) throws {
        guard code == 0 else { throw RawEngine.failure(code) }
    }

    private func sum(_ body: (inout Int64) -> Int32) throws -> Int {
        var sum: Int64 = 0
        try check(body(&sum))
        return Int(sum)
    }

    func addObjects(_ count: Int, groups: Int) throws {
        try check(raw_add_objects(store, UInt64(count), UInt64(groups)))
    }

    func sumObjects() throws -> Int { try sum { raw_sum_objects(store, &$0) } }
    func appendNumbers(_ count: Int) throws { try check(raw_append_numbers(store, UInt64(count))) }
    func appendNumbersAtOnce(_ count: Int) throws { try appendNumbers(count) }
    func sumNumbers() throws -> Int { try sum { raw_sum_numbers(store, &$0) } }

    func sumNumbers(at positions: [Int]) throws -> Int {
        try positions.withUnsafeBytes { bytes in
            let positions = bytes.bindMemory(to: UInt64.self)
            return try sum { raw_sum_numbers_at(store, positions.baseAddress, positions.count, &$0) }
        }
    }

    func prepareLinks() throws {}
    func forgetLinks() {}
    func appendLinks(_ count: Int) throws { try check(raw_append_links(store, UInt64(count))) }
    func appendLinksAtOnce(_ count: Int) throws { try appendLinks(count) }
    func sumLinks() throws -> Int { try sum { raw_sum_links(store, &$0) } }

    func prepareEdits(_ dataset: CollectionDataset) throws {
        try check(raw_put_random(store, dataset.randomKeys, dataset.randomKeys.count))
    }

    func insert(_ dataset: CollectionDataset) throws {
        try check(raw_put_random(store, dataset.newRandomKeys, dataset.newRandomKeys.count))
    }

    // A table by position has no way to take an element out of its middle; what it costs to read one is the measure.
    func remove(_ dataset: CollectionDataset) throws { _ = try sumNumbers(at: dataset.editPositions) }
    func move(_ dataset: CollectionDataset) throws { _ = try sumNumbers(at: dataset.editPositions) }

    func fillMap(_ dataset: CollectionDataset) throws {
        try check(raw_put_map(store, dataset.mapKeyBytes, dataset.mapKeys.count))
    }

    func sumMap(_ dataset: CollectionDataset) throws -> Int {
        try sum { raw_sum_map(store, dataset.mapKeyBytes, dataset.mapKeys.count, &$0) }
    }

    func fillSet(_ dataset: CollectionDataset) throws {
        try check(raw_put_set(store, dataset.members.map(Int64.init), dataset.members.count))
    }

    func countMembers(_ dataset: CollectionDataset) throws -> Int {
        let members = dataset.members.map(Int64.init)
        return try sum { raw_count_members(store, members, members.count, &$0) }
    }

    func sumGroupsOfObjects() throws -> Int { try sum { raw_sum_groups_of_objects(store, &$0) } }
    func sumObjectsOfGroups() throws -> Int { try sum { raw_sum_objects_of_groups(store, &$0) } }
}
