/// Looks at a data file before LMDB does.
enum FileCheck {
    /// The page size of every store, whatever the kernel's.
    static let pageSize = 4096
}
