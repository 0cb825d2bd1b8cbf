import LMDB

extension Faults {
    /// Runs `body` with its first LMDB call failing, then with the second, and so on until it gets through without
    /// meeting the fault; after each, `check` with how it ended. Returns how many calls were made to fail.
    /// With `onlyChanges` only calls that change something fail: a store that cannot be read ends its process.
    @discardableResult
    package static func failingEachCall(
        returnCode: Int32, limit: Int = 10_000, onlyChanges: Bool = false, _ body: () throws -> Void,
        check: (Int, Result<Void, any Error>) throws -> Void
    ) throws -> Int {
        for number in 1...limit {
            let (hasFired, outcome) = withFailure(
                ofCall: number, returnCode: returnCode, onlyChanges: onlyChanges, body)
            try check(number, outcome)
            if !hasFired { return number - 1 }
        }
        fatalError("after \(limit) faults the body has still not got through")
    }
}
