import Foundation

/// One object that queries are about.
struct QueryRow {
    var id: Int
    var code: String
    /// 12 bytes.
    var objectID: [UInt8]
    var uuid: UUID
    var age: Int
    var score: Double
    var active: Bool
    var name: String
}

/// An indexed property of which each object has a value of its own.
enum QueryKey: CaseIterable {
    case code, objectID, uuid
}

/// What queries are asked about, and what is asked for. As in `Dataset`, object `i` is a pure function of `i`.
struct QueryDataset {
    /// Ages are below this.
    static let ageCount = 100
    /// How often all ages are counted.
    static let ageRepeats = 20
    /// How often each of `wanted` is looked up.
    static let lookUpRepeats = 20
    let count: Int
    /// The objects to look up, in random order.
    let wanted: [QueryRow]
    /// About half of the scores are above this.
    let scoreBound = 500.0
    /// A few of 10,000 names have this in them.
    let namePart = "sun"

    /// How often the first objects along an index are asked for.
    let walkRepeats = 200

    var lookUpCount: Int { wanted.count * Self.lookUpRepeats }
    var ageLookUpCount: Int { Self.ageCount * Self.ageRepeats }

    init(count: Int) {
        self.count = count
        var random = SplitMix64(seed: 0x9E57)
        wanted = (0..<1000).map { _ in Self.row(Int.random(in: 1...count, using: &random)) }
    }

    /// Object `id` (from 1). Sums of scores are exact, as in `Dataset.row`.
    static func row(_ id: Int) -> QueryRow {
        var random = SplitMix64(seed: UInt64(id) | 1 << 40)
        let objectID = (random.next(), random.next())
        return QueryRow(
            id: id, code: random.nextText(), objectID: withUnsafeBytes(of: objectID) { Array($0.prefix(12)) },
            uuid: random.nextUUID(), age: Int(random.next() % UInt64(ageCount)),
            score: Double(random.next() % 1_024_000) / 1024, active: random.next() % 2 == 0, name: random.nextText())
    }

    /// Calls `body` with the objects of one transaction after the other.
    func forEachBatch(_ body: ([QueryRow]) throws -> Void) rethrows {
        for start in stride(from: 1, through: count, by: Dataset.objectsPerTransaction) {
            try body((start...min(start + Dataset.objectsPerTransaction - 1, count)).map(Self.row))
        }
    }
}
