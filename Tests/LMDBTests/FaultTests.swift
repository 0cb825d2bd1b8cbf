import Foundation
import Glibc
import LMDB
import TestSupport
import Testing

/// Each LMDB call of a piece of work is made to fail in turn: an error comes, and the store is as before or as after.
@Suite struct FaultTests {
    let directory = TemporaryDirectory()

    @Test(arguments: [EIO, ENOSPC, ENOMEM, -30792, -30795] as [Int32])
    func `opening a new store fails with an error and leaves nothing, or works`(returnCode: Int32) throws {
        let path = directory.path("store")
        let count = try Faults.failingEachCall(returnCode: returnCode) {
            _ = try Environment.open(testOptions(path))
        } check: { _, outcome in
            if case .failure(let error) = outcome { #expect(error is LMDBError) }
            #expect(!Environment.isOpen(path))
            let names = try FileManager.default.contentsOfDirectory(atPath: directory.path)
            #expect(Set(names).isSubset(of: ["store", "store-lock", "store-gate"]), "\(names)")
            if names.contains("store") { #expect(try Environment.open(testOptions(path)).count() == 0) }
            try Environment.deleteFiles(path)
        }
        #expect(count > 15)
    }

    @Test(arguments: [false, true])
    func `a write fails with an error and is not there, or works`(onWriterThread: Bool) throws {
        let environment = try Environment.open(testOptions(directory.path("store")))
        try environment.write { try $0.fill(environment.plain, 0..<10) }
        var expected = 10
        let count = try Faults.failingEachCall(returnCode: EIO) {
            let write = try environment.beginWrite(onWriterThread: onWriterThread)
            let cursor = try write.makeCursor(environment.plain)
            try cursor.put(ByteKey("cursor"), ByteKey("x"))
            try write.fill(environment.plain, 100..<103)
            let child = try write.makeChild()
            _ = try child.delete(environment.plain, ByteKey(1 as UInt64))
            try child.put(environment.sorted, ByteKey("a"), ByteKey("b"))
            try child.commit()
            try write.commit()
        } check: { _, outcome in
            if case .success = outcome { expected = 13 }
            #expect(try environment.count() == expected)
            try environment.write { _ in }
        }
        #expect(expected == 13)
        #expect(count == 11)
    }

    @Test func `reading fails with an error and goes on afterwards`() throws {
        let environment = try Environment.open(testOptions(directory.path("store")))
        try environment.write { try $0.fill(environment.plain, 0..<10) }
        try Faults.failingEachCall(returnCode: EIO) {
            let read = try environment.beginRead()
            _ = try read.get(environment.plain, ByteKey(1 as UInt64))
            let cursor = try read.makeCursor(environment.plain)
            while try cursor.next() {}
            try read.renew()
            try cursor.renew()
            #expect(try cursor.last())
        } check: { _, _ in
            #expect(environment.readers().isEmpty)
            let count = try environment.count()
            #expect(count == 10)
        }
    }

    @Test func `a reader that cannot begin for its pid says that containers collide`() throws {
        let environment = try Environment.open(testOptions(directory.path("store")))
        let (_, outcome) = Faults.withFailure(ofCall: 1, returnCode: EAGAIN) { _ = try environment.beginRead() }
        _ = failure(.pidCollision) { try outcome.get() }
    }

    @Test func `readers that find no place look for dead ones and try once more`() throws {
        let environment = try Environment.open(testOptions(directory.path("store")))
        let (hasFired, outcome) = Faults.withFailure(ofCall: 1, returnCode: -30790) { try environment.count() }
        #expect(hasFired)
        #expect(try outcome.get() == 0)
    }

    @Test func `opening that meets another process at the same instant tries again`() throws {
        let path = directory.path("store")
        do { _ = try Environment.open(testOptions(path)) }
        for number in 1...8 {
            let (_, outcome) = Faults.withFailure(ofCall: number, returnCode: EAGAIN) {
                _ = try Environment.open(testOptions(path))
            }
            if number <= 5 { #expect(throws: Never.self, "call \(number)") { try outcome.get() } }
        }
    }

    @Test func `a fault on one thread does not touch the others`() async throws {
        let environment = try Environment.open(testOptions(directory.path("store")))
        try await onNewThread {
            _ = Faults.withFailure(ofCall: 1, returnCode: EIO, isRepeating: true) {
                let other = Companion { try environment.write { try $0.fill(environment.plain, 0..<10) } }
                #expect(throws: Never.self) { try other.value() }
                _ = failure(.ioFailure) { _ = try environment.beginRead() }
            }
        }
        #expect(try environment.count() == 10)
    }
}
