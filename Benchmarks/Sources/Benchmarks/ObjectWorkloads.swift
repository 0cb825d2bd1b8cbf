import Foundation

/// The stores of objects that a round makes, each once a side.
enum StoreKind: CaseIterable {
    case integerKeys, uuidKeys
    /// Integer keys, each commit on disk.
    case flushed

    var keys: KeyKind {
        self == .uuidKeys ? .uuid : .integer
    }

    /// What a store of this kind goes through, in this order.
    func suite(_ dataset: Dataset, _ options: Options) -> Suite<any Engine, Dataset> {
        let directory = self == .flushed ? options.flushedDirectory : options.directory
        return Suite(directory: directory, input: dataset, workloads: workloads) { side, path in
            try side.makeStore(path: path, keys: keys)
        }
    }

    private typealias ObjectWorkload = Workload<any Engine, Dataset>

    private var workloads: [Workload<any Engine, Dataset>] {
        switch self {
        case .integerKeys:
            [
                ObjectWorkload(name: "insert, integer key", limit: 1.5, measure: Self.insert),
                ObjectWorkload(
                    name: "file size, integer key", needs: ["insert, integer key"], limit: 1.0, measure: Self.fileSize),
                ObjectWorkload(name: "get by integer key, read two", needs: ["insert, integer key"], limit: 1.1) {
                    store, dataset in
                    try ObjectWorkload.timed(dataset.readIDs.count) { try store.engine.read(ids: dataset.readIDs) }
                },
                ObjectWorkload(name: "iterate, read two", needs: ["insert, integer key"], limit: 6) { store, dataset in
                    try ObjectWorkload.timed(dataset.count) { try store.engine.iterate() }
                },
                ObjectWorkload(name: "count score > x", needs: ["insert, integer key"], limit: 0.4) { store, dataset in
                    try ObjectWorkload.timed(dataset.count) {
                        try store.engine.countScores(above: dataset.scoreBound)
                    }
                },
                ObjectWorkload(name: "count score > x AND active", needs: ["insert, integer key"], limit: 0.4) {
                    store, dataset in
                    try ObjectWorkload.timed(dataset.count) {
                        try store.engine.countActiveScores(above: dataset.scoreBound)
                    }
                },
                ObjectWorkload(
                    name: "frozen: get by integer key, 2 threads", needs: ["insert, integer key"], limit: 1.3
                ) { store, dataset in
                    try ObjectWorkload.timed(dataset.readIDs.count) {
                        try store.engine.read(ids: dataset.readIDs, threads: 2)
                    }
                },
                // Two threads gain at least 0.85 of what they gain in arithmetic, which stands on the left.
                ObjectWorkload(
                    name: "frozen: time of 2 threads against 1 (left: arithmetic)", needs: ["insert, integer key"],
                    limit: 1 / 0.85
                ) { store, dataset in
                    if store.side == .raw { return try Gain.ofArithmetic(dataset.count) }
                    return try Gain.measure { try store.engine.read(ids: dataset.readIDs, threads: $0) }
                },
                ObjectWorkload(
                    name: "freeze, get one, let go", needs: ["insert, integer key"], limit: nil
                ) { store, dataset in
                    let ids = Array(dataset.readIDs.prefix(20_000))
                    return try ObjectWorkload.timed(ids.count) { try store.engine.readEachInSnapshot(ids: ids) }
                },
                ObjectWorkload(
                    name: "get by integer key, 2 threads beside a writer", needs: ["insert, integer key"], limit: 1.3
                ) { store, dataset in
                    let ids = Array(dataset.readIDs.prefix(200_000))
                    return try ObjectWorkload.timed(ids.count) {
                        try store.engine.read(ids: ids, threads: 2, besideUpdatesOf: dataset.updateIDs.prefix(20_000))
                            .count
                    }
                },
                ObjectWorkload(name: "update one Int of random objects", needs: ["insert, integer key"], limit: 1.3) {
                    store, dataset in
                    let ids = dataset.updateIDs
                    let counters = ids.map(dataset.updatedCounter)
                    var measurement = try ObjectWorkload.timed(ids.count) {
                        try store.engine.update(ids: ids, counters: counters)
                    }
                    measurement.answer = "\(try store.engine.iterate())"
                    return measurement
                },
            ]
        case .uuidKeys:
            [
                ObjectWorkload(name: "insert, UUID key", limit: 1.0, measure: Self.insert),
                ObjectWorkload(
                    name: "file size, UUID key", needs: ["insert, UUID key"], limit: 1.0, measure: Self.fileSize),
                ObjectWorkload(name: "get by UUID key, read two", needs: ["insert, UUID key"], limit: 1.7) {
                    store, dataset in
                    try ObjectWorkload.timed(dataset.readUUIDs.count) {
                        try store.engine.read(uuids: dataset.readUUIDs)
                    }
                },
            ]
        case .flushed:
            [
                ObjectWorkload(name: "insert, integer key, flushed", limit: 1.5, measure: Self.insert),
                // Raw LMDB commits each by itself; Firn's tasks are to make at least 4 and 8 times as many.
                Self.small("flushed one by one: 1 object a commit", limit: 1.5, tasks: nil),
                Self.small("flushed together: performWrite, 8 tasks (left: one by one)", limit: 1 / 4.0, tasks: 8),
                Self.small("flushed together: performWrite, 128 tasks (left: one by one)", limit: 1 / 8.0, tasks: 128),
            ]
        }
    }

    /// Inserts everything, then looks (outside the time) whether it is all there.
    private static func insert(_ store: Store<any Engine>, _ dataset: Dataset) throws -> Measurement {
        try store.engine.insertGroups(Dataset.groupCount)
        var spent = Duration.zero
        try dataset.forEachBatch { batch in
            let start = ContinuousClock.now
            try store.engine.insert(batch)
            spent += ContinuousClock.now - start
        }
        for id in dataset.readIDs.prefix(1000) {
            let row = Dataset.row(id)
            guard try store.engine.holds(row) else {
                throw Disagreement(description: "\(store.side.rawValue) does not hold \(row)")
            }
        }
        let categories = try (0..<10).map(store.engine.count(category:))
        return Measurement(
            value: spent.seconds / Double(dataset.count), unit: .secondsPerObject,
            answer: "\(try store.engine.iterate()), the first categories have \(categories)")
    }

    /// Writes of one object each: one after the other, or by tasks that each wait for theirs before they go on.
    private static func small(_ name: String, limit: Double, tasks: Int?) -> ObjectWorkload {
        ObjectWorkload(name: name, needs: ["insert, integer key, flushed"], limit: limit) { store, dataset in
            let ids = Array(dataset.updateIDs.prefix(tasks.map { max(640, $0 * 10) } ?? 320))
            return try ObjectWorkload.timed(ids.count) {
                if let tasks, let firn = store.engine as? FirnEngine {
                    try firn.incrementEach(ids, tasks: tasks)
                } else {
                    for id in ids { try store.engine.update(ids: [id], counters: [id]) }
                }
            }
        }
    }

    private static func fileSize(_ store: Store<any Engine>, _ dataset: Dataset) throws -> Measurement {
        let size = try FileManager.default.attributesOfItem(atPath: store.path)[.size] as? Int
        return Measurement(value: Double(size ?? 0), unit: .bytes, answer: "")
    }
}
