import TestSupport
import Testing

@Suite struct RandomRunsTests {
    private struct Failure: Error {}

    private func seeds(of runs: RandomRuns) -> [UInt64] {
        var seeds: [UInt64] = []
        runs.run { seeds.append($0) }
        return seeds
    }

    @Test func `without a setting the pinned seeds run, and nothing else`() {
        #expect(seeds(of: RandomRuns(1...3, environment: [:])) == [1, 2, 3])
    }

    @Test func `a seed to replay runs alone, whatever time is given`() {
        let runs = RandomRuns(1...3, environment: ["FIRN_TEST_SEED": "77", "FIRN_TEST_SECONDS": "60"])
        #expect(seeds(of: runs) == [77])
    }

    @Test func `given time, new seeds follow the pinned ones until it is over`() {
        let found = seeds(of: RandomRuns(1...3, environment: ["FIRN_TEST_SECONDS": "0.01"]))
        #expect(found.starts(with: [1, 2, 3]))
        #expect(Set(found).count > 3)
    }

    @Test func `a test does as many operations as it says, or as it is told, and a failing one tells how many`() {
        #expect(RandomRuns.operations(10, environment: [:]) == 10)
        let environment = ["FIRN_TEST_OPERATIONS": "2000"]
        #expect(RandomRuns.operations(10, environment: environment) == 2000)
        var reports: [String] = []
        #expect(throws: Failure.self) {
            try RandomRuns([5], environment: environment, report: { reports.append($0) }).run { _ in throw Failure() }
        }
        #expect(reports == ["failed with seed 5; replay with FIRN_TEST_SEED=5 FIRN_TEST_OPERATIONS=2000"])
    }

    @Test func `a failing run ends the runs with its error and tells its seed`() {
        var seeds: [UInt64] = []
        var reports: [String] = []
        #expect(throws: Failure.self) {
            try RandomRuns(1...3, environment: [:], report: { reports.append($0) }).run { seed in
                seeds.append(seed)
                if seed == 2 { throw Failure() }
            }
        }
        #expect(seeds == [1, 2])
        #expect(reports == ["failed with seed 2; replay with FIRN_TEST_SEED=2"])
    }
}
