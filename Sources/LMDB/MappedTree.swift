/// A tree of a read transaction, by its pages in the map: for those who look so much up in one version that they rather know
/// where the leaves lie than descend to them each time.
///
/// What LMDB has no call for is read here as the format says (`TreePage`). Whatever is not as it should be gives nil, and the
/// caller does without.
package struct MappedTree {
    private static let depthLimit = 32
    /// Where a tree's record has its root: `md_root` in `MDB_db`.
    private static let rootOffset = 40
    private static let recordByteCount = 48

    /// Where page 0 lies.
    private let base: UnsafeRawPointer
    private let pageCount: UInt64
    private let root: UInt64

    private init(base: UnsafeRawPointer, pageCount: UInt64, root: UInt64) {
        self.base = base
        self.pageCount = pageCount
        self.root = root
    }

    /// The tree of a database in the version that a transaction reads; nil where it is empty.
    package init?(_ transaction: ReadTransaction, named name: String) throws {
        // The main database, whose values are the records of the others.
        let main = Database(rawValue: 1, hasSortedDuplicates: false)
        var name = name
        let record = try name.withUTF8 { try transaction.get(main, UnsafeRawBufferPointer($0)) }
        guard let record, let root = MappedTree.root(ofRecord: record), let start = record.baseAddress else {
            return nil
        }
        // The page on which the record stands says its number, and so where page 0 is.
        let offset = Int(bitPattern: start) % PageFormat.byteCount
        let page = start - offset
        let pageCount = transaction.environment.lastPageNumber() + 1
        let number = page.loadUnaligned(as: UInt64.self)
        guard number < pageCount else { return nil }
        self.init(base: page - Int(number) * PageFormat.byteCount, pageCount: pageCount, root: root)
    }

    /// The root that the record of a tree names; nil where the tree is empty.
    static func root(ofRecord record: UnsafeRawBufferPointer) -> UInt64? {
        guard record.count == recordByteCount else { return nil }
        let root = record.loadUnaligned(fromByteOffset: rootOffset, as: UInt64.self)
        return root == .max ? nil : root
    }

    /// The tree of a key's values, where there are so many that they are one.
    package func valueTree(of key: UnsafeRawBufferPointer) -> MappedTree? {
        var number = root
        for _ in 0..<MappedTree.depthLimit {
            guard let page = page(number), let kind = page.kind, let place = page.search(key, in: kind) else {
                return nil
            }
            switch kind {
            case .branch:
                let child = place.isFound ? place.index : place.index - 1
                guard child < page.count, let node = page.node(at: child) else { return nil }
                number = node.child
            case .leaf:
                guard place.isFound, let root = page.node(at: place.index)?.treeRoot else { return nil }
                return MappedTree(base: base, pageCount: pageCount, root: root)
            case .keys: return nil
            }
        }
        return nil
    }

    /// A leaf page.
    package struct Leaf {
        /// What none of its keys is before; empty for the first leaf.
        package let lowest: UnsafeRawBufferPointer
        package let page: MappedPage
    }

    /// The leaves that may hold keys from one on, and before another, in order; nil where the tree is damaged. Reads no leaf:
    /// about 5 ns for each.
    package func leaves(from lower: UnsafeRawBufferPointer, to upper: UnsafeRawBufferPointer?) -> [Leaf]? {
        var leaves: [Leaf] = []
        let nothing = UnsafeRawBufferPointer(start: nil, count: 0)
        guard let depth else { return nil }
        return collect(root, lowest: nothing, depth, from: lower, to: upper, &leaves) ? leaves : nil
    }

    /// How many levels of branches there are.
    private var depth: Int? {
        var number = root
        for depth in 0..<MappedTree.depthLimit {
            guard let page = page(number), let kind = page.kind else { return nil }
            if kind != .branch { return depth }
            guard page.count > 0, let first = page.node(at: 0) else { return nil }
            number = first.child
        }
        return nil
    }

    private func collect(
        _ number: UInt64, lowest: UnsafeRawBufferPointer, _ depth: Int, from lower: UnsafeRawBufferPointer,
        to upper: UnsafeRawBufferPointer?, _ leaves: inout [Leaf]
    ) -> Bool {
        guard let page = page(number), leaves.count < pageCount else { return false }
        if depth == 0 {
            leaves.append(Leaf(lowest: lowest, page: page))
            return true
        }
        guard page.kind == .branch, let first = page.search(lower, in: .branch) else { return false }
        for index in (first.isFound ? first.index : first.index - 1)..<page.count {
            guard let node = page.node(at: index) else { return false }
            let lowest = index == 0 ? lowest : node.key
            if let upper, index > 0, lowest.order(to: upper) >= 0 { break }
            guard collect(node.child, lowest: lowest, depth - 1, from: lower, to: upper, &leaves) else { return false }
        }
        return true
    }

    private func page(_ number: UInt64) -> MappedPage? {
        number < pageCount ? MappedPage(base: base + Int(number) * PageFormat.byteCount) : nil
    }
}
