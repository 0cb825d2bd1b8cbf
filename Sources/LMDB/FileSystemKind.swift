import CFirnSystem

/// The file systems that a store must not lie on: their locks and shared maps do not reach other machines, or break.
enum FileSystemKind {
    /// By the magic number that `fstatfs` tells (statfs(2), linux/magic.h).
    static let refused: [UInt32: String] = [
        0x0000_6969: "NFS",
        0x0000_517B: "SMB",
        0xFF53_4D42: "CIFS",
        0xFE53_4D42: "SMB2",
        0x0102_1997: "9p",
        0x5346_414F: "AFS",
        0x6B41_4653: "AFS",
        0x7375_7245: "Coda",
        0x0000_564C: "NCP",
        0x00C3_6400: "Ceph",
        0x0BD0_0BD0: "Lustre",
        0x1983_0326: "BeeGFS",
        0x4750_4653: "GPFS",
        0x786F_4256: "a VirtualBox shared folder",
        0xBACB_ACBC: "a VMware shared folder",
    ]

    /// Throws `.networkFileSystem` where `path` lies on one of them.
    static func check(_ path: String) throws {
        var magic: UInt32 = 0
        let result = firn_file_system_magic(path, &magic)
        guard result == 0 else { throw LMDBError.make(result, "reading the file system's kind", path: path) }
        try check(magic: magic, path: path)
    }

    static func check(magic: UInt32, path: String) throws {
        guard let name = refused[magic] else { return }
        throw LMDBError(
            .networkFileSystem,
            "the file lies on \(name), whose locks and maps do not keep a database whole; keep it on a local disk",
            path: path)
    }
}
