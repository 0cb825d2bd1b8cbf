import Foundation
import LMDB
import TestSupport
import Testing

/// Copies and deletion.
@Suite struct FileTests {
    let directory = TemporaryDirectory()
    var path: String { directory.path("store") }

    func names() throws -> [String] { try FileManager.default.contentsOfDirectory(atPath: directory.path).sorted() }

    @Test func `a compacted copy holds the newest version without free pages, for its owner alone`() throws {
        let environment = try Environment.open(testOptions(path))
        try environment.write { try $0.fill(environment.plain, 0..<1000) }
        try environment.write { transaction in
            for number in 0..<900 as Range<UInt64> { _ = try transaction.delete(environment.plain, ByteKey(number)) }
        }
        let copy = directory.path("copy")
        try environment.copyCompacted(to: copy)
        let attributes = try FileManager.default.attributesOfItem(atPath: copy)
        #expect(attributes[.posixPermissions] as? Int == 0o600)
        #expect(attributes[.size] as? Int ?? .max < 120 * 4096)
        #expect(try names() == ["copy", "store", "store-gate", "store-lock"])
        let copied = try Environment.open(testOptions(copy))
        #expect(try copied.count() == 100)
        // Compaction starts LMDB's numbers over: nothing lasting may be built on them.
        #expect(try copied.beginRead().id < environment.beginRead().id)
    }

    @Test func `a copy goes over nothing that exists`() throws {
        let environment = try Environment.open(testOptions(path))
        let copy = directory.path("copy")
        try environment.copyCompacted(to: copy)
        _ = failure(.alreadyExists) { try environment.copyCompacted(to: copy) }
        _ = failure(.alreadyExists) { try environment.copyCompacted(to: path) }
        _ = failure(.fileNotFound) { try environment.copyCompacted(to: directory.path("none/copy")) }
        #expect(try names() == ["copy", "store", "store-gate", "store-lock"])
    }

    @Test func `an open store is not deleted, a closed one goes with its lock file and gate file`() throws {
        var environment: Environment? = try Environment.open(testOptions(path))
        _ = failure(.alreadyOpen) { try Environment.deleteFiles(path) }
        #expect(try environment?.count() == 0)
        environment = nil
        #expect(Environment.exists(path))
        #expect(try Environment.deleteFiles(path))
        #expect(try names() == [])
        #expect(!Environment.exists(path))
        #expect(try !Environment.deleteFiles(path))
    }

    @Test func `a store that another process has open is not deleted`() async throws {
        do { _ = try Environment.open(testOptions(path)) }
        let (ready, done, path) = (Baton(directory.path("ready")), Baton(directory.path("done")), path)
        let companion = Companion {
            let processID = ready.take()
            defer { done.pass() }
            let error = failure(.alreadyOpen) { try Environment.deleteFiles(path) }
            #expect(error?.message.contains("process \(processID) has") == true)
            #expect(try Environment.otherProcess(using: path) == Int32(processID))
            let environment = try Environment.open(testOptions(path))
            #expect(try environment.otherProcess() == Int32(processID))
            #expect(try environment.count() == 1)
        }
        await #expect(processExitsWith: .success) {
            [path = path as String, ready = ready as Baton, done = done as Baton] in
            alarm(60)
            let environment = try Environment.open(testOptions(path))
            try environment.write { try $0.fill(environment.plain, 0..<1) }
            ready.pass("\(getpid())")
            _ = done.take()
            withExtendedLifetime(environment) {}
        }
        try companion.value()
        #expect(try Environment.otherProcess(using: path) == nil)
        #expect(try Environment.deleteFiles(path))
    }

    @Test func `looking for other processes does not drop this one's locks`() async throws {
        let environment = try Environment.open(testOptions(path))
        #expect(try environment.otherProcess() == nil)
        #expect(try Environment.otherProcess(using: directory.path("store")) == nil)
        _ = failure(.alreadyOpen) { try Environment.deleteFiles(directory.path("store")) }
        let path = path
        let processID = getpid()
        await #expect(processExitsWith: .success) { [path = path as String, processID = processID as Int32] in
            let user = try Environment.otherProcess(using: path)
            #expect(user == processID)
        }
    }

    @Test func `a file that was deleted under an open store is not created anew beside it`() throws {
        let environment = try Environment.open(testOptions(path))
        try FileManager.default.removeItem(atPath: path)
        _ = failure(.alreadyOpen) { _ = try Environment.open(testOptions(path)) }
        withExtendedLifetime(environment) {}
    }

    @Test func `a file that was put in the place of an open store is not opened beside it`() throws {
        let other = directory.path("other")
        do { try Environment.open(testOptions(other)).write { try $0.fill($0.environment.plain, 0..<10) } }
        do {
            let environment = try Environment.open(testOptions(path))
            #expect(rename(other, path) == 0)
            let error = failure(.alreadyOpen) { _ = try Environment.open(testOptions(path)) }
            #expect(error?.message.contains("another file was here") == true)
            withExtendedLifetime(environment) {}
        }
        #expect(try Environment.open(testOptions(path)).count() == 10)
    }

    @Test func `a file that was put in the place of one that another process has open is not opened beside it`()
        async throws
    {
        let (ready, done) = (Baton(directory.path("ready")), Baton(directory.path("done")))
        let (path, other) = (path, directory.path("other"))
        for path in [path, other] {
            do { try Environment.open(testOptions(path)).write { try $0.fill($0.environment.plain, 0..<10) } }
        }
        let companion = Companion {
            let processID = ready.take()
            defer { done.pass() }
            // What both have open is shared as ever.
            let count = try Environment.open(testOptions(path)).count()
            #expect(count == 10)
            #expect(rename(other, path) == 0)
            for isReadOnly in [false, true] {
                let error = failure(.alreadyOpen) {
                    _ = try Environment.open(testOptions(path, isReadOnly: isReadOnly))
                }
                #expect(error?.message.contains("another file was here, which process \(processID) still has") == true)
            }
            _ = failure(.alreadyOpen) { try Environment.deleteFiles(path) }
        }
        await #expect(processExitsWith: .success) {
            [path = path as String, ready = ready as Baton, done = done as Baton] in
            alarm(60)
            try keepOpen(path, ready, done)
        }
        try companion.value()
        #expect(try Environment.open(testOptions(path)).count() == 10)
    }

    @Test func `a file that another process has open under another name is not opened beside it`() async throws {
        let (ready, done) = (Baton(directory.path("ready")), Baton(directory.path("done")))
        let (path, other) = (path, directory.path("hard"))
        do { try Environment.open(testOptions(path)).write { try $0.fill($0.environment.plain, 0..<10) } }
        try FileManager.default.linkItem(atPath: path, toPath: other)
        let companion = Companion {
            _ = ready.take()
            defer { done.pass() }
            for isReadOnly in [false, true] {
                let error = failure(.alreadyOpen) {
                    _ = try Environment.open(testOptions(other, isReadOnly: isReadOnly))
                }
                #expect(error?.message.contains("under another name") == true)
            }
            // Under its own name it is shared as ever.
            let count = try Environment.open(testOptions(path)).count()
            #expect(count == 10)
        }
        await #expect(processExitsWith: .success) {
            [path = path as String, ready = ready as Baton, done = done as Baton] in
            alarm(60)
            try keepOpen(path, ready, done)
        }
        try companion.value()
        let count = try Environment.open(testOptions(other)).count()
        #expect(count == 10)
    }

    @Test func `a child that has inherited the descriptors of a closed file does not keep it`() throws {
        let other = directory.path("other")
        do { try Environment.open(testOptions(other)).write { try $0.fill($0.environment.plain, 0..<10) } }
        var copies: [Int32] = []
        defer { for descriptor in copies { close(descriptor) } }
        do {
            let environment = try Environment.open(testOptions(path))
            // What a child has between fork and exec, where no handler of a fork runs: the same open file descriptions.
            for name in try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd") {
                let target = try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/fd/\(name)")
                guard target == environment.path + "-lock", let descriptor = Int32(name) else { continue }
                copies.append(fcntl(descriptor, F_DUPFD_CLOEXEC, 0))
            }
        }
        #expect(!copies.isEmpty)
        #expect(rename(other, path) == 0)
        #expect(try Environment.open(testOptions(path)).count() == 10)
    }

    @Test func `a file may be put in the place of one that is closed, whoever opened it last`() throws {
        let other = directory.path("other")
        for isReadOnly in [false, true] {
            do { try Environment.open(testOptions(path)).write { try $0.fill($0.environment.plain, 0..<1) } }
            do { try Environment.open(testOptions(other)).write { try $0.fill($0.environment.plain, 0..<10) } }
            #expect(rename(other, path) == 0)
            #expect(try Environment.open(testOptions(path, isReadOnly: isReadOnly)).count() == 10)
        }
    }

    @Test func `a lock file left from a deleted store does not matter`() throws {
        do { try Environment.open(testOptions(path)).write { try $0.fill($0.environment.plain, 0..<10) } }
        try FileManager.default.removeItem(atPath: path)
        #expect(try Environment.open(testOptions(path)).count() == 0)
    }
}
