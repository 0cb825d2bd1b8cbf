import Foundation
import LMDB
import TestSupport
import Testing

/// A store at the limits of its reservation, its disk, the address space and the readers' table.
@Suite struct LimitTests {
    let directory = TemporaryDirectory()
    var path: String { directory.path("store") }

    /// Adds values, `batch` a transaction, until the store refuses. Returns how many it holds.
    func fill(_ environment: Environment, batch: UInt64) throws -> UInt64 {
        var count: UInt64 = 0
        while true {
            do {
                try environment.write { try $0.fill(environment.plain, count..<count + batch) }
            } catch let error as LMDBError {
                #expect(error.code == .storeFull)
                #expect(error.message.contains("\(environment.reservation) bytes"))
                return count
            }
            count += batch
        }
    }

    @Test func `a full store says so, keeps what it has, and takes more once something is deleted`() throws {
        let environment = try Environment.open(testOptions(path, reservation: 8 << 20))
        let count = try fill(environment, batch: 50)
        #expect(count > 1000)
        #expect(try environment.count() == Int(count))
        try environment.write { transaction in
            transaction.isShrinking = true
            for number in 0..<UInt64(500) { _ = try transaction.delete(environment.plain, ByteKey(number)) }
        }
        // What is freed can be used from the transaction after the next on.
        try environment.write { try $0.put(environment.plain, ByteKey("between"), ByteKey("x")) }
        try environment.write { try $0.fill(environment.plain, 0..<400) }
        #expect(try environment.count() == Int(count) - 100 + 1)
    }

    @Test func `one transaction that is too large for the store leaves it as it was`() throws {
        let environment = try Environment.open(testOptions(path, reservation: 4 << 20))
        try environment.write { try $0.fill(environment.plain, 0..<10) }
        let transaction = try environment.beginWrite()
        _ = failure(.storeFull) { try transaction.fill(environment.plain, 100..<10_000) }
        _ = failure(.storeFull) { try transaction.commit() }
        #expect(try environment.count() == 10)
        try environment.write { try $0.fill(environment.plain, 10..<20) }
        #expect(try environment.count() == 20)
    }

    @Test func `a full store can be emptied in small transactions while a snapshot pins all its pages`() throws {
        let environment = try Environment.open(testOptions(path, reservation: 8 << 20))
        let count = try fill(environment, batch: 50)
        let pinned = try environment.beginRead()
        for start in stride(from: 0, to: count, by: 25) {
            try environment.write { transaction in
                transaction.isShrinking = true
                for number in start..<start + 25 { _ = try transaction.delete(environment.plain, ByteKey(number)) }
            }
        }
        #expect(try environment.count() == 0)
        #expect(try pinned.statistics(environment.plain).entryCount == Int(count))
        pinned.abort()
        try environment.write { try $0.put(environment.plain, ByteKey("a"), ByteKey("x")) }
        try environment.write { try $0.fill(environment.plain, 0..<500) }
    }

    @Test func `a store opened with a smaller reservation than it uses goes on working`() throws {
        do {
            let environment = try Environment.open(testOptions(path, reservation: 32 << 20))
            try environment.write { try $0.fill(environment.plain, 0..<2000) }
        }
        let environment = try Environment.open(testOptions(path, reservation: 1 << 20))
        #expect(environment.reservation > 2000 * 4096)
        try environment.write { transaction in
            transaction.isShrinking = true
            try transaction.clear(environment.plain)
        }
        #expect(try environment.count() == 0)
    }

    @Test func `a reservation that cannot be had is halved, and what was had is told`() async {
        await #expect(processExitsWith: .success) {
            let directory = TemporaryDirectory()
            Privileges.limitAddressSpace(toFurther: 6 << 30)
            let environment = try Environment.open(testOptions(directory.path("store"), reservation: 1 << 40))
            #expect(environment.reservation == 4 << 30)
            try environment.write { try $0.fill(environment.plain, 0..<10) }
            // The options are what was asked for, so that others can join.
            let other = try Environment.open(testOptions(directory.path("store"), reservation: 1 << 40))
            #expect(other === environment)
        }
    }

    @Test func `without even the least address space the error says how to get it`() async {
        await #expect(processExitsWith: .success) {
            let directory = TemporaryDirectory()
            Privileges.limitAddressSpace(toFurther: 512 << 20)
            let error = failure(.addressSpaceExhausted) {
                _ = try Environment.open(testOptions(directory.path("store"), reservation: 1 << 40))
            }
            #expect(error?.message.contains("ulimit -v") == true)
            #expect(try FileManager.default.contentsOfDirectory(atPath: directory.path).isEmpty)
            _ = try Environment.open(testOptions(directory.path("store"), reservation: 16 << 20))
        }
    }

    @Test func `too many readers are an error that counts them by process, and one fewer is enough`() throws {
        var options = testOptions(path)
        options.maximumReaders = 20
        let environment = try Environment.open(options)
        var snapshots: [ReadTransaction] = []
        let error = failure(.readersFull) {
            for _ in 0..<1000 { snapshots.append(try environment.beginRead()) }
        }
        #expect(error?.message.contains("process \(getpid()): \(snapshots.count)") == true, "\(error?.message ?? "")")
        #expect(snapshots.count >= 20)
        snapshots.removeLast()
        #expect(try environment.count() == 0)
    }

    @Test func `the places of a killed reader are found and used again`() async throws {
        var options = testOptions(path)
        options.maximumReaders = 20
        let environment = try Environment.open(options)
        let path = path
        await #expect(processExitsWith: .signal(SIGKILL)) { [path = path as String] in
            var options = testOptions(path)
            options.maximumReaders = 20
            let environment = try Environment.open(options)
            let snapshots = try (0..<15).map { _ in try environment.beginRead() }
            withExtendedLifetime(snapshots) { _ = kill(getpid(), SIGKILL) }
        }
        #expect(environment.readers().count == 15)
        let snapshots = try (0..<15).map { _ in try environment.beginRead() }
        #expect(environment.readers().count == 15)
        #expect(snapshots.count == 15)
        #expect(environment.checkReaders() == 0)
    }
}

/// Small disks, read-only places and other users: each in a process that mounts and changes for itself.
@Suite struct PlaceTests {
    @Test(.enabled(if: Privileges.canMount, Comment(rawValue: Privileges.skipReason)))
    func `a full disk is an error, the store keeps what it has, and goes on when there is room`() async {
        await #expect(processExitsWith: .success) {
            let directory = TemporaryDirectory()
            Privileges.mountMemory(directory.path, byteCount: 4 << 20)
            for durability in [Durability.full, .none] {
                let path = directory.path("store-\(durability)")
                let environment = try Environment.open(testOptions(path, durability: durability))
                try environment.write { try $0.fill(environment.plain, 0..<100) }
                let error = failure(.diskFull) {
                    try environment.write { try $0.fill(environment.plain, 100..<3000) }
                }
                #expect(error?.path == environment.path)
                #expect(error?.message.contains("bytes free") == true)
                #expect(try environment.count() == 100)
                try environment.write { try $0.clear(environment.plain) }
                #expect(try environment.count() == 0)
                try environment.write { try $0.fill(environment.plain, 0..<50) }
                #expect(try environment.count() == 50)
                try? FileManager.default.removeItem(atPath: path)
            }
        }
    }

    @Test(.enabled(if: Privileges.canMount, Comment(rawValue: Privileges.skipReason)))
    func `on a full disk nothing is created, and the error is an error and no signal`() async {
        await #expect(processExitsWith: .success) {
            let directory = TemporaryDirectory()
            Privileges.mountMemory(directory.path, byteCount: 1 << 20)
            let filler = directory.path("filler")
            _ = FileManager.default.createFile(atPath: filler, contents: Data(count: 1 << 20))
            // From no room at all to enough, page by page.
            var size = 1 << 20
            while true {
                truncate(filler, size)
                do {
                    _ = try Environment.open(testOptions(directory.path("store"), durability: .full))
                    break
                } catch let error as LMDBError {
                    #expect(error.code == .diskFull, "\(error)")
                    let names = try FileManager.default.contentsOfDirectory(atPath: directory.path)
                    #expect(names == ["filler"])
                }
                size -= 4096
            }
            #expect(size > 0)
            #expect(try Environment.open(testOptions(directory.path("store"), durability: .full)).count() == 0)
        }
    }

    @Test(.enabled(if: Privileges.canMount, Comment(rawValue: Privileges.skipReason)))
    func `on a full disk no lock file is taken away that another process has begun to use`() async {
        await #expect(processExitsWith: .success) {
            alarm(60)
            let (directory, other) = (TemporaryDirectory(), TemporaryDirectory())
            Privileges.mountMemory(directory.path, byteCount: 1 << 20)
            let (path, lock, end) = (directory.path("store"), directory.path("store-lock"), other.path("end"))
            do { _ = try Environment.open(testOptions(path)) }
            unlink(lock)
            let filler = open(directory.path("filler"), O_WRONLY | O_CREAT, 0o600)
            while write(filler, [UInt8](repeating: 0, count: 4096), 4096) == 4096 {}
            close(filler)
            @Sendable func isNamed(_ descriptor: Int32) -> Bool {
                var (opened, named) = (stat(), stat())
                return fstat(descriptor, &opened) == 0 && stat(lock, &named) == 0 && opened.st_ino == named.st_ino
            }
            // As LMDB begins: opens the file, and shares the lock of its first byte.
            let user = Companion {
                defer { _ = FileManager.default.createFile(atPath: end, contents: nil) }
                while true {
                    let descriptor = open(lock, O_RDWR | O_CLOEXEC)
                    guard descriptor >= 0 else { continue }
                    defer { close(descriptor) }
                    var range = flock()
                    range.l_type = Int16(F_RDLCK)
                    range.l_len = 1
                    guard fcntl(descriptor, F_SETLK, &range) == 0, isNamed(descriptor) else { continue }
                    return (0..<100_000).allSatisfy { _ in isNamed(descriptor) }
                }
            }
            let status = SystemCall.inFork {
                alarm(60)
                while access(end, F_OK) != 0 {
                    do { _ = try Environment.open(testOptions(path)) } catch { continue }
                    return 1
                }
                return 0
            }
            #expect(status == 0)
            #expect(try user.value())
        }
    }

    @Test(.enabled(if: Privileges.canMount, Comment(rawValue: Privileges.skipReason)))
    func `a copy that does not fit is an error and leaves nothing`() async {
        await #expect(processExitsWith: .success) {
            let (directory, small) = (TemporaryDirectory(), TemporaryDirectory())
            Privileges.mountMemory(small.path, byteCount: 1 << 20)
            let environment = try Environment.open(testOptions(directory.path("store")))
            try environment.write { try $0.fill(environment.plain, 0..<1000) }
            _ = failure(.diskFull) { try environment.copyCompacted(to: small.path("copy")) }
            #expect(try FileManager.default.contentsOfDirectory(atPath: small.path).isEmpty)
        }
    }

    @Test(.enabled(if: Privileges.canMount, Comment(rawValue: Privileges.skipReason)))
    func `on a read-only file system a store is read, without a lock, and cannot be written`() async {
        await #expect(processExitsWith: .success) {
            let directory = TemporaryDirectory()
            let path = directory.path("store")
            do {
                let environment = try Environment.open(testOptions(path))
                try environment.write { try $0.fill(environment.plain, 0..<10) }
            }
            try FileManager.default.removeItem(atPath: path + "-lock")
            Privileges.remountReadOnly(directory.path)
            let error = failure(.permissionDenied) { _ = try Environment.open(testOptions(path)) }
            #expect(error?.message.contains("read-only place") == true)
            let environment = try Environment.open(testOptions(path, isReadOnly: true))
            #expect(try environment.count() == 10)
            _ = failure(.readOnly) { _ = try environment.beginWrite() }
            _ = failure(.permissionDenied) { _ = try Environment.open(testOptions(directory.path("new"))) }
        }
    }

    @Test(.enabled(if: Privileges.areFull, Comment(rawValue: Privileges.skipReason)))
    func `what another user may not read, write or create is an error that says which`() async {
        await #expect(processExitsWith: .success) {
            let directory = TemporaryDirectory()
            let path = directory.path("store")
            chmod(directory.path, 0o755)
            do { try Environment.open(testOptions(path)).write { try $0.fill($0.environment.plain, 0..<10) } }
            let closed = directory.path("closed")
            _ = FileManager.default.createFile(atPath: closed, contents: Data("x".utf8))
            chmod(closed, 0o600)
            Privileges.drop()
            _ = failure(.permissionDenied) { _ = try Environment.open(testOptions(closed)) }
            let writing = failure(.permissionDenied) { _ = try Environment.open(testOptions(path)) }
            #expect(writing?.message.contains("may not be written") == true)
            let reading = failure(.permissionDenied) { _ = try Environment.open(testOptions(path, isReadOnly: true)) }
            #expect(reading?.message.contains("lock file") == true)
            let creating = failure(.permissionDenied) { _ = try Environment.open(testOptions(directory.path("new"))) }
            #expect(creating?.message.contains("created here") == true)
        }
    }

    @Test(.enabled(if: Privileges.areFull, Comment(rawValue: Privileges.skipReason)))
    func `another user reads what it may not write where it may write the lock file`() async {
        await #expect(processExitsWith: .success) {
            let directory = TemporaryDirectory()
            let path = directory.path("store")
            chmod(directory.path, 0o755)
            do { try Environment.open(testOptions(path)).write { try $0.fill($0.environment.plain, 0..<10) } }
            chmod(path + "-lock", 0o666)
            Privileges.drop()
            let environment = try Environment.open(testOptions(path, isReadOnly: true))
            #expect(try environment.count() == 10)
        }
    }

    @Test func `a store opened for reading only refuses writes and needs a file`() throws {
        let directory = TemporaryDirectory()
        let path = directory.path("store")
        _ = failure(.fileNotFound) { _ = try Environment.open(testOptions(path, isReadOnly: true)) }
        #expect(try FileManager.default.contentsOfDirectory(atPath: directory.path).isEmpty)
        do { _ = try Environment.open(testOptions(path)) }
        let environment = try Environment.open(testOptions(path, isReadOnly: true))
        _ = failure(.readOnly) { _ = try environment.beginWrite() }
        #expect(try environment.count() == 0)
    }
}
