/// The sides of the comparison.
enum Side: String, CaseIterable {
    case raw = "raw LMDB"
    case firn = "Firn"
    /// Is asked queries only.
    case sqlite = "SQLite"

    /// Makes a new store of objects; nil for a side that keeps none. All flush their commits, which costs nothing where
    /// the file lies in memory.
    func makeStore(path: String, keys: KeyKind) throws -> (any Engine)? {
        switch self {
        case .raw: try RawEngine(path: path, keys: keys)
        case .firn: try FirnEngine(path: path, keys: keys)
        case .sqlite: nil
        }
    }
}
