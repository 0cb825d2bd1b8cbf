import Foundation

/// A side's store, open.
struct Store {
    let side: Side
    let path: String
    let engine: any Engine
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

/// Runs all workloads in several rounds. Each round makes new files; within it the sides take turns, workload by
/// workload, and the next round swaps who goes first.
struct Rounds {
    let options: Options
    let dataset: Dataset

    func run() throws -> [Series] {
        var series: [String: Series] = [:]
        for round in 1...options.rounds {
            for kind in StoreKind.allCases {
                try run(kind, round: round, into: &series)
            }
            Progress.show("round \(round) of \(options.rounds) done")
        }
        return Workload.all.compactMap { series[$0.name] }
    }

    private func run(_ kind: StoreKind, round: Int, into series: inout [String: Series]) throws {
        let place = kind == .flushed ? options.flushedDirectory : options.directory
        let directory = try TemporaryDirectory(in: place)
        defer { directory.remove() }
        var stores = try options.sides.map { side in
            let path = "\(directory.path)/\(side)"
            let engine = try side.makeStore(path: path, keys: kind.keys)
            return Store(side: side, path: path, engine: engine)
        }
        if round % 2 == 0 { stores.reverse() }

        for workload in Workload.all where workload.store == kind {
            var answers: [String] = []
            for store in stores {
                Progress.show("round \(round) of \(options.rounds): \(workload.name), \(store.side.rawValue)")
                let measurement = try workload.measure(store, dataset)
                answers.append(measurement.answer)
                let empty = Series(
                    workload: workload.name, limit: workload.limit.map(Series.Limit.ratio),
                    unit: measurement.unit.rawValue)
                series[workload.name, default: empty].values[store.side, default: []].append(measurement.value)
            }
            guard Set(answers).count == 1 else {
                let sides = zip(stores, answers).map { "\($0.side.rawValue): \($1)" }.joined(separator: "\n")
                throw Disagreement(description: "\(workload.name): the sides disagree\n\(sides)")
            }
        }
    }
}
