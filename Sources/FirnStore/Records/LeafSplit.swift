/// A leaf in memory of its own.
@usableFromInline package final class LeafImage {
    /// The leaf's first byte, good as long as the image lives.
    @usableFromInline package let base: UnsafeMutableRawPointer

    /// An empty leaf.
    package init(version: UInt64) {
        base = .allocate(byteCount: Leaf.byteCount, alignment: 8)
        editor.initialize(version: version)
    }

    deinit { base.deallocate() }

    /// The largest key; the leaf must not be empty.
    package var lastKey: UInt64 { withExtendedLifetime(self) { view.lastKey } }

    /// Copies the leaf's 4,080 bytes to `destination`.
    package func copy(to destination: UnsafeMutableRawPointer) {
        withExtendedLifetime(self) { destination.copyMemory(from: base, byteCount: Leaf.byteCount) }
    }

    // The image must outlive what the following answer with: its last use ends its life, not the end of a scope.

    /// The leaf as it is now.
    @inlinable package var view: LeafView { LeafView(base) }
    /// An editor of the leaf.
    @inlinable package var editor: LeafEditor { LeafEditor(base) }
    /// The leaf's 4,080 bytes.
    @inlinable package var bytes: UnsafeRawBufferPointer { view.bytes }
}

extension Leaf {
    /// The two or three leaves that hold the records of a full one and a new record, in key order.
    ///
    /// Two leaves as even in bytes as can be; three where a large record fits beside neither half.
    package static func split(
        _ leaf: LeafView, inserting key: UInt64, _ record: UnsafeRawBufferPointer, version: UInt64
    ) -> [LeafImage] {
        let (index, isFound) = leaf.find(key)
        precondition(!isFound, "The leaf holds this key already: replace its record")
        var items = items(of: leaf)
        items.insert(Item(key: key, record: record), at: index)
        return distribute(items, around: index, version: version)
    }

    /// The two or three leaves that hold the records of a full one with one of them replaced, in key order.
    package static func split(
        _ leaf: LeafView, replacing index: Int, with record: UnsafeRawBufferPointer, version: UInt64
    ) -> [LeafImage] {
        var items = items(of: leaf)
        items[index].record = record
        return distribute(items, around: index, version: version)
    }

    private struct Item {
        var key: UInt64
        var record: UnsafeRawBufferPointer
    }

    private static func items(of leaf: LeafView) -> [Item] {
        (0..<leaf.count).map { Item(key: leaf.key(at: $0), record: leaf.record(at: $0).bytes) }
    }

    private static func distribute(_ items: [Item], around index: Int, version: UInt64) -> [LeafImage] {
        // The new record is at most a leaf's largest, and what stands before and behind it came out of one leaf.
        let parts =
            bestCut(items).map { [items[..<$0], items[$0...]] }
            ?? [items[..<index], items[index...index], items[(index + 1)...]]
        return parts.filter { !$0.isEmpty }.map { part in
            let image = LeafImage(version: version)
            for item in part {
                let isInserted = image.editor.insert(item.key, item.record)
                precondition(isInserted, "A record larger than a leaf was not moved to blobs")
            }
            return image
        }
    }

    /// Where to cut so that both sides fit a leaf and differ least in bytes; nil when no cut will do.
    private static func bestCut(_ items: [Item]) -> Int? {
        guard let first = items.first, let last = items.last else { return nil }
        let total = items.reduce(0) { $0 + $1.record.count }
        var best: (cut: Int, difference: Int)?
        var left = 0
        for cut in items.indices.dropFirst() {
            left += items[cut - 1].record.count
            let leftByteCount = left + cut * (deltaWidth(for: items[cut - 1].key - first.key) + 2)
            let rightByteCount = total - left + (items.count - cut) * (deltaWidth(for: last.key - items[cut].key) + 2)
            guard headerByteCount + max(leftByteCount, rightByteCount) <= byteCount else { continue }
            let difference = abs(leftByteCount - rightByteCount)
            if difference < best?.difference ?? .max { best = (cut, difference) }
        }
        return best?.cut
    }
}
