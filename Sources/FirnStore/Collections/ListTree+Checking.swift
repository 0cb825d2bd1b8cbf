import LMDB

extension ListTree {
    /// Walks a list and tells what is wrong with its nodes: that one is missing, damaged, empty, has two parents or none,
    /// that counts are wrong, or leaves not at one depth. Lends each leaf that can be read, in order.
    ///
    /// Every byte is looked at before it is believed. `cursor` reads the database `lists`, to which an open write must have
    /// given its changes.
    static func check(
        _ id: UInt64, with cursor: Cursor, _ leaf: (RecordView) throws -> Void
    ) throws -> [String] {
        var check = Check(id: id)
        check.waiting = [Check.Node(id: ListNodeView.rootID, depth: 0, elementCount: nil)]
        while let node = check.waiting.popLast() {
            guard check.reached.insert(node.id).inserted else {
                check.report("node \(node.id) has two parents")
                continue
            }
            guard try cursor.seek(ListNodeView.key(id, node.id)) else {
                check.report("node \(node.id) is missing")
                continue
            }
            do {
                switch try ListNodeView.validate(cursor.value) {
                case .leaf(let record):
                    check.visit(record, node)
                    try leaf(record)
                case .inner(let children): check.visit(children, node)
                }
            } catch let error as FormatError {
                check.report("node \(node.id): \(error)")
            }
        }
        var isThere = try cursor.seekRange(ListNodeView.key(id, ListNodeView.rootID))
        while isThere, let ids = ListNodeView.ids(ofKey: cursor.key), ids.list == id {
            if !check.reached.contains(ids.node) { check.report("node \(ids.node) has no parent") }
            isThere = try cursor.next()
        }
        return check.problems
    }

    /// A walk through a list under way.
    private struct Check {
        struct Node {
            let id: UInt32
            let depth: Int
            /// What its parent says.
            let elementCount: Int?
        }

        let id: UInt64
        var problems: [String] = []
        var reached: Set<UInt32> = []
        var waiting: [Node] = []
        var leafDepth: Int?

        mutating func report(_ problem: String) {
            problems.append("list \(id): \(problem)")
        }

        mutating func visit(_ record: RecordView, _ node: Node) {
            if record.slotCount == 0, node.depth > 0 { report("leaf \(node.id) is empty") }
            if let leafDepth, leafDepth != node.depth { report("leaf \(node.id) is not as deep as others") }
            leafDepth = node.depth
            compare(record.slotCount, node)
        }

        mutating func visit(_ children: ListChildren, _ node: Node) {
            if node.depth == 0, children.count < 2 { report("the root has one child") }
            compare(children.elementCount, node)
            // The first child is taken from the end first.
            for child in (0..<children.count).reversed() {
                waiting.append(
                    Node(
                        id: children.id(at: child), depth: node.depth + 1,
                        elementCount: Int(children.elementCount(at: child))))
            }
        }

        private mutating func compare(_ elementCount: Int, _ node: Node) {
            guard let expected = node.elementCount, expected != elementCount else { return }
            report("node \(node.id) has \(elementCount) elements, its parent counts \(expected)")
        }
    }
}
