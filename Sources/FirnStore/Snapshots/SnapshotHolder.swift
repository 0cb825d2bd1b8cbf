import Foundation
import LMDB
import Synchronization

/// Who keeps a version of a store in this process: a connection, as other threads may see it.
///
/// It keeps neither the snapshot nor the connection. The connection tells it of each move, under a lock of its own, so that
/// moves on several threads do not meet.
package final class SnapshotHolder: Sendable {
    /// Who that is, for people. Asked for only when somebody wants to know.
    package typealias Name = @Sendable () -> String

    let name: Name
    private let serial = lastSerial.add(1, ordering: .relaxed).newValue
    // Only compared. The environment is there as long as its connections, which are on the list.
    private let environment: ObjectIdentifier
    private let held: Mutex<Held>

    private struct Held {
        var version: UInt64
        var since: Date
        var isReported = false
    }

    private static let lastSerial = Atomic<UInt64>(0)
    /// Those of all files: a file has one environment, but a store for each realm. Only connections that begin and end touch it.
    private static let all = Mutex<[UInt64: SnapshotHolder]>([:])

    init(of snapshot: Snapshot, name: @escaping Name) {
        self.name = name
        environment = ObjectIdentifier(snapshot.store.environment)
        held = Mutex(Held(version: snapshot.version, since: snapshot.openingTime))
    }

    /// Notes that the connection looks at another version.
    func move(to snapshot: Snapshot) {
        held.withLock {
            $0.version = snapshot.version
            $0.since = snapshot.openingTime
        }
    }

    /// Enters it in the list of the process.
    func enter() {
        Self.all.withLock { $0[serial] = self }
    }

    /// Takes it off the list.
    func leave() {
        Self.all.withLock { $0[serial] = nil }
    }

    /// Those of an environment, in the order in which they came.
    fileprivate static func all(of environment: Environment) -> [SnapshotHolder] {
        let id = ObjectIdentifier(environment)
        // Sorted and asked outside of the lock, which connections of all files take.
        return all.withLock { all in all.values.filter { $0.environment == id } }.sorted { $0.serial < $1.serial }
    }

    fileprivate var current: (version: UInt64, since: Date) {
        held.withLock { ($0.version, $0.since) }
    }

    /// What it holds, if that is older than `version` and was not reported before.
    fileprivate func report(before version: UInt64) -> (version: UInt64, since: Date)? {
        held.withLock { held in
            guard held.version < version, !held.isReported else { return nil }
            held.isReported = true
            return (held.version, held.since)
        }
    }
}

/// A version that this process keeps.
package struct PinnedVersion: Sendable {
    /// The version, by our own counter.
    package let version: UInt64
    /// When the oldest of its snapshots here was opened.
    package let since: Date
    /// Who keeps it, in the order in which they opened the file.
    package let holders: [String]
}

extension Store {
    /// The versions that this process keeps, the oldest first. O(connections of the process); waits for none of them.
    package func pinnedVersions() -> [PinnedVersion] {
        var found: [UInt64: (since: Date, holders: [String])] = [:]
        for holder in SnapshotHolder.all(of: environment) {
            let (version, since) = holder.current
            let known = found[version] ?? (since, [])
            found[version] = (min(known.since, since), known.holders + [holder.name()])
        }
        return found.map { PinnedVersion(version: $0.key, since: $0.value.since, holders: $0.value.holders) }
            .sorted { $0.version < $1.version }
    }

    /// Who keeps a version older than one and was not reported before: each is reported once.
    package func reportHolders(before version: UInt64) -> [PinnedVersion] {
        SnapshotHolder.all(of: environment).compactMap { holder in
            holder.report(before: version).map {
                PinnedVersion(version: $0.version, since: $0.since, holders: [holder.name()])
            }
        }
    }
}
