import Foundation

/// The seeds that a model test runs with: the ones it names, more where time is given, or one to replay.
///
/// `FIRN_TEST_SECONDS` lets every model test go on with new seeds for that long; `FIRN_TEST_SEED` runs that seed alone.
/// `FIRN_TEST_OPERATIONS` says how long the runs are of a test that asks for it.
package struct RandomRuns {
    /// The seeds to begin with.
    package let seeds: [UInt64]
    private let extraSeconds: Double
    private let operations: String?
    private let report: (String) -> Void

    /// Runs with `pinned` seeds, and with what the environment asks for. `report` gets the line that tells a failing seed.
    package init(
        _ pinned: some Sequence<UInt64>, environment: [String: String] = ProcessInfo.processInfo.environment,
        report: @escaping (String) -> Void = { print($0) }
    ) {
        self.report = report
        operations = environment["FIRN_TEST_OPERATIONS"]
        if let replayed = environment["FIRN_TEST_SEED"].flatMap(UInt64.init) {
            seeds = [replayed]
            extraSeconds = 0
        } else {
            seeds = Array(pinned)
            extraSeconds = environment["FIRN_TEST_SECONDS"].flatMap(Double.init) ?? 0
        }
    }

    /// How many operations all seeds of a test do together: `standard`, unless the environment says another number.
    package static func operations(
        _ standard: Int, environment: [String: String] = ProcessInfo.processInfo.environment
    ) -> Int {
        environment["FIRN_TEST_OPERATIONS"].flatMap(Int.init) ?? standard
    }

    /// Calls `body` with each seed in turn. A body that throws ends the run and has its seed printed, so check with
    /// `#require`, which throws, rather than `#expect`.
    package func run(_ body: (UInt64) throws -> Void) rethrows {
        let end = ContinuousClock.now + .seconds(extraSeconds)
        for seed in seeds {
            try attempt(body, seed: seed)
        }
        while ContinuousClock.now < end {
            try attempt(body, seed: UInt64.random(in: .min ... .max))
        }
    }

    private func attempt(_ body: (UInt64) throws -> Void, seed: UInt64) rethrows {
        do {
            try body(seed)
        } catch {
            let length = operations.map { " FIRN_TEST_OPERATIONS=\($0)" } ?? ""
            report("failed with seed \(seed); replay with FIRN_TEST_SEED=\(seed)\(length)")
            throw error
        }
    }
}
