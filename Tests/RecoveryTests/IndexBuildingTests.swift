import Firn
import FirnStore
import FirnTool
import Foundation
import TestSupport
import Testing

/// Processes that end while they build indexes.
@Suite struct IndexBuildingTests {
    private let file = RecoveryFile()

    private func run(_ words: String...) throws -> (ending: ChildProcess.Ending, output: String) {
        let (ending, output, _) = try ChildProcess(words, of: BuiltExecutable.path("recovery-probe")).finish()
        return (ending, output)
    }

    private func expectIntact() throws {
        let connection = try Connection(
            store: Store.open(StoreOptions(path: file.path, isReadOnly: true, reservation: 1 << 34)))
        #expect(IntegrityChecker.check(connection).isEmpty)
    }

    @Test func `a process that is killed while it builds an index leaves the file as it was`() throws {
        let count = 3000
        try file.make(count: count)
        let before = try Content(Realm(configuration: file.configuration(readOnly: true)))
        for percentage in [0, 40, 70, 100] {
            #expect(try run("index", file.path, "--die-at", "\(percentage)").ending == .signalled(SIGKILL))
            try expectIntact()
            let realm = try Realm(configuration: file.configuration())
            #expect(Content(realm) == before)
            #expect(realm.schema["ProbeItem"]?["tag"]?.isUnique == false)
            try realm.write { realm.add(RecoveryItem(count, byteCount: 10)) }
            try realm.write { realm.delete(realm.objects(RecoveryItem.self).filter("id == %d", count)) }
            let names = try FileManager.default.contentsOfDirectory(atPath: file.directory.path)
            #expect(names.allSatisfy { $0.hasPrefix("store.firn") }, "\(names)")
        }
        let whole = try run("index", file.path)
        #expect(whole.ending == .exited(0))
        #expect(whole.output == "found: 1\nindex: ok\n")
        try expectIntact()
    }
}
