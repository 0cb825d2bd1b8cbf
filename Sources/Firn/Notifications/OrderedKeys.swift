import FirnStore

/// Keys in an order, each of which can be found, put in and taken out by its position without moving all behind it.
///
/// Blocks of at most 1,024 keys: a search costs O(log keys + blocks), a change O(block + blocks).
struct OrderedKeys {
    private var blocks: [[ObjectKey]]
    private(set) var count: Int

    private static let blockLimit = 1024

    init(_ keys: [ObjectKey] = []) {
        count = keys.count
        blocks = stride(from: 0, to: keys.count, by: Self.blockLimit / 2).map { start in
            Array(keys[start..<min(start + Self.blockLimit / 2, keys.count)])
        }
    }

    /// All keys, in order. O(keys).
    var all: [ObjectKey] { Array(blocks.joined()) }

    /// Where in an order a key stands: how many of the keys `isBefore` holds for, which must be the first ones; and the key that is there.
    func search(_ isBefore: (ObjectKey) -> Bool) -> (position: Int, key: ObjectKey?) {
        var low = 0
        var high = blocks.count
        while low < high {
            let middle = (low + high) / 2
            if let last = blocks[middle].last, isBefore(last) { low = middle + 1 } else { high = middle }
        }
        var position = 0
        for block in blocks[..<low] { position += block.count }
        guard low < blocks.count else { return (position, nil) }
        let block = blocks[low]
        var first = 0
        var end = block.count
        while first < end {
            let middle = (first + end) / 2
            if isBefore(block[middle]) { first = middle + 1 } else { end = middle }
        }
        return (position + first, block[first])
    }

    /// Puts a key before the one at a position, or at the end.
    mutating func insert(_ key: ObjectKey, at position: Int) {
        count += 1
        guard var (block, offset) = place(of: position) ?? blocks.indices.last.map({ ($0, blocks[$0].count) }) else {
            blocks = [[key]]
            return
        }
        // The end of the block before is as good a place, and often has room.
        if offset == 0, block > 0 { (block, offset) = (block - 1, blocks[block - 1].count) }
        blocks[block].insert(key, at: offset)
        guard blocks[block].count > Self.blockLimit else { return }
        let half = Array(blocks[block][(Self.blockLimit / 2)...])
        blocks[block].removeSubrange((Self.blockLimit / 2)...)
        blocks.insert(half, at: block + 1)
    }

    /// Takes out the key at a position.
    mutating func remove(at position: Int) {
        guard let (block, offset) = place(of: position) else {
            preconditionFailure("position \(position) of \(count) keys")
        }
        count -= 1
        blocks[block].remove(at: offset)
        if blocks[block].isEmpty { blocks.remove(at: block) }
    }

    private func place(of position: Int) -> (block: Int, offset: Int)? {
        var left = position
        for (index, block) in blocks.enumerated() {
            if left < block.count { return (index, left) }
            left -= block.count
        }
        return nil
    }
}
