import Foundation

/// A side's store, open.
struct Store<Engine> {
    let side: Side
    let path: String
    let engine: Engine
}

/// What the rounds measured for one workload: a value a round for each side.
struct Series {
    let workload: String
    let limit: Limit?
    let unit: String
    var values: [Side: [Double]] = [:]

    enum Limit {
        /// Firn's value is at most this many times raw LMDB's.
        case ratio(Double)
        /// Firn's value is at most this.
        case value(Double)
    }

    func median(_ side: Side) -> Double? {
        values[side].flatMap { Self.median($0) }
    }

    /// The median of the ratios of the rounds: what slows the machine for a while slows both sides of a round.
    var ratio: Double? {
        guard let raw = values[.raw], let firn = values[.firn], raw.count == firn.count else {
            return nil
        }
        return Self.median(zip(firn, raw).map { $0 / $1 })
    }

    /// Whether the limit holds; nil where there is none, or nothing to compare.
    var holds: Bool? {
        switch limit {
        case .ratio(let limit): ratio.map { $0 <= limit }
        case .value(let limit): median(.firn).map { $0 <= limit }
        case nil: nil
        }
    }

    private static func median(_ values: [Double]) -> Double? {
        guard !values.isEmpty else { return nil }
        let sorted = values.sorted()
        let middle = sorted.count / 2
        return sorted.count % 2 == 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2
    }
}

/// Runs all suites in several rounds.
struct Rounds {
    let options: Options

    func run() throws -> [Series] {
        let dataset = Dataset(count: options.count)
        let suites =
            StoreKind.allCases.map { $0.suite(dataset, options) as any RunnableSuite }
            + CollectionWorkloads.suites(CollectionDataset(count: options.count), options)
        var series: [String: Series] = [:]
        for round in 1...options.rounds {
            for suite in suites {
                try suite.run(options, round: round, into: &series)
            }
            Progress.show("round \(round) of \(options.rounds) done")
        }
        return suites.flatMap(\.workloadNames).compactMap { series[$0] }
            + [CollectionWorkloads.linksAgainstResults(series)].compactMap { $0 }
    }
}
