/// Counts the pages of a file's databases.
///
/// LMDB's own count leaves out what matters most in an index: where many values share a key, they have a tree of their
/// own, and its pages stand only in its record.
package struct PageCount {
    private let file: PageFile
    private static let maximumDepth = 32

    /// The pages of each database in the version of an open transaction, by name. Reads those pages of databases with
    /// sorted duplicates that have keys in them, and nothing of the others. Throws where they are damaged.
    package static func pages(_ path: String, during transaction: ReadTransaction) throws -> [String: Int] {
        do {
            let count = PageCount(file: try PageFile(path, transactionID: transaction.id))
            return try count.databases()
        } catch let damage as TreePage.Damage {
            throw LMDBError(.corrupted, "a page is damaged: \(damage.message); run `firn check`", path: path)
        }
    }

    private func databases() throws -> [String: Int] {
        var pages: [String: Int] = [:]
        try forEachNode(of: file.databases.root, level: 1) { node in
            guard node.isTree, let tree = TreeRecord(node.data) else { return }
            var count = tree.pageCount
            if tree.hasSortedDuplicates {
                try forEachNode(of: tree.root, level: 1) { node in
                    guard node.isTree, let tree = TreeRecord(node.data) else { return }
                    count += tree.pageCount
                }
            }
            pages[String(decoding: node.key, as: UTF8.self)] = Int(clamping: count)
        }
        return pages
    }

    /// Calls `body` with each node of a tree's leaves.
    private func forEachNode(of root: UInt64, level: Int, _ body: (TreePage.Node) throws -> Void) throws {
        guard root != TreeRecord.noPage else { return }
        guard root < file.pageCount, level <= PageCount.maximumDepth else {
            throw TreePage.Damage("a tree leads to page \(root) at level \(level)")
        }
        let page = try TreePage(file.read(root), number: root)
        for index in 0..<page.count {
            let node = try page.node(at: index)
            switch page.kind {
            case .branch: try forEachNode(of: node.child, level: level + 1, body)
            case .leaf: try body(node)
            case .keys, .overflow: throw TreePage.Damage("page \(root) is of another kind than its tree's")
            }
        }
    }
}
