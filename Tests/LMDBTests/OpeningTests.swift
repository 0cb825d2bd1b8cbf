import Foundation
import LMDB
import TestSupport
import Testing

@Suite struct OpeningTests {
    let directory = TemporaryDirectory()
    var path: String { directory.path("store") }

    func names() throws -> [String] { try FileManager.default.contentsOfDirectory(atPath: directory.path).sorted() }

    /// A store with ten values, closed.
    func makeStore() throws {
        try Environment.open(testOptions(path)).write { try $0.fill($0.environment.plain, 0..<10) }
    }

    @Test func `a new store is its data file, lock file and gate file, and nothing else`() throws {
        let environment = try Environment.open(testOptions(path))
        #expect(try names() == ["store", "store-gate", "store-lock"])
        #expect(environment.databases.count == 2)
    }

    @Test func `a new file is initialised once and validated whenever it is opened first`() throws {
        var options = testOptions(path)
        nonisolated(unsafe) var calls: [String] = []
        options.initialize = { transaction, databases in
            calls.append("initialize")
            try transaction.put(databases[0], ByteKey("format"), ByteKey(7 as UInt32))
        }
        options.validate = { transaction, databases in
            calls.append("validate")
            let format = bytes(try transaction.get(databases[0], ByteKey("format")))
            #expect(format == [0, 0, 0, 7])
        }
        do {
            let first = try Environment.open(options)
            let second = try Environment.open(options)
            #expect(first === second)
        }
        _ = try Environment.open(options)
        #expect(calls == ["initialize", "validate", "validate"])
    }

    struct Refusal: Error {}

    @Test func `where the initialising throws nothing is left`() throws {
        var options = testOptions(path)
        options.initialize = { transaction, databases in
            try transaction.put(databases[0], ByteKey(1 as UInt64), ByteKey(1 as UInt64))
            throw Refusal()
        }
        #expect(throws: Refusal.self) { try Environment.open(options) }
        #expect(try names() == [])
    }

    @Test func `where the validating throws the file is as it was and can be opened again`() throws {
        try makeStore()
        let before = try Data(contentsOf: URL(fileURLWithPath: path))
        var options = testOptions(path)
        options.validate = { _, _ in throw Refusal() }
        #expect(throws: Refusal.self) { try Environment.open(options) }
        #expect(try Data(contentsOf: URL(fileURLWithPath: path)) == before)
        #expect(try Environment.open(testOptions(path)).count() == 10)
    }

    @Test func `a missing directory is named`() {
        _ = failure(.fileNotFound) { _ = try Environment.open(testOptions(directory.path("none/store"))) }
    }

    @Test func `a store that was deleted through a link is made anew where it was`() throws {
        let (link, second) = (directory.path("link"), directory.path("second"))
        try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: "store")
        try FileManager.default.createSymbolicLink(atPath: second, withDestinationPath: link)
        for _ in 0..<2 {
            do { try Environment.open(testOptions(second)).write { try $0.fill($0.environment.plain, 0..<10) } }
            #expect(try names() == ["link", "second", "store", "store-gate", "store-lock"])
            #expect(try Environment.deleteFiles(second))
            #expect(try names() == ["link", "second"])
            #expect(try !Environment.deleteFiles(second))
        }
        _ = failure(.fileNotFound) { _ = try Environment.open(testOptions(second, isReadOnly: true)) }
    }

    @Test func `a link into a missing directory, and a ring of links, are refused`() throws {
        try FileManager.default.createSymbolicLink(atPath: path, withDestinationPath: "none/store")
        _ = failure(.fileNotFound) { _ = try Environment.open(testOptions(path)) }
        let ring = directory.path("ring")
        try FileManager.default.createSymbolicLink(atPath: ring, withDestinationPath: "ring")
        _ = failure(.other) { _ = try Environment.open(testOptions(ring)) }
        #expect(try names() == ["ring", "store"])
    }

    @Test(.enabled(if: Privileges.areFull, Comment(rawValue: Privileges.skipReason)))
    func `no store is made where another user's link leads`() throws {
        try FileManager.default.createSymbolicLink(atPath: path, withDestinationPath: "elsewhere")
        #expect(lchown(path, 65534, 65534) == 0)
        let error = failure(.permissionDenied) { _ = try Environment.open(testOptions(path)) }
        #expect(error?.message.contains("another user's link") == true)
        #expect(try names() == ["store"])
    }

    @Test func `a directory and a device are refused`() {
        _ = failure(.isDirectory) { _ = try Environment.open(testOptions(directory.path)) }
        _ = failure(.isDirectory) { _ = try Environment.open(testOptions(directory.path("new/"))) }
        _ = failure(.notADatabase) { _ = try Environment.open(testOptions("/dev/null")) }
    }

    @Test func `an empty file is refused and stays empty`() throws {
        _ = FileManager.default.createFile(atPath: path, contents: nil)
        let error = failure(.emptyFile) { _ = try Environment.open(testOptions(path)) }
        #expect(error?.message.contains("delete it") == true)
        #expect(try names() == ["store"])
        #expect(try Data(contentsOf: URL(fileURLWithPath: path)).isEmpty)
    }

    @Test(arguments: [1, 15, 100, 4096, 20_000]) func `a foreign file is refused and untouched`(count: Int) throws {
        let content = Data((0..<count).map { UInt8(truncatingIfNeeded: $0 &* 31) })
        try content.write(to: URL(fileURLWithPath: path))
        _ = failure(.notADatabase) { _ = try Environment.open(testOptions(path)) }
        #expect(try Data(contentsOf: URL(fileURLWithPath: path)) == content)
        #expect(try names() == ["store"])
    }

    @Test func `an LMDB file without our first database is another program's, even when it holds nothing`() throws {
        do { _ = try Environment.open(EnvironmentOptions(path: path, databases: [])) }
        let before = try Data(contentsOf: URL(fileURLWithPath: path))
        _ = failure(.notADatabase) { _ = try Environment.open(testOptions(path)) }
        #expect(try Data(contentsOf: URL(fileURLWithPath: path)) == before)
    }

    @Test func `a database of another kind is refused, which LMDB would not do`() throws {
        do { _ = try Environment.open(testOptions(path)) }
        var options = testOptions(path)
        options.databases[0].hasSortedDuplicates = true
        _ = failure(.notADatabase) { _ = try Environment.open(options) }
    }

    @Test func `a database that a later version brought is absent to validate and then created`() throws {
        try makeStore()
        var options = testOptions(path)
        options.databases.append(DatabaseDefinition(name: "later"))
        nonisolated(unsafe) var wasAbsent: [Bool] = []
        options.validate = { _, databases in wasAbsent = databases.map(\.isAbsent) }
        options.isReadOnly = true
        _ = failure(.notFound) { _ = try Environment.open(options) }
        options.isReadOnly = false
        let environment = try Environment.open(options)
        #expect(wasAbsent == [false, false, true])
        try environment.write { try $0.put(environment.databases[2], ByteKey("a"), ByteKey("b")) }
        #expect(try environment.count() == 10)
    }

    @Test(arguments: [(16, "magic"), (20, "version"), (40, "page size")])
    func `a damaged meta page is an error`(offset: Int, what: String) throws {
        try makeStore()
        for page in [0, 4096] {
            let handle = try #require(FileHandle(forUpdatingAtPath: path))
            try handle.seek(toOffset: UInt64(page + offset))
            let original = try #require(try handle.read(upToCount: 4))
            try handle.seek(toOffset: UInt64(page + offset))
            handle.write(Data([1, 2, 3, 4]))
            let error = #expect(throws: LMDBError.self) { try Environment.open(testOptions(path)) }
            #expect([.notADatabase, .corrupted].contains(error?.code))
            try handle.seek(toOffset: UInt64(page + offset))
            handle.write(original)
        }
        #expect(try Environment.open(testOptions(path)).count() == 10)
    }

    @Test func `a store cut off anywhere is an error that tells both sizes, never a crash`() throws {
        try makeStore()
        let whole = try Data(contentsOf: URL(fileURLWithPath: path))
        for count in stride(from: 1, to: whole.count, by: 1021) {
            try whole.prefix(count).write(to: URL(fileURLWithPath: path))
            let error = #expect(throws: LMDBError.self) { try Environment.open(testOptions(path)) }
            #expect(
                [.truncated, .notADatabase].contains(error?.code), "\(count) bytes: \(error.map(String.init) ?? "")")
            if count > 8192 {
                #expect(
                    error?.message.contains("expected \(whole.count) bytes, found \(count)") == true,
                    "\(error.map(String.init) ?? "")")
            }
        }
        try whole.write(to: URL(fileURLWithPath: path))
        #expect(try Environment.open(testOptions(path)).count() == 10)
    }

    /// Three values, and behind them `count` free pages that were never written: what was put and deleted in one
    /// transaction. Free pages of earlier transactions come before, in which the commit has room for its own.
    func makeShortStore(freePages count: UInt64) throws {
        let environment = try Environment.open(testOptions(path))
        let plain = environment.plain
        func delete(_ range: Range<UInt64>, _ transaction: WriteTransaction) throws {
            for number in range { #expect(try transaction.delete(plain, ByteKey(number))) }
        }
        try environment.write { try $0.fill(plain, 0..<60) }
        try environment.write { try delete(3..<60, $0) }
        try environment.write { try $0.put(plain, ByteKey(0 as UInt64), ByteKey("x")) }
        try environment.write { transaction in
            try transaction.fill(plain, 100..<100 + count)
            try delete(100..<100 + count, transaction)
        }
    }

    @Test func `a healthy store that ends before its last page is opened and lengthened`() throws {
        try makeShortStore(freePages: 200)
        let byteCount = try #require(try FileManager.default.attributesOfItem(atPath: path)[.size] as? Int)
        let expected = try FileCheckProbe.check(path)
        try #require(byteCount < expected, "the file was not short")
        let environment = try Environment.open(testOptions(path))
        let statistics = try environment.statistics()
        #expect(statistics.fileBytes == expected)
        #expect(try environment.count() == 3)
        try environment.write { try $0.fill(environment.plain, 100..<200) }
        #expect(try environment.count() == 103)
    }

    @Test func `a garbled list of free pages in a short file is an error, never a crash`() throws {
        try makeShortStore(freePages: 1500)
        let store = path
        let whole = [UInt8](try Data(contentsOf: URL(fileURLWithPath: store)))
        #expect(try FileCheckProbe.check(store) > whole.count)
        var generator = SystemRandomNumberGenerator()
        for _ in 0..<200 {
            let handle = try #require(FileHandle(forUpdatingAtPath: store))
            let places = (0..<30).map { _ in Int.random(in: 8192..<whole.count, using: &generator) }
            for place in places {
                try handle.seek(toOffset: UInt64(place))
                handle.write(Data([.random(in: 0...255)]))
            }
            // Only the look before mapping: LMDB itself may crash on such a file.
            do { _ = try FileCheckProbe.check(store) } catch is LMDBError {}
            for place in places {
                try handle.seek(toOffset: UInt64(place))
                handle.write(Data([whole[place]]))
            }
        }
        #expect(try FileCheckProbe.check(store) > whole.count)
    }

    @Test func `a path through a link, a hard link or dots leads to the same environment`() throws {
        let environment = try Environment.open(testOptions(path))
        let link = directory.path("link")
        let hardLink = directory.path("hard")
        try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: path)
        try FileManager.default.linkItem(atPath: path, toPath: hardLink)
        for other in [
            link, hardLink, directory.path("../" + URL(fileURLWithPath: directory.path).lastPathComponent + "/./store"),
        ] {
            #expect(try Environment.open(testOptions(other)) === environment)
        }
    }

    @Test func `a file that appears while it is looked for is not taken for a link`() async throws {
        let place = path
        let other = directory.path("other")
        try Data().write(to: URL(fileURLWithPath: other))
        try await onThreads(2) { number in
            for _ in 0..<20_000 {
                if number == 0 {
                    link(other, place)
                    unlink(place)
                } else {
                    _ = try FileCheckProbe.fileExists(place)
                }
            }
        }
    }

    @Test func `threads that create one file at once share an environment, and keep its locks`() async throws {
        for round in 0..<20 {
            let path = directory.path("store\(round)")
            // A lock file without a data file makes them look at it.
            if round % 2 == 1 { try Data().write(to: URL(fileURLWithPath: path + "-lock")) }
            let environments = try await onThreads(4) { _ in try Environment.open(testOptions(path)) }
            #expect(environments.allSatisfy { $0 === environments[0] })
            let descriptor = open(path + "-lock", O_RDWR | O_CLOEXEC)
            var range = flock()
            range.l_type = Int16(F_WRLCK)
            range.l_len = 1
            // F_OFD_GETLK, which is not imported: it tells of the process's own locks too.
            #expect(fcntl(descriptor, 36, &range) == 0)
            #expect(range.l_type == Int16(F_RDLCK))
            withExtendedLifetime(environments) { _ = close(descriptor) }
        }
    }

    @Test func `a store opened through a link has its lock file beside the file itself`() throws {
        let link = directory.path("link")
        try makeStore()
        try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: path)
        let environment = try Environment.open(testOptions(link))
        #expect(environment.path.hasSuffix("/store"))
        #expect(try names() == ["link", "store", "store-gate", "store-lock"])
    }

    @Test func `other options for an open file are an error that names the first with both values`() throws {
        let environment = try Environment.open(testOptions(path))
        let cases: [(String, EnvironmentOptions)] = [
            ("isReadOnly false", testOptions(path, isReadOnly: true)),
            ("durability none", testOptions(path, durability: .full)),
            ("reservation \(64 << 20)", testOptions(path, reservation: 1 << 30)),
        ]
        for (words, options) in cases {
            let error = failure(.alreadyOpenDifferently) { _ = try Environment.open(options) }
            #expect(error?.message.contains(words) == true, "\(error?.message ?? "")")
        }
        withExtendedLifetime(environment) {}
    }

    @Test func `a look takes an open file whatever its options, and makes none`() throws {
        var options = testOptions(path, durability: .full, isReadOnly: true)
        options.takesWhatIsThere = true
        _ = failure(.fileNotFound) { _ = try Environment.open(options) }
        options.isReadOnly = false
        _ = failure(.fileNotFound) { _ = try Environment.open(options) }
        #expect(!Environment.exists(path))
        let environment = try Environment.open(testOptions(path))
        #expect(try Environment.open(options) === environment)
    }

    @Test func `an environment closes when its last reference goes and opens again at once with other options`() throws
    {
        for round in 0..<20 {
            let options = testOptions(path, reservation: (64 + round) << 20)
            let environment = try Environment.open(options)
            #expect(Environment.isOpen(path))
            try environment.write { try $0.put(environment.plain, ByteKey(UInt64(round)), ByteKey("x")) }
        }
        #expect(!Environment.isOpen(path))
        #expect(try Environment.open(testOptions(path)).count() == 20)
    }

    @Test func `a transaction keeps its environment open`() throws {
        try makeStore()
        let read = try Environment.open(testOptions(path)).beginRead()
        #expect(Environment.isOpen(path))
        #expect(try read.statistics(read.environment.plain).entryCount == 10)
        read.abort()
    }

    @Test func `threads that open and release at once share one environment at a time`() async throws {
        let path = path
        try await onThreads(6) { thread in
            for round in 0..<50 {
                let environment = try Environment.open(testOptions(path))
                try environment.write {
                    try $0.put(environment.plain, ByteKey(UInt64(thread * 1000 + round)), ByteKey("x"))
                }
            }
        }
        #expect(try Environment.open(testOptions(path)).count() == 300)
    }

    @Test func `a network file system is refused by its name`() throws {
        let error = failure(.networkFileSystem) { try FileCheckProbe.checkFileSystem(magic: 0x6969) }
        #expect(error?.message.contains("NFS") == true)
        try FileCheckProbe.checkFileSystem(magic: 0xEF53)
    }

    @Test func `LMDB reads and writes the image that stores begin with where the kernel's pages are large`() throws {
        _ = FileManager.default.createFile(atPath: path, contents: Data(FileCheckProbe.emptyStore))
        let lmdbOwn = directory.path("own")
        do { _ = try Environment.open(EnvironmentOptions(path: lmdbOwn, databases: [])) }
        // Alike but for the size of the map and the flags of the environment that made it.
        var own = [UInt8](try Data(contentsOf: URL(fileURLWithPath: lmdbOwn)).prefix(8192))
        var image = FileCheckProbe.emptyStore
        for offset in [32..<40, 44..<46, 4096 + 32..<4096 + 40, 4096 + 44..<4096 + 46].joined() {
            own[offset] = 0
            image[offset] = 0
        }
        #expect(own == image)
        try Environment.open(EnvironmentOptions(path: path, databases: [])).beginWrite().commit()
    }
}
