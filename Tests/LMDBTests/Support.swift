import Glibc
import LMDB
import TestSupport
import Testing

/// The environments that these tests open: `plain` values and `sorted` duplicates.
func testOptions(
    _ path: String, reservation: Int = 64 << 20, durability: Durability = .none, isReadOnly: Bool = false
) -> EnvironmentOptions {
    var options = EnvironmentOptions(
        path: path,
        databases: [
            DatabaseDefinition(name: "plain"), DatabaseDefinition(name: "sorted", hasSortedDuplicates: true),
        ])
    options.reservation = reservation
    options.durability = durability
    options.isReadOnly = isReadOnly
    return options
}

extension Environment {
    var plain: Database { databases[0] }
    var sorted: Database { databases[1] }

    func beginWrite(
        _ text: String = "a test", onWriterThread: Bool = false, within duration: Duration? = .seconds(300)
    ) throws -> WriteTransaction {
        try beginWrite(
            WriteRequest(
                onWriterThread: onWriterThread, deadline: duration.map { ContinuousClock.now + $0 },
                holder: WriterDescription(text: text)))
    }

    /// Writes in one transaction, committed unless `body` throws.
    func write(_ body: (WriteTransaction) throws -> Void) throws {
        let transaction = try beginWrite()
        try body(transaction)
        try transaction.commit()
    }

    func count(_ database: Database? = nil) throws -> Int {
        try beginRead().statistics(database ?? plain).entryCount
    }
}

extension WriteTransaction {
    func put(_ database: Database, _ key: [UInt8], _ value: ByteKey) throws {
        try key.withUnsafeBytes { try put(database, $0, value) }
    }

    /// Stores `count` values of `byteCount` bytes under consecutive numbers, each in room of its own page.
    func fill(_ database: Database, _ range: Range<UInt64>, byteCount: Int = 4080) throws {
        for number in range {
            let room = try reserve(database, ByteKey(number), byteCount: byteCount)
            room.initializeMemory(as: UInt8.self, repeating: UInt8(truncatingIfNeeded: number), count: byteCount)
        }
    }
}

/// The LMDB error that `body` throws, else records an issue.
func failure(
    _ code: LMDBError.Code, sourceLocation: SourceLocation = #_sourceLocation, _ body: () throws -> Void
) -> LMDBError? {
    let error = #expect(throws: LMDBError.self, sourceLocation: sourceLocation) { try body() }
    #expect(error?.code == code, "\(error.map(String.init) ?? "")", sourceLocation: sourceLocation)
    return error
}

func bytes(_ buffer: UnsafeRawBufferPointer?) -> [UInt8]? { buffer.map(Array.init) }

/// Has a file open from when it says so until it is told that that is enough.
func keepOpen(_ path: String, _ ready: Baton, _ done: Baton) throws {
    let environment = try Environment.open(testOptions(path))
    ready.pass("\(getpid())")
    _ = done.take()
    withExtendedLifetime(environment) {}
}
