/// What queries are asked: each question of raw LMDB, where a loop was written for it, of Firn and of SQLite.
enum QueryWorkloads {
    private typealias QueryWorkload = Workload<any QueryEngine, QueryDataset>

    /// The stores of a round, each once a side: one with all objects, and one with a tenth of them.
    static func suites(_ options: Options) -> [Suite<any QueryEngine, QueryDataset>] {
        let large = lookUps + ages + scans + [first100, walk(walkName), observed, awaited]
        return [(options.count, large), (max(1, options.count / 10), [walk(smallWalkName)])].map { count, workloads in
            let dataset = QueryDataset(count: count)
            return Suite(directory: options.directory, input: dataset, workloads: workloads) { side, path in
                Progress.show("filling \(side.rawValue)")
                return switch side {
                case .raw: try RawQueryEngine(path: path, dataset)
                case .firn: try FirnQueryEngine(path: path, dataset)
                case .sqlite: try SQLiteQueryEngine(path: path, dataset)
                }
            }
        }
    }

    private static var lookUps: [Workload<any QueryEngine, QueryDataset>] {
        QueryKey.allCases.flatMap { key in
            [
                ask("query: indexed \(key.typeName) == x, read one", limit: 1.3, per: \.lookUpCount) { engine, _ in
                    try engine.sumScores(by: key)
                },
                ask("query: indexed \(key.typeName) == x from text, read one", limit: nil, per: \.lookUpCount) {
                    engine, _ in
                    try engine.sumScoresFromText(by: key)
                },
            ]
        }
    }

    private static var ages: [Workload<any QueryEngine, QueryDataset>] {
        [
            ask("query: indexed age == x, count", limit: 3, per: \.ageLookUpCount) { engine, _ in
                try engine.countAges()
            },
            ask("query: indexed age == x, read one of each", limit: 0.9, per: \.count) { engine, _ in
                try engine.sumScoresByAge()
            },
        ]
    }

    private static var scans: [Workload<any QueryEngine, QueryDataset>] {
        [
            ask("query: score > x AND active, count", limit: 0.5, per: \.count) {
                try $0.countActive(scoreAbove: $1.scoreBound)
            },
            ask("query: name CONTAINS x, count", limit: 0.7, per: \.count) {
                try $0.count(nameContaining: $1.namePart)
            },
            ask("query: sum(score)", limit: 0.5, per: \.count) { engine, _ in try engine.sumScores() },
        ]
    }

    private static var first100: Workload<any QueryEngine, QueryDataset> {
        ask("query: sort by score, read the first 100", limit: 1, per: \.count) { engine, _ in
            try engine.agesByScore(first: 100)
        }
    }

    /// What an observer of an unindexed filter is told when one object has changed; the others scan all objects instead.
    private static var observed: QueryWorkload {
        QueryWorkload(name: "query: tell an observer of one change (left: scan)", limit: 0.01) { store, dataset in
            guard let firn = store.engine as? FirnQueryEngine else {
                return try QueryWorkload.timed(1) { try store.engine.countActive(scoreAbove: dataset.scoreBound) }
            }
            let (time, count) = try firn.timeToTell(of: 200, scoreAbove: dataset.scoreBound)
            return Measurement(value: time, unit: .secondsPerObject, answer: "\(count)")
        }
    }

    /// From the end of a commit to the call of an observer on a queue; beside it, how long a block takes to a queue.
    private static var awaited: QueryWorkload {
        QueryWorkload(
            name: "query: from commit to an observer's queue (left: dispatch)", sides: [.raw, .firn], limit: nil
        ) { store, _ in
            let time =
                try (store.engine as? FirnQueryEngine)?.timeToQueue(200) ?? FirnQueryEngine.timeOfDispatch(200)
            return Measurement(value: time, unit: .secondsPerObject, answer: "")
        }
    }

    /// The first objects by an indexed property that pass a filter, which every second one does.
    private static func walk(_ name: String) -> Workload<any QueryEngine, QueryDataset> {
        ask(name, limit: nil, per: \.walkRepeats) { engine, dataset in
            var ages: [Int] = []
            for _ in 0..<dataset.walkRepeats { ages = try engine.activeAgesByCode(first: 20) }
            return ages
        }
    }

    /// A row whose time is divided by `count`.
    private static func ask<Answer>(
        _ name: String, limit: Double?, per count: @escaping (QueryDataset) -> Int,
        _ question: @escaping (any QueryEngine, QueryDataset) throws -> Answer
    ) -> QueryWorkload {
        QueryWorkload(name: name, limit: limit) { store, dataset in
            try QueryWorkload.timed(count(dataset)) { try question(store.engine, dataset) }
        }
    }

    // MARK: All objects against a tenth of them

    private static let walkName = "query: active, the first 20 by indexed String"
    private static let smallWalkName = "query: active, the first 20 by indexed String, of a tenth"

    /// How much longer Firn takes for the first objects of all than for those of a tenth: both are its own figures.
    static func largeAgainstSmall(_ series: [String: Series]) -> Series? {
        guard let large = series[walkName]?.values[.firn], let small = series[smallWalkName]?.values[.firn] else {
            return nil
        }
        return Series(
            workload: "query: the first 20, of a tenth (left) and of all, both Firn's", limit: .ratio(2),
            unit: Measurement.Unit.secondsPerObject.rawValue, values: [.firn: large, .raw: small])
    }
}

extension QueryKey {
    fileprivate var typeName: String {
        switch self {
        case .code: "String"
        case .objectID: "ObjectId"
        case .uuid: "UUID"
        }
    }
}
