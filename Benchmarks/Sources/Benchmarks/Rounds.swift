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

    /// Firn's value as a multiple of raw LMDB's.
    var ratio: Double? { ratio(of: .firn, to: .raw) }

    /// SQLite's value as a multiple of Firn's, which is to be `leastSQLiteRatio` or more.
    var sqliteRatio: Double? { ratio(of: .sqlite, to: .firn) }

    static let leastSQLiteRatio = 1.1

    /// Whether SQLite takes that much longer; nil where it was not asked.
    var isFasterThanSQLite: Bool? { sqliteRatio.map { $0 >= Self.leastSQLiteRatio } }

    /// The median of the ratios of the rounds: what slows the machine for a while slows both sides of a round.
    private func ratio(of side: Side, to other: Side) -> Double? {
        guard let values = values[side], let others = self.values[other], values.count == others.count else {
            return nil
        }
        return Self.median(zip(values, others).map { $0 / $1 })
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
            + QueryWorkloads.suites(options)
        var series: [String: Series] = [:]
        for round in 1...options.rounds {
            for suite in suites {
                try suite.run(options, round: round, into: &series)
            }
            Progress.show("round \(round) of \(options.rounds) done")
        }
        let ofOneSide = [CollectionWorkloads.linksAgainstResults(series), QueryWorkloads.largeAgainstSmall(series)]
        return suites.flatMap(\.workloadNames).compactMap { series[$0] } + ofOneSide.compactMap { $0 }
    }
}
