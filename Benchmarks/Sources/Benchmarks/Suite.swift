/// Workloads that one store after the other goes through, on the same input.
struct Suite<Engine, Input>: RunnableSuite {
    /// Where the stores' files are to lie.
    let directory: String
    let input: Input
    let workloads: [Workload<Engine, Input>]
    /// Makes a side's store; nil where that side takes no part.
    let makeStore: (Side, _ path: String) throws -> Engine?

    var workloadNames: [String] { workloads.map(\.name) }

    /// Makes new files and lets the sides take turns, workload by workload; the next round swaps who goes first.
    func run(_ options: Options, round: Int, into series: inout [String: Series]) throws {
        let workloads = wanted(options)
        if workloads.isEmpty { return }
        let directory = try TemporaryDirectory(in: directory)
        defer { directory.remove() }
        var stores = try options.sides.compactMap { side in
            let path = "\(directory.path)/\(side)"
            return try makeStore(side, path).map { Store(side: side, path: path, engine: $0) }
        }
        if round % 2 == 0 { stores.reverse() }

        for workload in workloads {
            var answers: [String] = []
            let stores = stores.filter { workload.sides.contains($0.side) }
            for store in stores {
                Progress.show("round \(round) of \(options.rounds): \(workload.name), \(store.side.rawValue)")
                let measurement = try workload.measure(store, input)
                answers.append(measurement.answer)
                let empty = Series(
                    workload: workload.name, limit: workload.limit.map(Series.Limit.ratio),
                    unit: measurement.unit.rawValue)
                series[workload.name, default: empty].values[store.side, default: []].append(measurement.value)
            }
            guard Set(answers).count <= 1 else {
                let sides = zip(stores, answers).map { "\($0.side.rawValue): \($1)" }.joined(separator: "\n")
                throw Disagreement(description: "\(workload.name): the sides disagree\n\(sides)")
            }
        }
    }
}

extension Suite {
    /// The workloads that are asked for, and those that they build on.
    private func wanted(_ options: Options) -> [Workload<Engine, Input>] {
        var names: Set<String> = []
        // From the last, since none builds on a later one.
        for workload in workloads.reversed() where options.wants(workload.name) || names.contains(workload.name) {
            names.insert(workload.name)
            names.formUnion(workload.needs)
        }
        return workloads.filter { names.contains($0.name) }
    }
}

/// A suite, whatever its stores hold.
protocol RunnableSuite {
    var workloadNames: [String] { get }
    func run(_ options: Options, round: Int, into series: inout [String: Series]) throws
}
