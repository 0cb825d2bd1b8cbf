/// All leaves of a table at one version, in the order of their keys. Good for as long as the list lives, on any thread:
/// it holds the snapshot.
package struct LeafList: Sendable {
    private let map: LeafMap
    private let snapshot: Snapshot

    init(_ map: LeafMap, _ snapshot: Snapshot) {
        self.map = map
        self.snapshot = snapshot
    }

    /// How many leaves there are.
    package var count: Int { map.bases.count }

    /// The leaf at a position.
    package subscript(position: Int) -> LeafView { LeafView(map.bases[position]) }

    /// Calls `body` with each leaf of a range of positions, and asks for the bytes of the next ones meanwhile.
    package func forEach(in range: Range<Int>, _ body: (LeafView) -> Void) {
        map.bases.withUnsafeBufferPointer { bases in
            for position in range {
                if position + 2 < bases.count { LeafView(bases[position + 2]).prefetch() }
                body(LeafView(bases[position]))
            }
        }
    }
}

extension Connection {
    /// The leaves of a table; nil in a write, whose changes move them. About 15 ns a leaf at the first call for a version,
    /// or for a table other than the last.
    package func leaves(of table: TableID) -> LeafList? {
        guard write == nil else { return nil }
        if let leafMap, leafMap.table == table { return LeafList(leafMap, snapshot) }
        let map = LeafMap(self, table: table)
        leafMap = map
        // What `dropPointers` looks at to know that there is something to drop.
        descents = max(descents, 1)
        return LeafList(map, snapshot)
    }
}
