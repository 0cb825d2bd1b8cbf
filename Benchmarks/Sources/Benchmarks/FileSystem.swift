import Foundation

/// What a directory lies on, as far as flushing goes.
enum FileSystem {
    static func describe(_ path: String) -> String {
        isInMemory(path) ? "in memory: nothing to flush" : "on disk"
    }

    /// Whether the mount that holds `path` is a tmpfs.
    static func isInMemory(_ path: String) -> Bool {
        guard let mounts = try? String(contentsOfFile: "/proc/self/mounts", encoding: .utf8) else { return false }
        let path = URL(fileURLWithPath: path).resolvingSymlinksInPath().path + "/"
        var holder = (mountPoint: "", type: "")
        for mount in mounts.split(separator: "\n") {
            let fields = mount.split(separator: " ").map(String.init)
            guard fields.count > 2 else { continue }
            let mountPoint = fields[1] == "/" ? "/" : fields[1] + "/"
            // A later mount on the same place covers the earlier one.
            if path.hasPrefix(mountPoint), mountPoint.count >= holder.mountPoint.count {
                holder = (mountPoint, fields[2])
            }
        }
        return holder.type == "tmpfs"
    }
}
