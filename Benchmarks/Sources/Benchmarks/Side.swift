/// The sides of the comparison.
enum Side: String, CaseIterable {
    case raw = "raw LMDB"
    case firn = "Firn"

    /// Makes a new store. `flushes`: whether a commit reaches the disk before it returns.
    func makeStore(path: String, keys: KeyKind, flushes: Bool) throws -> any Engine {
        switch (self, keys) {
        default: try RawEngine(path: path, keys: keys, flushes: flushes)
        }
    }
}
