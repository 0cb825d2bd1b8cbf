import Foundation

/// The stores that a round makes, each once a side.
enum StoreKind: String, CaseIterable {
    case integerKeys = "integer keys"
    case uuidKeys = "UUID keys"
    case flushed = "integer keys, each commit on disk"

    var keys: KeyKind {
        self == .uuidKeys ? .uuid : .integer
    }
}

/// What is measured, in which unit, and the answer that both sides must agree on.
struct Measurement {
    var value: Double
    var unit: Unit
    var answer: String

    enum Unit: String {
        case secondsPerObject = "s/object"
        case bytes
    }
}

/// One line of the table.
struct Workload {
    let name: String
    let store: StoreKind
    /// How large Firn's value may be, as a multiple of raw LMDB's; nil: not promised, only shown.
    let limit: Double?
    let measure: (Store, Dataset) throws -> Measurement

    /// All workloads, in the order in which a store goes through them.
    static var all: [Workload] {
        [
            Workload(name: "insert, integer key", store: .integerKeys, limit: 1.5, measure: insert),
            Workload(name: "file size, integer key", store: .integerKeys, limit: 1.0, measure: fileSize),
            Workload(name: "get by integer key, read two", store: .integerKeys, limit: 1.1) { store, dataset in
                try timed(dataset.readIDs.count) { try store.engine.read(ids: dataset.readIDs) }
            },
            Workload(name: "iterate, read two", store: .integerKeys, limit: 6) { store, dataset in
                try timed(dataset.count) { try store.engine.iterate() }
            },
            Workload(name: "count score > x", store: .integerKeys, limit: 0.4) { store, dataset in
                try timed(dataset.count) { try store.engine.countScores(above: dataset.scoreBound) }
            },
            Workload(name: "count score > x AND active", store: .integerKeys, limit: 0.4) { store, dataset in
                try timed(dataset.count) { try store.engine.countActiveScores(above: dataset.scoreBound) }
            },
            Workload(name: "update one Int of random objects", store: .integerKeys, limit: 1.3) { store, dataset in
                let ids = dataset.updateIDs
                let counters = ids.map(dataset.updatedCounter)
                var measurement = try timed(ids.count) { try store.engine.update(ids: ids, counters: counters) }
                measurement.answer = "\(try store.engine.iterate())"
                return measurement
            },
            Workload(name: "insert, UUID key", store: .uuidKeys, limit: 1.0, measure: insert),
            Workload(name: "file size, UUID key", store: .uuidKeys, limit: 1.0, measure: fileSize),
            Workload(name: "get by UUID key, read two", store: .uuidKeys, limit: 1.7) { store, dataset in
                try timed(dataset.readUUIDs.count) { try store.engine.read(uuids: dataset.readUUIDs) }
            },
            Workload(name: "insert, integer key, flushed", store: .flushed, limit: 1.5, measure: insert),
        ]
    }

    private static func timed<Answer>(_ objects: Int, _ work: () throws -> Answer) throws -> Measurement {
        let start = ContinuousClock.now
        let answer = try work()
        return Measurement(
            value: (ContinuousClock.now - start).seconds / Double(objects), unit: .secondsPerObject, answer: "\(answer)"
        )
    }

    /// Inserts everything, then looks (outside the time) whether it is all there.
    private static func insert(_ store: Store, _ dataset: Dataset) throws -> Measurement {
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

    private static func fileSize(_ store: Store, _ dataset: Dataset) throws -> Measurement {
        let size = try FileManager.default.attributesOfItem(atPath: store.path)[.size] as? Int
        return Measurement(value: Double(size ?? 0), unit: .bytes, answer: "")
    }
}

/// A side's answer that is not the other's, or not the data's.
struct Disagreement: Error, CustomStringConvertible {
    let description: String
}

extension Duration {
    var seconds: Double {
        Double(components.seconds) + Double(components.attoseconds) * 1e-18
    }
}
