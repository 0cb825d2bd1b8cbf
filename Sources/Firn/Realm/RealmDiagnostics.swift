import FirnStore
import Foundation
import Glibc
import LMDB

extension Realm {
    /// Who keeps which versions of a file, what that costs, and who writes.
    ///
    ///     print(try Realm.diagnostics(for: realm.configuration))
    ///
    /// A file keeps the bytes of each version that somebody looks at, and with them all that later versions freed: one realm that
    /// is never refreshed, or one frozen object that is never let go of, makes the file grow with every write.
    public struct Diagnostics: Sendable, Hashable {
        /// A version that realms of this process keep.
        public struct PinnedVersion: Sendable, Hashable {
            /// Its number: each write that changes something makes the next one.
            public let version: UInt64
            /// How many versions have followed; 0 for the newest, which costs nothing.
            public let versionsBehind: UInt64
            /// Since when it has been kept here.
            public let since: Date
            /// Who keeps it, as text: the realms that show it, live or frozen, each with its thread or queue, and a live one with
            /// the line of the program that opened it there first.
            public let holders: [String]
        }

        /// Another process that reads the file.
        public struct OtherProcess: Sendable, Hashable {
            /// Its id, as the process itself sees it: another one where it runs in another container.
            public let processID: Int
            /// How many snapshots it has open.
            public let snapshotCount: Int
            /// How many commits the oldest of them is behind the newest version.
            public let versionsBehind: UInt64
        }

        /// Where the bytes of the file are. Those that are live, free and pinned together are about those of the file, which never
        /// shrinks.
        public struct Bytes: Sendable, Hashable {
            /// The length of the file.
            public let file: Int
            /// The bytes that the newest version uses.
            public let live: Int
            /// The bytes that writes may use again; those that the last write freed only after the next one.
            public let free: Int
            /// The bytes that the newest version does not use and no write may, because an older one that somebody keeps does.
            public let pinned: Int
            /// The most that the file can grow to in this process: the configuration's `reservationInBytes`, or what could be had
            /// of it. Writes that do not only delete are refused a little before.
            public let limit: Int
        }

        /// The number of the newest version.
        public let newestVersion: UInt64
        /// The versions that this process keeps, the oldest first. A realm that is open always keeps one.
        public let pinnedVersions: [PinnedVersion]
        /// The other processes that read the file now, in the order of their ids.
        public let otherProcesses: [OtherProcess]
        /// Where the bytes of the file are.
        public let bytes: Bytes
        /// Who is writing now: a realm of this process, with its thread or queue, or another process, with its id.
        public let currentWriter: String?
        /// How many writes of `performWrite` wait for their turns in this process.
        public let waitingWriteCount: Int
        /// How long the first of them has waited; zero where there is none.
        public let longestWait: Duration

        init(_ store: Store, _ place: Realm.Configuration.Place) throws {
            // The dead keep nothing that a look for them does not set free.
            store.environment.checkReaders()
            let pinned = store.pinnedVersions()
            // After those who keep versions were asked, so that none has a newer one.
            let newest = try store.newestSnapshot().version
            let statistics = try store.environment.statistics()
            newestVersion = newest
            pinnedVersions = pinned.map { pinned in
                PinnedVersion(
                    version: pinned.version, versionsBehind: newest - min(pinned.version, newest),
                    since: pinned.since, holders: pinned.holders)
            }
            otherProcesses = statistics.processes.filter { $0.processID != Int(getpid()) }.map { process in
                OtherProcess(
                    processID: process.processID, snapshotCount: process.readerCount,
                    versionsBehind: process.commitsBehind)
            }
            bytes = Bytes(
                file: statistics.fileBytes, live: statistics.usedBytes,
                free: statistics.freeBytes - statistics.pinnedBytes, pinned: statistics.pinnedBytes,
                limit: store.environment.reservation)
            currentWriter = store.environment.currentWriterText
            let waiting = BackgroundWriter.waiting(at: place)
            waitingWriteCount = waiting.count
            longestWait = waiting.since.map { .now - $0 } ?? .zero
        }
    }

    /// Says which versions of a file are kept, since when and by whom, and how many bytes are live, free and pinned.
    ///
    /// Opens no realm, and works from any thread, whether or not the file is open here. If it is not, it is opened for the call
    /// with the configuration's settings but without its classes, and meanwhile no realm of other settings can be opened.
    ///
    /// Cost: one reading of the list of free pages (an entry for each commit whose pages are not used again yet) and of the table of
    /// readers, and a short lock for each realm of the process: microseconds, and milliseconds where old versions have been kept
    /// through many thousands of commits, or where the file must be opened.
    ///
    /// Throws `.fileNotFound` where there is no such file, and what opening a realm throws where it cannot be read.
    public static func diagnostics(for configuration: Configuration) throws -> Diagnostics {
        do {
            return try Diagnostics(
                RealmOpening.existingStore(of: configuration), RealmRegistry.normalized(configuration.place))
        } catch {
            throw Error.wrapping(error, fileURL: configuration.fileURL)
        }
    }
}

extension Realm.Diagnostics: CustomStringConvertible {
    /// All of it, in lines for people.
    public var description: String {
        var lines = ["newest version: \(newestVersion)"]
        lines.append("versions kept by this process:\(pinnedVersions.isEmpty ? " none" : "")")
        for pinned in pinnedVersions {
            let behind = pinned.versionsBehind == 0 ? "the newest" : "\(pinned.versionsBehind) behind"
            lines.append("  \(pinned.version) (\(behind)), since \(pinned.since.ISO8601Format()), by")
            lines += pinned.holders.map { "    \($0)" }
        }
        if let currentWriter { lines.append("writing now: \(currentWriter)") }
        if waitingWriteCount > 0 {
            let count = waitingWriteCount == 1 ? "1 write" : "\(waitingWriteCount) writes"
            lines.append("waiting in the background: \(count), the first for \(longestWait)")
        }
        lines.append("other processes that read:\(otherProcesses.isEmpty ? " none" : "")")
        for process in otherProcesses {
            let count = process.snapshotCount == 1 ? "1 snapshot" : "\(process.snapshotCount) snapshots"
            lines.append("  process \(process.processID): \(count), the oldest \(process.versionsBehind) behind")
        }
        lines.append(
            "bytes: file \(bytes.file), live \(bytes.live), free \(bytes.free), pinned \(bytes.pinned), limit \(bytes.limit)"
        )
        return lines.joined(separator: "\n")
    }
}
