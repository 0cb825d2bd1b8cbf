import Foundation

/// What the objects of a store go by.
enum KeyKind {
    case integer, uuid
}

/// What a pass over objects read, so that two sides can be compared.
struct Sum: Equatable {
    var count = 0
    var counters = 0
    var scores = 0.0
}

/// One side's store, open: a store of the benchmark's objects in a file of its own.
protocol Engine: AnyObject {
    /// Inserts the groups that objects link to.
    func insertGroups(_ count: Int) throws
    /// Inserts objects in one transaction, commit included.
    func insert(_ batch: Batch) throws

    /// Reads counter and score of each of these objects, all in one snapshot.
    func read(ids: [Int]) throws -> Sum
    func read(uuids: [UUID]) throws -> Sum
    /// Gives objects new counters in one transaction, commit included.
    func update(ids: [Int], counters: [Int]) throws
    /// Reads counter and score of every object.
    func iterate() throws -> Sum
    func countScores(above bound: Double) throws -> Int
    func countActiveScores(above bound: Double) throws -> Int

    /// Reads counter and score of each of these objects, all in one snapshot that the threads share, each reading its part.
    func read(ids: [Int], threads: Int) throws -> Sum
    /// The same in snapshots of some hundred objects each, while another thread gives objects new counters, a hundred a commit, from
    /// the beginning to the end of the call.
    func read(ids: [Int], threads: Int, besideUpdatesOf updated: ArraySlice<Int>) throws -> Sum
    /// Takes a snapshot for each of these objects, reads its counter and score, and lets go of the snapshot.
    func readEachInSnapshot(ids: [Int]) throws -> Sum

    /// Whether the store holds this object with all its properties, found by its key, and once by each index.
    func holds(_ row: Row) throws -> Bool
    func count(category: Int) throws -> Int
}
