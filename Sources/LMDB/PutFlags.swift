import CLMDB

/// How a put treats what is there.
@usableFromInline
package struct PutFlags: OptionSet, Sendable {
    @usableFromInline package let rawValue: UInt32

    @inlinable
    package init(rawValue: UInt32) {
        self.rawValue = rawValue
    }

    /// The key sorts after all others; fast and leaves pages full. Throws `.keyExists` if it does not.
    package static var append: PutFlags { PutFlags(rawValue: UInt32(MDB_APPEND)) }
    /// The value sorts after all others of its key. Throws `.keyExists` if it does not.
    package static var appendDuplicate: PutFlags { PutFlags(rawValue: UInt32(MDB_APPENDDUP)) }
    /// Throws `.keyExists` where the key exists.
    package static var noOverwrite: PutFlags { PutFlags(rawValue: UInt32(MDB_NOOVERWRITE)) }
    /// Throws `.keyExists` where the pair exists.
    package static var noDuplicate: PutFlags { PutFlags(rawValue: UInt32(MDB_NODUPDATA)) }
}
