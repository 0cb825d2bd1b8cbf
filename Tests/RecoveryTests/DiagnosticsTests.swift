import Firn
import FirnTool
import Foundation
import TestSupport
import Testing

/// What diagnostics tell of other processes.
@Suite struct DiagnosticsTests {
    private let file = RecoveryFile()

    /// A process that holds a snapshot of the newest version.
    private func makeReader() throws -> ChildProcess {
        let reader = try ChildProcess(["hold", file.path], of: BuiltExecutable.path("recovery-probe"), input: .held)
        #expect(reader.read() == .output(Array("ready\n".utf8)))
        return reader
    }

    @Test func `other processes that read are named, with how far they are behind and what that pins`() throws {
        try file.make(count: 100)
        let first = try makeReader()
        let realm = try Realm(configuration: file.configuration())
        try realm.write { realm.delete(realm.objects(RecoveryItem.self)) }
        try realm.write { realm.add(RecoveryItem(1, byteCount: 10)) }
        let second = try makeReader()

        let found = try Realm.diagnostics(for: realm.configuration)
        let processes = found.otherProcesses.sorted { $0.versionsBehind > $1.versionsBehind }
        #expect(found.otherProcesses.map(\.processID) == [first.processID, second.processID].map { Int($0) }.sorted())
        #expect(processes.map(\.processID) == [first.processID, second.processID].map { Int($0) })
        #expect(processes.map(\.snapshotCount) == [1, 1])
        #expect(processes.map(\.versionsBehind) == [2, 0])
        // Here nobody is behind: what is pinned the other process pins.
        #expect(found.pinnedVersions.map(\.versionsBehind) == [0])
        #expect(found.bytes.pinned > 10_000)
        #expect(
            found.description.contains(
                "\n  process \(first.processID): 1 snapshot, the oldest 2 behind\n"), "\(found)")

        // A killed process leaves its place in LMDB's table behind, and is not told of.
        first.kill()
        first.wait()
        let after = try Realm.diagnostics(for: realm.configuration)
        #expect(after.otherProcesses.map(\.processID) == [Int(second.processID)])
        #expect(after.bytes.pinned == 0)
        #expect(after.bytes.free >= found.bytes.free + found.bytes.pinned)
        second.kill()
        second.wait()
    }

    @Test func `a file that only another process has open is looked at`() throws {
        try file.make(count: 3)
        let reader = try makeReader()
        let found = try Realm.diagnostics(for: file.configuration())
        #expect(found.pinnedVersions.isEmpty)
        #expect(found.otherProcesses.map(\.processID) == [Int(reader.processID)])
        #expect(found.otherProcesses.map(\.versionsBehind) == [0])
        reader.kill()
        reader.wait()
    }
}
