import Glibc

/// What is wrong with a page.
package struct PageProblem: Equatable, Sendable, CustomStringConvertible {
    /// The database that the page belongs to.
    package let database: String
    package let page: UInt64
    package let message: String

    package var description: String { "page \(page), of \(database): \(message)" }
}

/// Reads every page of a file's trees with plain reads, as LMDB cannot: it ends the process at a damaged page.
///
/// Looks at the pages' numbers and kinds, at where their nodes lie, at the order of keys within and between pages, at
/// the depth and the counts that each tree claims, and that no page has two owners or is free and in use.
/// Memory: a bit a page, and one page a level.
package final class PageCheck {
    /// A database and one of its pages that is about to be read.
    package typealias Watcher = (_ database: String, _ page: UInt64) -> Void

    private let file: PageFile
    private let watcher: Watcher
    private var owned: [UInt64]
    private var problems: [PageProblem] = []
    private var database = ""

    private static let problemLimit = 100
    private static let maximumDepth = 32

    /// What the pages of a tree sum up to.
    private struct Count {
        var branchPages: UInt64 = 0
        var leafPages: UInt64 = 0
        var overflowPages: UInt64 = 0
        var entries: UInt64 = 0
    }

    /// What a tree holds.
    private enum Content {
        case freePages
        case databases
        case values
        case sortedDuplicates
        /// The values of one key.
        case duplicates
    }

    /// Checks the newest version of the file, or that of a transaction that is open meanwhile. Throws as
    /// `Environment.open` does for what is not a file of LMDB, or is cut off.
    ///
    /// Gives nil where it found something wrong that a writer, who was at work in between, may have made look so: then
    /// ask again with a transaction.
    package static func check(
        _ path: String, during transaction: ReadTransaction? = nil, watcher: @escaping Watcher = { _, _ in }
    ) throws -> [PageProblem]? {
        let file = try PageFile(path, transactionID: transaction?.id)
        let check = PageCheck(file, watcher)
        check.run()
        guard !check.problems.isEmpty, transaction == nil else { return check.problems }
        return try file.isNewest() ? check.problems : nil
    }

    private init(_ file: PageFile, _ watcher: @escaping Watcher) {
        self.file = file
        self.watcher = watcher
        owned = Array(repeating: 0, count: Int(file.pageCount / 64) + 1)
    }

    private func run() {
        database = "the list of databases"
        checkTree(file.databases, .databases, page: nil)
        database = "the list of free pages"
        checkTree(file.freePages, .freePages, page: nil)
    }

    private var isFull: Bool { problems.count >= PageCheck.problemLimit }

    private func report(_ page: UInt64?, _ message: String) {
        guard !isFull else { return }
        problems.append(PageProblem(database: database, page: page ?? 0, message: message))
    }

    /// Notes that a page is in use; false where it cannot be, or is already.
    private func own(_ page: UInt64, _ origin: UInt64?) -> Bool {
        guard page >= 2, page < file.pageCount else {
            report(origin, "it leads to page \(page), which the file does not have")
            return false
        }
        guard owned[Int(page / 64)] & 1 << (page % 64) == 0 else {
            report(origin, "it leads to page \(page), which belongs elsewhere")
            return false
        }
        owned[Int(page / 64)] |= 1 << (page % 64)
        return true
    }

    /// Checks a tree whose record stands in `page`, and gives the number of its entries.
    private func checkTree(_ tree: TreeRecord, _ content: Content, page: UInt64?) {
        var count = Count()
        if tree.root == TreeRecord.noPage {
            if tree.depth != 0 { report(page, "a tree without pages claims \(tree.depth) levels") }
        } else {
            visit(tree.root, from: page, level: 1, tree, content, Bounds(), &count)
        }
        func compare(_ what: String, _ found: UInt64, _ claimed: UInt64) {
            guard found != claimed else { return }
            report(page, "a tree of \(database) has \(found) \(what) and claims \(claimed)")
        }
        guard problems.isEmpty else { return }
        compare("branch pages", count.branchPages, tree.branchPageCount)
        compare("leaf pages", count.leafPages, tree.leafPageCount)
        compare("overflow pages", count.overflowPages, tree.overflowPageCount)
        compare("entries", count.entries, tree.entryCount)
    }

    /// The keys that a page may have: from the first on, below the second.
    private struct Bounds {
        var lowest: ArraySlice<UInt8>?
        var end: ArraySlice<UInt8>?
    }

    private func visit(
        _ number: UInt64, from origin: UInt64?, level: Int, _ tree: TreeRecord, _ content: Content, _ bounds: Bounds,
        _ count: inout Count
    ) {
        guard !isFull, own(number, origin) else { return }
        watcher(database, number)
        do {
            let page = try TreePage(file.read(number), number: number)
            switch page.kind {
            case .overflow: report(number, "it holds a value where a part of the tree should be")
            case .branch:
                count.branchPages += 1
                guard level < min(tree.depth, PageCheck.maximumDepth) else {
                    return report(number, "it is at level \(level) of \(tree.depth) and leads further down")
                }
                try visitBranch(page, number, level, tree, content, bounds, &count)
            case .leaf, .keys:
                count.leafPages += 1
                guard level == tree.depth else {
                    return report(number, "it is a leaf at level \(level) of \(tree.depth)")
                }
                try visitLeaf(page, number, content, bounds, &count)
            }
        } catch let damage as TreePage.Damage {
            report(number, damage.message)
        } catch {
            report(number, "it cannot be read: \(error)")
        }
    }

    private func visitBranch(
        _ page: TreePage, _ number: UInt64, _ level: Int, _ tree: TreeRecord, _ content: Content, _ bounds: Bounds,
        _ count: inout Count
    ) throws {
        guard page.count > 0 else { return report(number, "it is empty") }
        var keys: [ArraySlice<UInt8>] = []
        var children: [UInt64] = []
        for index in 0..<page.count {
            let node = try page.node(at: index)
            keys.append(node.key)
            children.append(node.child)
        }
        for index in keys.indices {
            // A branch's first key is never looked at.
            let own = Bounds(
                lowest: index == 0 ? bounds.lowest : keys[index],
                end: index + 1 < keys.count ? keys[index + 1] : bounds.end)
            if index > 0 { check(keys[index], index, number, content, within: bounds) }
            if index > 1, !precedes(keys[index - 1], keys[index], content) {
                report(number, "key \(index) is not above the one before")
            }
            visit(children[index], from: number, level: level + 1, tree, content, own, &count)
        }
    }

    private func visitLeaf(
        _ page: TreePage, _ number: UInt64, _ content: Content, _ bounds: Bounds, _ count: inout Count
    ) throws {
        guard page.count > 0 else { return report(number, "it is empty") }
        var previous: ArraySlice<UInt8>?
        for index in 0..<page.count where !isFull {
            let key: ArraySlice<UInt8>
            if page.kind == .keys {
                guard case .duplicates = content else { return report(number, "it has keys without values") }
                key = page.key(at: index)
                count.entries += 1
            } else {
                let node = try page.node(at: index)
                key = node.key
                try visit(node, number, content, &count)
            }
            check(key, index, number, content, within: bounds)
            if let previous, !precedes(previous, key, content) {
                report(number, "key \(index) is not above the one before")
            }
            previous = key
        }
    }

    private func visit(_ node: TreePage.Node, _ number: UInt64, _ content: Content, _ count: inout Count) throws {
        switch content {
        case .databases:
            guard node.isTree, !node.isDuplicates, let tree = TreeRecord(node.data) else {
                throw TreePage.Damage("an entry of it is no database")
            }
            count.entries += 1
            let outer = database
            database = String(decoding: node.key, as: UTF8.self)
            checkTree(tree, tree.hasSortedDuplicates ? .sortedDuplicates : .values, page: number)
            database = outer
        case .sortedDuplicates where node.isDuplicates:
            count.entries += try visitDuplicates(node, number)
        case .freePages:
            count.entries += 1
            try checkFreePages(try value(of: node, number, &count))
        case .values, .sortedDuplicates, .duplicates:
            guard !node.isTree, !node.isDuplicates else { throw TreePage.Damage("a value of it is a tree") }
            count.entries += 1
            if node.isOverflow { _ = try value(of: node, number, &count) }
        }
    }

    /// The number of a key's values.
    private func visitDuplicates(_ node: TreePage.Node, _ number: UInt64) throws -> UInt64 {
        if node.isTree {
            guard let tree = TreeRecord(node.data) else { throw TreePage.Damage("a tree of values has no record") }
            checkTree(tree, .duplicates, page: number)
            return tree.entryCount
        }
        let page = try TreePage(node.data, number: nil)
        guard page.kind == .leaf || page.kind == .keys else { throw TreePage.Damage("a list of values is none") }
        var count = Count()
        try visitLeaf(page, number, .duplicates, Bounds(), &count)
        return count.entries
    }

    /// A value, wherever it stands. Its pages are counted.
    private func value(of node: TreePage.Node, _ number: UInt64, _ count: inout Count) throws -> [UInt8] {
        guard node.isOverflow else { return node.data }
        let first = node.data.integer(at: 0, UInt64.self)
        let pageCount = UInt64((PageFormat.headerByteCount + node.dataByteCount - 1) / FileCheck.pageSize + 1)
        for page in 0..<pageCount {
            let (number, isTooLarge) = first.addingReportingOverflow(page)
            guard !isTooLarge, own(number, number) else { return [] }
        }
        count.overflowPages += pageCount
        watcher(database, first)
        do {
            let page = try TreePage(file.read(first), number: first)
            guard page.kind == .overflow else { throw TreePage.Damage("a value should begin here") }
            guard page.overflowPageCount == pageCount else {
                throw TreePage.Damage("it says that its value has \(page.overflowPageCount) pages, not \(pageCount)")
            }
        } catch let damage as TreePage.Damage {
            report(first, damage.message)
            return []
        }
        guard database == "the list of free pages" else { return [] }
        return try file.read(first, byteCount: PageFormat.headerByteCount + node.dataByteCount)
            .suffix(node.dataByteCount)
    }

    /// Checks a list of free pages: its count and their numbers.
    private func checkFreePages(_ list: [UInt8]) throws {
        guard list.count >= 8 else { return }
        let count = list.integer(at: 0, UInt64.self)
        guard count <= UInt64(list.count / 8 - 1) else { throw TreePage.Damage("it has no room for \(count) pages") }
        for index in 0..<Int(count) where !isFull {
            let page = list.integer(at: 8 + 8 * index, UInt64.self)
            if page < 2 || page >= file.pageCount {
                throw TreePage.Damage("it says that page \(page) is free, which the file does not have")
            }
            if owned[Int(page / 64)] & 1 << (page % 64) != 0 {
                throw TreePage.Damage("it says that page \(page) is free, which is in use, or free already")
            }
            owned[Int(page / 64)] |= 1 << (page % 64)
        }
    }

    private func check(
        _ key: ArraySlice<UInt8>, _ index: Int, _ page: UInt64, _ content: Content, within bounds: Bounds
    ) {
        if let lowest = bounds.lowest, precedes(key, lowest, content) {
            report(page, "key \(index) is below the page's first possible key")
        }
        if let end = bounds.end, !precedes(key, end, content) {
            report(page, "key \(index) is above the page's last possible key")
        }
    }

    private func precedes(_ left: ArraySlice<UInt8>, _ right: ArraySlice<UInt8>, _ content: Content) -> Bool {
        guard case .freePages = content else { return left.lexicographicallyPrecedes(right) }
        // Transaction ids in the machine's order: as bytes they ascend from the last to the first.
        return left.count == right.count && left.reversed().lexicographicallyPrecedes(right.reversed())
    }
}
