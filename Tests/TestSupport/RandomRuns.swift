import Foundation

/// The seeds that a model test runs with: the ones it names, more where time is given, or one to replay.
///
/// `FIRN_TEST_SECONDS` lets every model test go on with new seeds for that long; `FIRN_TEST_SEED` runs that seed alone.
package struct RandomRuns {
    private let pinned: [UInt64]
    private let extraSeconds: Double
    private let report: (String) -> Void

    /// Runs with `pinned` seeds, and with what the environment asks for. `report` gets the line that tells a failing seed.
    package init(
        _ pinned: some Sequence<UInt64>, environment: [String: String] = ProcessInfo.processInfo.environment,
        report: @escaping (String) -> Void = { print($0) }
    ) {
        self.report = report
        if let replayed = environment["FIRN_TEST_SEED"].flatMap(UInt64.init) {
            self.pinned = [replayed]
            extraSeconds = 0
        } else {
            self.pinned = Array(pinned)
            extraSeconds = environment["FIRN_TEST_SECONDS"].flatMap(Double.init) ?? 0
        }
    }

    /// Calls `body` with each seed in turn. A body that throws ends the run and has its seed printed, so check with
    /// `#require`, which throws, rather than `#expect`.
    package func run(_ body: (UInt64) throws -> Void) rethrows {
        let end = ContinuousClock.now + .seconds(extraSeconds)
        for seed in pinned {
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
            report("failed with seed \(seed); replay with FIRN_TEST_SEED=\(seed)")
            throw error
        }
    }
}
