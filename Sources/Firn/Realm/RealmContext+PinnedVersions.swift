import FirnStore
import Foundation

extension RealmContext {
    /// How many commits may follow on a version that this process keeps before a warning says who keeps it. Small commits free
    /// about 16 KiB each, so the file has grown by some 80 MiB then.
    static let pinnedVersionAllowance: UInt64 = 5000
    /// After how many versions a commit looks: it then asks each connection to the file.
    private static let versionsPerLook: UInt64 = 100

    /// Warns, after a commit, of those in this process who keep versions that many others have followed. Each is told of once.
    func warnOfPinnedVersions() {
        let version = connection.version
        guard version / Self.versionsPerLook != versionOfLook / Self.versionsPerLook else { return }
        versionOfLook = version
        let logger = Logger.shared
        guard version > Self.pinnedVersionAllowance, logger.reports(.warn) else { return }
        for pinned in connection.store.reportHolders(before: version - Self.pinnedVersionAllowance) {
            let place = fileURL?.path ?? configuration.inMemoryIdentifier ?? ""
            logger.log(
                .warn,
                "Version \(pinned.version) of \(place) has been kept since \(pinned.since.ISO8601Format()) by "
                    + "\(pinned.holders.joined()), and \(version - pinned.version) commits have followed. What they freed cannot "
                    + "be used again, so the file grows; refresh that realm, or let go of it and of what came from it. "
                    + "Realm.diagnostics(for:) says what is kept at any time")
        }
    }
}
