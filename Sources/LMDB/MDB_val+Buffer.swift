import CLMDB

extension MDB_val {
    /// The bytes of `buffer`, to be given to LMDB while it is lent.
    @inlinable
    package init(borrowing buffer: UnsafeRawBufferPointer) {
        // SAFETY: LMDB does not write through the pointers of the keys and values that it is given.
        self.init(mv_size: buffer.count, mv_data: UnsafeMutableRawPointer(mutating: buffer.baseAddress))
    }

    /// The bytes that LMDB answered with: in the map, or on a dirty page.
    @inlinable
    package var bytes: UnsafeRawBufferPointer {
        UnsafeRawBufferPointer(start: mv_data, count: mv_size)
    }
}
