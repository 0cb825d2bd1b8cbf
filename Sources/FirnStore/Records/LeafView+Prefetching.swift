import CFirnSystem

extension LeafView {
    /// Asks for the lines that a search will read: the entries stand at the leaf's other end, and would else be waited for
    /// after the header.
    func prefetchEnds() {
        firn_prefetch(base)
        firn_prefetch(base + (Leaf.byteCount - 64))
        firn_prefetch(base + (Leaf.byteCount - 128))
        firn_prefetch(base + (Leaf.byteCount - 192))
    }

    /// Asks for the whole leaf, which will be read after another.
    func prefetch() {
        firn_prefetch_block(base, Leaf.byteCount)
    }
}
