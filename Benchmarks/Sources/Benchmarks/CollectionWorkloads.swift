/// What lists, maps, sets and relations go through.
///
/// A list stands against a table with the position as key. That has no counterpart to an insertion in the middle, which stands
/// against new keys among as many that stand in no order; taking an element out and moving one stand against reading one.
enum CollectionWorkloads {
    private typealias CollectionWorkload = Workload<any CollectionEngine, CollectionDataset>

    /// The stores of collections that a round makes, each once a side. A list that is filled at once has one of its own, so
    /// that it begins as the list does that is filled element by element.
    static func suites(
        _ dataset: CollectionDataset, _ options: Options
    ) -> [Suite<any CollectionEngine, CollectionDataset>] {
        [lists + keyed + relations, listsAtOnce].map { workloads in
            Suite(directory: options.directory, input: dataset, workloads: workloads) { side, path in
                switch side {
                case .raw: try RawCollectionEngine(path: path)
                case .firn: try FirnCollectionEngine(path: path)
                case .sqlite: nil
                }
            }
        }
    }

    private static var lists: [Workload<any CollectionEngine, CollectionDataset>] {
        [
            write(numbersName, limit: 1.5, \.count) { try $0.appendNumbers($1.count) },
            read("list of numbers, in order", needs: [numbersName], limit: 1.0, \.count) { engine, _ in
                try engine.sumNumbers()
            },
            read("list of numbers, at random", needs: [numbersName], limit: 10, \.positions.count) {
                try $0.sumNumbers(at: $1.positions)
            },
            CollectionWorkload(name: editsName, limit: 2) { store, dataset in
                try store.engine.prepareEdits(dataset)
                return try CollectionWorkload.timed(dataset.editPositions.count) {
                    try store.engine.insert(dataset)
                    return ""
                }
            },
            write("list of numbers, remove at random", needs: [editsName], limit: 10, \.editPositions.count) {
                try $0.remove($1)
            },
            write("list of numbers, move at random", needs: [editsName], limit: 10, \.editPositions.count) {
                try $0.move($1)
            },
            CollectionWorkload(name: resultsName, limit: nil) { store, dataset in
                try store.engine.addObjects(dataset.count, groups: CollectionDataset.groupCount)
                return try CollectionWorkload.timed(dataset.count) { try store.engine.sumObjects() }
            },
            CollectionWorkload(name: appendedLinksName, needs: [resultsName], limit: 1.5) { store, dataset in
                try store.engine.prepareLinks()
                defer { store.engine.forgetLinks() }
                return try CollectionWorkload.timed(dataset.count) { try store.engine.appendLinks(dataset.count) }
            },
            read(linksName, needs: [appendedLinksName], limit: nil, \.count) { engine, _ in try engine.sumLinks() },
        ]
    }

    private static var listsAtOnce: [Workload<any CollectionEngine, CollectionDataset>] {
        [
            write("list of numbers, append at once", limit: 1.5, \.count) { try $0.appendNumbersAtOnce($1.count) },
            CollectionWorkload(name: "list of links, append at once", limit: 1.5) { store, dataset in
                try store.engine.addObjects(dataset.count, groups: CollectionDataset.groupCount)
                try store.engine.prepareLinks()
                defer { store.engine.forgetLinks() }
                return try CollectionWorkload.timed(dataset.count) { try store.engine.appendLinksAtOnce(dataset.count) }
            },
        ]
    }

    private static var keyed: [Workload<any CollectionEngine, CollectionDataset>] {
        [
            write(mapName, limit: 1.5, \.count) { try $0.fillMap($1) },
            read("map, look up", needs: [mapName], limit: nil, \.count) { try $0.sumMap($1) },
            write(setName, limit: 1.5, \.count) { try $0.fillSet($1) },
            read("set, look up", needs: [setName], limit: nil, \.count) { try $0.countMembers($1) },
        ]
    }

    private static var relations: [Workload<any CollectionEngine, CollectionDataset>] {
        [
            read("objects to their groups", needs: [resultsName], limit: nil, \.count) { engine, _ in
                try engine.sumGroupsOfObjects()
            },
            read("groups to their objects", needs: [resultsName], limit: nil, \.count) { engine, _ in
                try engine.sumObjectsOfGroups()
            },
        ]
    }

    /// What other rows build on.
    private static let numbersName = "list of numbers, append"
    private static let editsName = "list of numbers, insert at random"
    private static let appendedLinksName = "list of links, append"
    private static let mapName = "map, fill in random order"
    private static let setName = "set, fill in random order"

    private static func read(
        _ name: String, needs: [String] = [], limit: Double?, _ count: @escaping (CollectionDataset) -> Int,
        _ body: @escaping (any CollectionEngine, CollectionDataset) throws -> Int
    ) -> CollectionWorkload {
        CollectionWorkload(name: name, needs: needs, limit: limit) { store, dataset in
            try CollectionWorkload.timed(count(dataset)) { try body(store.engine, dataset) }
        }
    }

    private static func write(
        _ name: String, needs: [String] = [], limit: Double?, _ count: @escaping (CollectionDataset) -> Int,
        _ body: @escaping (any CollectionEngine, CollectionDataset) throws -> Void
    ) -> CollectionWorkload {
        CollectionWorkload(name: name, needs: needs, limit: limit) { store, dataset in
            try CollectionWorkload.timed(count(dataset)) {
                try body(store.engine, dataset)
                return ""
            }
        }
    }

    // MARK: A list of links against results

    private static let resultsName = "objects, iterate, read one"
    private static let linksName = "list of links, in order, read one"

    /// How much longer Firn takes for the objects of a list than for the same as results: both are its own figures.
    static func linksAgainstResults(_ series: [String: Series]) -> Series? {
        guard let links = series[linksName]?.values[.firn], let results = series[resultsName]?.values[.firn] else {
            return nil
        }
        return Series(
            workload: "list of links against results (left), both Firn's", limit: .ratio(1.5),
            unit: Measurement.Unit.secondsPerObject.rawValue, values: [.firn: links, .raw: results])
    }
}
