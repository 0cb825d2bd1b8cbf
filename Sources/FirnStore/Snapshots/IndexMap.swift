import LMDB

/// Where the leaf pages of an index lie at one version: for look-ups of many single values, each of which else descends LMDB's
/// tree.
///
/// Eight bytes of each page's lowest key stand in one array, behind what the lowest keys of all have in common, and are searched
/// by interpolation; then one page is, by halves. 40 bytes a page. Good for one stamp.
final class IndexMap {
    let id: IndexID
    private let layout: IndexLayout
    private let leaves: [MappedTree.Leaf]
    /// What all lowest keys but the first begin with.
    private let common: [UInt8]
    /// The eight bytes behind that, of all pages but the first.
    private let prefixes: AscendingNumbers

    /// Nil where the index has too few pages to gain by it, or its pages are not as LMDB makes them.
    init?(_ index: StoredIndex, in snapshot: Snapshot) throws {
        id = index.id
        layout = index.layout
        let databases = snapshot.store.databases
        guard let name = databases.named.first(where: { $0.database == databases.index })?.name,
            var tree = try MappedTree(snapshot.transaction, named: name)
        else { return nil }
        var lower = KeyBuffer()
        var upper = KeyBuffer()
        switch layout {
        case .grouped:
            IndexKey.append(id, to: &lower)
            IndexKey.append(IndexID(rawValue: id.rawValue + 1), to: &upper)
        case .packed:
            IndexKey.append(id, to: &lower)
            guard let values = tree.valueTree(of: lower.bytes) else { return nil }
            tree = values
            lower.removeAll()
        }
        let leaves = tree.leaves(from: lower.bytes, to: upper.bytes.isEmpty ? nil : upper.bytes)
        guard let leaves, leaves.count > 2, let last = leaves.last else { return nil }
        let second = leaves[1].lowest
        let commonCount = zip(second, last.lowest).prefix { $0 == $1 }.count
        common = Array(second.prefix(commonCount))
        prefixes = AscendingNumbers(leaves.dropFirst().map { Self.prefix(of: $0.lowest, behind: commonCount) })
        self.leaves = leaves
    }

    /// The bytes of a key from an offset on, as a number that compares as they do, and zeros where there are fewer than eight.
    private static func prefix(of key: UnsafeRawBufferPointer, behind offset: Int) -> UInt64 {
        if key.count >= offset + 8 {
            return UInt64(bigEndian: key.loadUnaligned(fromByteOffset: offset, as: UInt64.self))
        }
        var prefix: UInt64 = 0
        for index in offset..<offset + 8 { prefix = prefix << 8 | (index < key.count ? UInt64(key[index]) : 0) }
        return prefix
    }

    /// The smallest key of an object with a value, by its entry key: see `IndexEntries`. The outer nil says that only LMDB can
    /// tell.
    func first(_ entryKey: UnsafeRawBufferPointer) -> ObjectKey?? {
        switch layout {
        case .grouped:
            let page = leaves[position(of: entryKey)].page
            guard page.kind == .leaf, let place = page.search(entryKey, in: .leaf) else { return nil }
            guard place.isFound else { return .some(nil) }
            guard let value = page.node(at: place.index)?.firstValue, value.count == 8 else { return nil }
            return IndexEntries.key(value, at: 0)
        case .packed(let width):
            let value = UnsafeRawBufferPointer(rebasing: entryKey[IndexKey.byteCount(of: id)...])
            return IndexEntries.withPacked(value, 0, width) { firstPacked($0, width) }
        }
    }

    private func firstPacked(_ entry: UnsafeRawBufferPointer, _ width: Int) -> ObjectKey?? {
        let position = position(of: entry)
        var page = leaves[position].page
        guard isGood(page, entry), var index = page.search(entry, in: .keys)?.index else { return nil }
        if index == page.count {
            guard position + 1 < leaves.count else { return .some(nil) }
            page = leaves[position + 1].page
            guard isGood(page, entry), page.count > 0 else { return nil }
            index = 0
        }
        let found = page.key(at: index)
        let isSame =
            UnsafeRawBufferPointer(rebasing: found[..<width])
            .order(to: UnsafeRawBufferPointer(rebasing: entry[..<width])) == 0
        return .some(isSame ? IndexEntries.key(found, at: width) : nil)
    }

    private func isGood(_ page: MappedPage, _ entry: UnsafeRawBufferPointer) -> Bool {
        page.kind == .keys && page.keyByteCount == entry.count
    }

    /// The position of the last page whose lowest key is not behind one.
    private func position(of key: UnsafeRawBufferPointer) -> Int {
        let order = common.withUnsafeBytes {
            UnsafeRawBufferPointer(rebasing: key.prefix(common.count)).order(to: $0)
        }
        if order != 0 { return order < 0 ? 0 : leaves.count - 1 }
        let prefix = Self.prefix(of: key, behind: common.count)
        // One less than the page's position, since the first page has no number.
        var low = prefixes.firstIndex(notBelow: prefix)
        guard low < leaves.count - 1, prefixes[low] == prefix else { return low }
        var high = prefix == .max ? leaves.count - 1 : prefixes.firstIndex(notBelow: prefix + 1)
        while low < high {
            let middle = (low + high) / 2
            if leaves[middle + 1].lowest.order(to: key) > 0 { high = middle } else { low = middle + 1 }
        }
        return low
    }
}
