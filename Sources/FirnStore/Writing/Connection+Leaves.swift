import LMDB

/// How records get into leaves and out of them. Keeps I1 to I3: a leaf's key is the upper bound of what it may hold, the
/// last leaf of a table has the bound `UInt64.max`, no leaf is empty, and a table without objects has none.
extension Connection {
    // MARK: Inserting

    func insertRecord(_ writer: TableWriter, _ key: ObjectKey, _ record: RecordView) throws {
        let tail = try loadTail(writer)
        guard key >= tail.lowest else { return try insertIntoClosedLeaf(writer, key, record) }
        tail.isDirty = true
        let editor = LeafEditor(tail.base)
        if editor.insert(key, record.bytes) { return }
        if editor.view.isBehindLast(key) {
            // The full leaf stays full: it is closed under its last key, and a new last one begins.
            try close(tail, writer)
            editor.initialize(version: try writtenVersion())
            let isInserted = editor.insert(key, record.bytes)
            precondition(isInserted, "a record fits an empty leaf")
        } else {
            let images = Leaf.split(editor.view, inserting: key, record.bytes, version: try writtenVersion())
            try replaceTail(tail, writer, with: images)
        }
    }

    private func insertIntoClosedLeaf(_ writer: TableWriter, _ key: ObjectKey, _ record: RecordView) throws {
        let leaf = try dirtyLeaf(writer, holding: key)
        if leaf.editor.insert(key, record.bytes) { return }
        let images = Leaf.split(leaf.editor.view, inserting: key, record.bytes, version: try writtenVersion())
        try replace(leaf, writer, with: images)
    }

    // MARK: Changing and removing

    /// Gives `slot` of the object's record another value; the record may grow, move or split its leaf.
    func replaceValue(_ writer: TableWriter, _ key: ObjectKey, _ slot: Int, _ value: StoredValue) throws {
        guard let record = record(writer.table.id, key) else { throw StoreError.noSuchObject(writer.table.id, key) }
        let builder = recordWriter.builder
        if record.largestByteCount(replacing: slot, with: value) > Leaf.maximumRecordByteCount {
            // What may not fit is made smaller before its leaf is touched: a blob's chunks can move the leaf's page.
            var bytes = builder.rebuild(record, replacing: slot, with: value)
            while bytes.count > Leaf.maximumRecordByteCount {
                bytes = try recordWriter.moveLargestToBlob(bytes, write: openWrite())
            }
            return try edit(writer, key) { editor, index, version in
                if editor.replace(at: index, with: bytes) { return nil }
                return Leaf.split(editor.view, replacing: index, with: bytes, version: version)
            }
        }
        try edit(writer, key) { editor, index, version in
            if RecordView.patchInPlace(editor.mutableRecord(at: index), slot: slot, value: value) { return nil }
            let bytes = builder.rebuild(editor.view.record(at: index), replacing: slot, with: value)
            if editor.replace(at: index, with: bytes) { return nil }
            return Leaf.split(editor.view, replacing: index, with: bytes, version: version)
        }
    }

    /// Lends the object's leaf to be changed; `body` gives the leaves it must become where it cannot hold the change.
    private func edit(
        _ writer: TableWriter, _ key: ObjectKey,
        _ body: (_ editor: LeafEditor, _ index: Int, _ version: UInt64) throws -> [LeafImage]?
    ) throws {
        let version = try writtenVersion()
        if let tail = writer.tail, key >= tail.lowest {
            let place = LeafView(tail.base).find(key)
            guard place.isFound else { throw StoreError.lostLeaf(writer.table.id) }
            tail.isDirty = true
            if let images = try body(LeafEditor(tail.base), place.index, version) {
                try replaceTail(tail, writer, with: images)
            }
        } else {
            let leaf = try dirtyLeaf(writer, holding: key)
            let place = leaf.editor.view.find(key)
            guard place.isFound else { throw StoreError.lostLeaf(writer.table.id) }
            if let images = try body(leaf.editor, place.index, version) { try replace(leaf, writer, with: images) }
        }
    }

    func removeRecord(_ writer: TableWriter, _ key: ObjectKey) throws {
        try dropTail(writer)
        let leaf = try dirtyLeaf(writer, holding: key)
        let place = leaf.editor.view.find(key)
        guard place.isFound else { throw StoreError.lostLeaf(writer.table.id) }
        leaf.editor.remove(at: place.index)
        if leaf.editor.view.usedByteCount < Connection.lowLeafByteCount { try mend(leaf, writer) }
    }

    /// A leaf with fewer used bytes than this looks for a neighbour to merge with.
    private static var lowLeafByteCount: Int { Leaf.byteCount / 3 }
    /// Merged leaves keep this many bytes free, so that the next insertion does not split them again.
    private static var mergeSlackByteCount: Int { Leaf.byteCount / 8 }

    /// Merges a low leaf with its right neighbour, or a low last leaf with its left one.
    private func mend(_ leaf: DirtyLeaf, _ writer: TableWriter) throws {
        let cursor = try openWrite().objectsCursor()
        let table = writer.table.id
        let isEmpty = leaf.editor.view.count == 0
        let isLast = leaf.bound == .max
        guard try cursor.seek(LeafKey.make(table, leaf.bound)) else { throw StoreError.lostLeaf(table) }
        let hasNeighbour = isLast ? try cursor.previous() : try cursor.next()
        guard hasNeighbour, LeafKey.table(of: cursor.key) == table, let base = cursor.value.baseAddress else {
            if isEmpty {
                _ = try cursor.seek(LeafKey.make(table, leaf.bound))
                try cursor.delete()
            }
            return
        }
        let neighbourBound = LeafKey.bound(of: cursor.key)
        let neighbour = LeafView(base)
        if isEmpty, !isLast {
            guard try cursor.seek(LeafKey.make(table, leaf.bound)) else { throw StoreError.lostLeaf(table) }
            try cursor.delete()
            return
        }
        let (left, right) = isLast ? (neighbour, leaf.editor.view) : (leaf.editor.view, neighbour)
        // An empty last leaf must not stay: it takes in its neighbour, however full.
        guard
            isEmpty
                || left.fitsTogether(with: right)
                    && left.usedByteCount + right.usedByteCount <= Leaf.byteCount - Connection.mergeSlackByteCount
        else { return }
        let image = LeafImage(version: try writtenVersion())
        withExtendedLifetime(image) {
            for view in [left, right] {
                for index in 0..<view.count {
                    let isInserted = image.editor.insert(view.key(at: index), view.record(at: index).bytes)
                    precondition(isInserted, "two leaves that fit together fit in one")
                }
            }
        }
        let (leftBound, rightBound) = isLast ? (neighbourBound, leaf.bound) : (leaf.bound, neighbourBound)
        guard try cursor.seek(LeafKey.make(table, leftBound)) else { throw StoreError.lostLeaf(table) }
        try cursor.delete()
        try store(image, bound: rightBound, table)
    }

    // MARK: Leaves as LMDB's values

    /// A leaf on a dirty page, good until the next call into LMDB.
    private struct DirtyLeaf {
        let editor: LeafEditor
        let bound: ObjectKey
    }

    /// The leaf in whose range `key` falls, ready to be changed where it lies.
    private func dirtyLeaf(_ writer: TableWriter, holding key: ObjectKey) throws -> DirtyLeaf {
        let write = try openWrite()
        let cursor = try write.objectsCursor()
        let table = writer.table.id
        // A leaf that was read since the last change is where the cursor stands.
        guard isCached(table, key) || leaf(table, holding: key) != nil, let old = cachedLeaf else {
            throw StoreError.lostLeaf(table)
        }
        let bound = cachedBound
        let page = try cursor.reserve(
            LeafKey.make(table, bound), byteCount: Leaf.byteCount, replacingCurrent: true)
        // On a dirty page RESERVE answers the page with its content; else a fresh one, to be filled whole. A spilled
        // page, or one of a parent transaction, comes at another address too. The old bytes are still there.
        if page != old { page.copyMemory(from: old, byteCount: Leaf.byteCount) }
        let editor = LeafEditor(page)
        editor.setVersion(write.state.version)
        dropPointers()
        return DirtyLeaf(editor: editor, bound: bound)
    }

    /// Puts the images in the place of a leaf: the last takes its page and bound, the others bounds of their own.
    private func replace(_ leaf: DirtyLeaf, _ writer: TableWriter, with images: [LeafImage]) throws {
        guard let last = images.last else { return }
        // First, because the page is lost with the next call.
        last.copy(to: leaf.editor.base)
        for image in images.dropLast() { try store(image, bound: image.lastKey, writer.table.id) }
    }

    private func replaceTail(_ tail: TailLeaf, _ writer: TableWriter, with images: [LeafImage]) throws {
        guard let last = images.last else { return }
        last.copy(to: tail.base)
        for image in images.dropLast() {
            let bound = image.lastKey
            try store(image, bound: bound, writer.table.id)
            tail.lowest = bound + 1
        }
    }

    private func store(_ image: LeafImage, bound: ObjectKey, _ table: TableID) throws {
        try withExtendedLifetime(image) { try store(image.bytes, bound: bound, table) }
    }

    private func store(_ leaf: UnsafeRawBufferPointer, bound: ObjectKey, _ table: TableID) throws {
        let page = try openWrite().objectsCursor().reserve(LeafKey.make(table, bound), byteCount: Leaf.byteCount)
        UnsafeMutableRawBufferPointer(start: page, count: Leaf.byteCount).copyMemory(from: leaf)
        dropPointers()
    }

    // MARK: The tail

    private func loadTail(_ writer: TableWriter) throws -> TailLeaf {
        if let tail = writer.tail { return tail }
        let cursor = try openWrite().objectsCursor()
        let table = writer.table.id
        let tail = TailLeaf(lowest: 0)
        if try cursor.seek(LeafKey.make(table, .max)), let base = cursor.value.baseAddress,
            cursor.value.count == Leaf.byteCount
        {
            tail.base.copyMemory(from: base, byteCount: Leaf.byteCount)
            if try cursor.previous(), LeafKey.table(of: cursor.key) == table {
                tail.lowest = LeafKey.bound(of: cursor.key) + 1
            }
        } else {
            LeafEditor(tail.base).initialize(version: try writtenVersion())
        }
        writer.tail = tail
        dropPointers()
        return tail
    }

    private func close(_ tail: TailLeaf, _ writer: TableWriter) throws {
        let view = LeafView(tail.base)
        let bound = view.lastKey
        LeafEditor(tail.base).setVersion(try writtenVersion())
        try store(view.bytes, bound: bound, writer.table.id)
        tail.lowest = bound + 1
    }

    /// Gives LMDB the content of every dirty tail, so that cursors see it.
    func flushTails() throws {
        guard let write, !write.isLost else { return }
        for writer in write.tables { try flush(writer) }
    }

    private func flush(_ writer: TableWriter) throws {
        guard let tail = writer.tail, tail.isDirty else { return }
        LeafEditor(tail.base).setVersion(try writtenVersion())
        try store(LeafView(tail.base).bytes, bound: .max, writer.table.id)
        tail.isDirty = false
    }

    /// Gives LMDB the tail's content and works on LMDB's own leaf from then on.
    private func dropTail(_ writer: TableWriter) throws {
        guard writer.tail != nil else { return }
        try flush(writer)
        writer.tail = nil
        dropPointers()
    }

    func openWrite() throws -> WriteState {
        guard let write else { preconditionFailure("a change stands in a write") }
        return write
    }

    private func writtenVersion() throws -> UInt64 {
        try openWrite().state.version
    }
}

extension LeafView {
    /// Whether `key` would stand behind every key of the leaf.
    func isBehindLast(_ key: ObjectKey) -> Bool {
        count == 0 || key > lastKey
    }
}

extension RecordView {
    /// At most how many bytes the record has with another value in `slot`.
    fileprivate func largestByteCount(replacing slot: Int, with value: StoredValue) -> Int {
        let slots = max(slotCount, slot + 1)
        return byteCount + 4 * (slots + 2) + max(16, value.variableByteCount)
    }
}

extension StoreError {
    static func lostLeaf(_ table: TableID) -> StoreError {
        StoreError(.corrupted, "a leaf of table \(table.rawValue) is not where its key says; run `firn check`")
    }
}
