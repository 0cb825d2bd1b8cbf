import Foundation

/// The data of a run: object `i` is a pure function of `i`, so both sides, all rounds and all processes see the same.
struct Dataset {
    static let groupCount = 1000
    static let categoryCount = 1000
    static let objectsPerTransaction = 100_000

    let count: Int
    /// The objects to read, in random order and with repeats.
    let readIDs: [Int]
    /// The same objects by their UUIDs.
    let readUUIDs: [UUID]
    /// The objects to update, all different, in random order.
    let updateIDs: [Int]
    /// About half of the scores are above this.
    let scoreBound = 500.0

    init(count: Int) {
        self.count = count
        var random = SplitMix64(seed: 0xF19)
        readIDs = (0..<count).map { _ in Int.random(in: 1...count, using: &random) }
        readUUIDs = readIDs.map { Self.row($0).uuid }
        updateIDs = Array((1...count).shuffled(using: &random).prefix(100_000))
    }

    /// The data of a run that only imports.
    init(importing count: Int) {
        self.count = count
        readIDs = []
        readUUIDs = []
        updateIDs = []
    }

    /// Object `id` (from 1).
    ///
    /// Scores are multiples of 1/1,024 below 1,000, whose sums are exact in whatever order they are added.
    static func row(_ id: Int) -> Row {
        var random = SplitMix64(seed: UInt64(id))
        let name = random.nextText()
        return Row(
            id: id, uuid: random.nextUUID(), category: Int(random.next() % UInt64(categoryCount)),
            token: random.nextUUID(), name: name, score: Double(random.next() % 1_024_000) / 1024,
            counter: Int(random.next() % 1_000_000), active: random.next() % 2 == 0,
            group: Int(random.next() % UInt64(groupCount)))
    }

    /// Calls `body` with the objects of one transaction after the other.
    func forEachBatch(_ body: (Batch) throws -> Void) rethrows {
        for start in stride(from: 1, through: count, by: Self.objectsPerTransaction) {
            let end = min(start + Self.objectsPerTransaction - 1, count)
            try body(Batch((start...end).map(Self.row)))
        }
    }

    /// The new counter of an updated object.
    func updatedCounter(_ id: Int) -> Int {
        id &* 31
    }
}

/// The generator of Steele, Lea and Flood (2014), "Fast splittable pseudorandom number generators".
struct SplitMix64: RandomNumberGenerator {
    private var state: UInt64

    init(seed: UInt64) {
        state = seed
    }

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }

    /// 12 to 20 letters.
    mutating func nextText() -> String {
        let length = 12 + Int(next() % 9)
        let letters = next()
        return String(unsafeUninitializedCapacity: length) { bytes in
            for position in 0..<length {
                bytes[position] = UInt8(ascii: "a") + UInt8((letters >> (position * 3)) % 26)
            }
            return length
        }
    }

    /// A random UUID (version 4).
    mutating func nextUUID() -> UUID {
        var bytes = (next(), next())
        return withUnsafeMutableBytes(of: &bytes) { bytes in
            bytes[6] = bytes[6] & 0x0F | 0x40
            bytes[8] = bytes[8] & 0x3F | 0x80
            return UUID(uuid: bytes.load(as: uuid_t.self))
        }
    }
}
