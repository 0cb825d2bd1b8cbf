import Firn
import FirnTool
import Foundation
import LMDB
import TestSupport
import Testing

/// Several processes with one file: what users of such databases have met, played through.
@Suite(.timeLimit(.minutes(5))) struct ProcessScenarioTests {
    final class Counter: Object {
        @Persisted(primaryKey: true) var id = 0
        @Persisted var value = 0

        override static func shouldIncludeInDefaultSchema() -> Bool { false }
    }

    private let directory: TemporaryRealm
    private let configuration: Realm.Configuration

    init() throws {
        directory = try TemporaryRealm()
        var configuration = directory.configuration([Counter.self])
        configuration.durability = .relaxed
        self.configuration = configuration
        let realm = try Realm(configuration: configuration)
        try realm.write { realm.add(Counter(value: ["id": 1])) }
    }

    /// A process with the file, once it has said that it is there.
    private func start(_ command: String) throws -> ChildProcess {
        let process = try ChildProcess(
            [command, directory.fileURL.path], of: BuiltExecutable.path("recovery-probe"), input: .held)
        #expect(process.read() == .output(Array("ready\n".utf8)))
        return process
    }

    private func count() throws -> Int {
        try makeRealm().object(ofType: Counter.self, forPrimaryKey: 1)?.value ?? -1
    }

    /// How many objects there are of the class with which the other processes write.
    private func foreignCount() throws -> Int {
        try makeRealm().dynamicObjects("ProbeItem").count
    }

    /// A realm of the calling thread, at the newest version.
    private func makeRealm() throws -> Realm {
        let realm = try Realm(configuration: configuration)
        realm.refresh()
        return realm
    }

    // MARK: I3

    @Test func `I3: a killed writer blocks nobody, and nothing of its write is there`() async throws {
        let counters = try Repository<Counter>(configuration: configuration)
        let writer = try start("write")
        // It waits for the writer, whose death is its turn.
        let waiting = Task { try await counters.performWrite { $0.find(primaryKey: 1)?.value += 1 } }
        try await wait { try Realm.diagnostics(for: configuration).waitingWriteCount == 1 }
        writer.kill()
        writer.wait()
        _ = try await waiting.value
        try await onNewThread { [configuration] in
            let realm = try Realm(configuration: configuration)
            try realm.write { realm.object(ofType: Counter.self, forPrimaryKey: 1)?.value += 1 }
        }
        #expect(try count() == 2)
        #expect(try foreignCount() == 0)
        #expect(try Realm.diagnostics(for: configuration).otherProcesses.isEmpty)
    }

    @Test func `I3: a stopped writer makes writes with a deadline fail with its pid, and goes on when it is let`()
        async throws
    {
        let counters = try Repository<Counter>(configuration: configuration)
        let writer = try start("write")
        writer.kill(SIGSTOP)
        let error = await #expect(throws: Realm.Error.self) {
            try await counters.performWrite(timeout: .milliseconds(50)) { $0.find(primaryKey: 1)?.value += 1 }
        }
        #expect(error?.code == .timedOut)
        #expect(error?.message.contains("process \(writer.processID) is writing") == true, "\(error?.message ?? "")")
        #expect(try Realm.diagnostics(for: configuration).currentWriter == "process \(writer.processID)")
        // Reading goes on all the while.
        #expect(try count() == 0)
        writer.kill(SIGCONT)
        writer.endInput()
        #expect(writer.wait() == .exited(0))
        _ = try await counters.performWrite(timeout: .seconds(300)) { $0.find(primaryKey: 1)?.value += 10 }
        #expect(try count() == 10)
        #expect(try foreignCount() == 1)
    }

    // MARK: I5

    @Test func `I5: two processes that write all the time wait for each other, with a deadline too`() async throws {
        let each = 100
        let own = Companion { [configuration] in
            let realm = try Realm(configuration: configuration)
            for _ in 0..<each {
                try realm.write { realm.object(ofType: Counter.self, forPrimaryKey: 1)?.value += 1 }
            }
        }
        await #expect(processExitsWith: .success) { [url = directory.fileURL as URL, each = each as Int] in
            alarm(300)
            var configuration = Realm.Configuration(fileURL: url, objectTypes: [Counter.self])
            configuration.reservationInBytes = 1 << 34
            configuration.durability = .relaxed
            let counters = try Repository<Counter>(configuration: configuration)
            for _ in 0..<each {
                try await counters.performWrite(timeout: .seconds(300)) { $0.find(primaryKey: 1)?.value += 1 }
            }
        }
        try own.value()
        #expect(try count() == 2 * each)
    }

    // MARK: I7

    @Test func `I7: many snapshots of many processes fit, and opening the file clears the places of the dead`() throws {
        // Since the last realm of this process is gone.
        #expect(try Realm.diagnostics(for: configuration).pinnedVersions.isEmpty)
        let survivor = try start("hold")
        let others = try (0..<12).map { _ in try start("hold") }
        for process in others {
            process.kill()
            process.wait()
        }
        let realm = try Realm(configuration: configuration)
        var options = EnvironmentOptions(path: directory.fileURL.path, databases: [])
        options.takesWhatIsThere = true
        // Asked without the look for the dead that diagnostics take.
        let readers = try Environment.open(options).readers()
        #expect(Set(readers.map(\.processID)) == [Int(getpid()), Int(survivor.processID)])

        // More than the 126 that LMDB has by itself.
        var kept: [Realm] = []
        for _ in 0..<200 {
            try realm.write { realm.objects(Counter.self)[0].value += 1 }
            kept.append(realm.freeze())
        }
        #expect(kept.map { $0.objects(Counter.self)[0].value } == Array(1...200))
        let found = try Realm.diagnostics(for: configuration)
        #expect(found.pinnedVersions.count == 200)
        #expect(found.otherProcesses.map(\.processID) == [Int(survivor.processID)])
        survivor.kill()
        survivor.wait()
    }
}
