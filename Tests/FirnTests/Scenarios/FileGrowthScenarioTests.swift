import Firn
import Foundation
import LMDB
import TestSupport
import Testing

/// Files that grow: what users of such databases have met, played through.
@Suite struct FileGrowthScenarioTests {
    final class Row: Object {
        @Persisted(primaryKey: true) var id = 0
        @Persisted var payload = Data()

        convenience init(_ id: Int, byteCount: Int) {
            self.init()
            self.id = id
            payload = Data(repeating: UInt8(truncatingIfNeeded: id), count: byteCount)
        }
    }

    final class Line: Object {
        @Persisted var text = ""
    }

    private let directory: TemporaryRealm

    init() throws {
        directory = try TemporaryRealm()
    }

    private func configuration(_ name: String = "test", reservation: Int = 1 << 34) -> Realm.Configuration {
        var configuration = directory.configuration([Row.self, Line.self])
        configuration.fileURL = directory.directory.appendingPathComponent("\(name).realm")
        configuration.durability = .relaxed
        configuration.reservationInBytes = reservation
        return configuration
    }

    private func bytes(_ configuration: Realm.Configuration) throws -> Realm.Diagnostics.Bytes {
        try Realm.diagnostics(for: configuration).bytes
    }

    /// Adds rows of 8,000 bytes, 20 a write, until the file takes no more. Returns how many there are.
    private func fill(_ realm: Realm) throws -> Int {
        var count = 0
        while true {
            do {
                try realm.write { for id in count..<count + 20 { realm.add(Row(id, byteCount: 8000)) } }
                count += 20
            } catch Realm.Error.outOfDiskSpace {
                return count
            }
        }
    }

    @Test func `A1: writes from many blocks, each with a reader, make the file no longer than those from one place`()
        async throws
    {
        let (many, one) = (configuration("many"), configuration("one"))
        let count = 240
        try await onThreads(8) { thread in
            for id in stride(from: thread, to: count, by: 8) {
                let realm = try Realm(configuration: many)
                let reader = realm.freeze()
                try realm.write { realm.add(Row(id, byteCount: 2000)) }
                #expect(reader.object(ofType: Row.self, forPrimaryKey: id) == nil)
            }
        }
        let realm = try Realm(configuration: one)
        for id in 0..<count { try realm.write { realm.add(Row(id, byteCount: 2000)) } }

        let found = try Realm.diagnostics(for: many)
        #expect(found.pinnedVersions.isEmpty && found.bytes.pinned == 0, "\(found)")
        #expect(try found.bytes.file <= 2 * bytes(one).file, "\(found)")
        #expect(try Realm(configuration: many).objects(Row.self).count == count)
    }

    @Test func `A2: a file that is emptied and filled again stays as long as it is`() throws {
        let configuration = configuration()
        let realm = try Realm(configuration: configuration)
        func cycle(_ times: Int) throws {
            for _ in 0..<times {
                try realm.write {
                    realm.deleteAll()
                    for number in 0..<24 { realm.add(Line(value: ["text": "line \(number)"])) }
                }
            }
        }
        try cycle(20)
        let first = try bytes(configuration)
        try cycle(300)
        let last = try bytes(configuration)
        // What comes more is the log of the newest 1,024 commits, some 60 bytes each. A page a cycle would be 1.2 million
        // bytes.
        #expect(last.file - first.file < 50_000, "\(first.file) to \(last.file)")
        #expect(last.live - first.live < 50_000)
        #expect(realm.objects(Line.self).count == 24)
    }

    @Test func `A4: a version that is kept lets the file grow to its limit and no further, and letting go ends that`()
        throws
    {
        let configuration = configuration(reservation: 8 << 20)
        let realm = try Realm(configuration: configuration)
        func overwrite(_ round: Int) throws {
            try realm.write { for row in realm.objects(Row.self) { row.payload = Data(count: 8000 + round % 2) } }
        }
        try realm.write { for id in 0..<20 { realm.add(Row(id, byteCount: 8000)) } }
        var kept: Realm? = realm.freeze()
        var rounds = 0
        let message = expectError(.outOfDiskSpace) {
            while true {
                try overwrite(rounds)
                rounds += 1
            }
        }
        #expect(rounds > 10)
        #expect(message.contains("\(8 << 20) bytes") && message.contains("release old snapshots"), "\(message)")

        // Who keeps it is said, and all can still be read.
        let full = try Realm.diagnostics(for: configuration)
        #expect(full.bytes.file <= 8 << 20 && full.bytes.pinned > full.bytes.live, "\(full)")
        let oldest = try #require(full.pinnedVersions.first)
        #expect(
            oldest.versionsBehind == UInt64(rounds)
                && oldest.holders.first?.hasPrefix("a frozen realm of thread") == true)
        #expect(realm.objects(Row.self).count == 20 && kept?.objects(Row.self).count == 20)

        kept = nil
        for round in 0..<50 { try overwrite(round) }
        let free = try bytes(configuration)
        #expect(free.pinned == 0 && free.file <= full.bytes.file + (1 << 20))
    }

    @Test func `A4: a file that has reached its limit is opened again within the same reservation`() throws {
        let configuration = configuration(reservation: 8 << 20)
        var realm: Realm? = try Realm(configuration: configuration)
        let count = try realm.map { try fill($0) }
        realm = nil
        let again = try Realm(configuration: configuration)
        #expect(again.objects(Row.self).count == count)
        #expect(try bytes(configuration).limit == 8 << 20)
    }

    @Test func `A9: a full file can be emptied row by row, says what is free in it, and takes rows again`() throws {
        let configuration = configuration(reservation: 8 << 20)
        let realm = try Realm(configuration: configuration)
        let count = try fill(realm)
        let full = try bytes(configuration)
        #expect(count > 400 && full.live > 4 << 20 && full.limit == 8 << 20)

        for id in 0..<100 {
            let row = try #require(realm.object(ofType: Row.self, forPrimaryKey: id))
            try realm.write { realm.delete(row) }
        }
        let emptier = try bytes(configuration)
        #expect(full.live - emptier.live > 700_000)
        #expect(emptier.free - full.free > 700_000)
        #expect(emptier.file >= full.file && emptier.file <= emptier.limit)

        for id in 0..<60 { try realm.write { realm.add(Row(id, byteCount: 8000)) } }
        #expect(realm.objects(Row.self).count == count - 40)
    }

    @Test func `A10: nobody meets the limit by accident, and a file beyond the one it is opened with goes on`() throws {
        #expect(Realm.Configuration().reservationInBytes >= 1 << 34)

        do {
            let realm = try Realm(configuration: configuration(reservation: 64 << 20))
            try realm.write { for id in 0..<500 { realm.add(Row(id, byteCount: 8000)) } }
        }
        let small = configuration(reservation: 1 << 20)
        let realm = try Realm(configuration: small)
        #expect(realm.objects(Row.self).count == 500)
        let limit = try bytes(small).limit
        let message = expectError(.outOfDiskSpace) {
            try realm.write { for id in 500..<1000 { realm.add(Row(id, byteCount: 8000)) } }
        }
        #expect(message.contains("the \(limit) bytes that it may grow to"), "\(message)")
        #expect(message.contains("delete something") && message.contains("open it with a larger reservation"))
        try realm.write { realm.delete(realm.objects(Row.self).filter("id < 400")) }
        #expect(realm.objects(Row.self).count == 100)
    }

    @Test func `A10: with little address space a file is opened with a lower limit, with too little the error helps`()
        async
    {
        await #expect(processExitsWith: .success) {
            let directory = try TemporaryRealm()
            var configuration = Realm.Configuration(fileURL: directory.fileURL, objectTypes: [Row.self])
            configuration.reservationInBytes = 1 << 40
            Privileges.limitAddressSpace(toFurther: 6 << 30)
            do {
                let realm = try Realm(configuration: configuration)
                try realm.write { realm.add(Row(1, byteCount: 8000)) }
                #expect(try Realm.diagnostics(for: configuration).bytes.limit == 4 << 30)
            }
            Privileges.limitAddressSpace(toFurther: 512 << 20)
            let message = expectError(.addressSpaceExhausted) { _ = try Realm(configuration: configuration) }
            #expect(message.contains("ulimit -v"), "\(message)")
            // What is there can be read.
            configuration.reservationInBytes = 64 << 20
            configuration.readOnly = true
            #expect(try Realm(configuration: configuration).objects(Row.self).count == 1)
        }
    }

    @Test(.enabled(if: Privileges.canMount, Comment(rawValue: Privileges.skipReason)))
    func `A11: a full disk and a full store are told apart, and neither costs what is there`() async {
        await #expect(processExitsWith: .success) {
            let directory = try TemporaryRealm()
            Privileges.mountMemory(directory.directory.path, byteCount: 4 << 20)
            func refusal(_ name: String, reservation: Int) throws -> String {
                var configuration = Realm.Configuration(
                    fileURL: directory.directory.appendingPathComponent(name), objectTypes: [Row.self])
                configuration.reservationInBytes = reservation
                do {
                    let realm = try Realm(configuration: configuration)
                    try realm.write { realm.add(Row(0, byteCount: 8000)) }
                    let message = expectError(.outOfDiskSpace) {
                        try realm.write { for id in 1..<600 { realm.add(Row(id, byteCount: 8000)) } }
                    }
                    #expect(realm.objects(Row.self).count == 1)
                    try realm.write { realm.add(Row(1, byteCount: 8000)) }
                    return message
                }
            }
            let ofStore = try refusal("store", reservation: 1 << 20)
            #expect(ofStore.contains("the store has reached the \(1 << 20) bytes"), "\(ofStore)")
            let ofDisk = try refusal("disk", reservation: 1 << 34)
            #expect(ofDisk.contains("the file system has") && ofDisk.contains("make room"), "\(ofDisk)")
        }
    }

    @Test func `A13: large values go where a file is free in single pages`() throws {
        /// Stores five values of 200 KB. Returns how many calls of LMDB that takes, and how much longer the file is.
        func store(_ configuration: Realm.Configuration, _ realm: Realm) throws -> (calls: Int, growth: Int) {
            let before = try bytes(configuration)
            let calls = try Faults.callCount {
                for id in 10_000..<10_005 { try realm.write { realm.add(Row(id, byteCount: 200_000)) } }
            }
            return (calls, try bytes(configuration).file - before.file)
        }
        let (whole, holes) = (configuration("whole"), configuration("holes"))
        let expected = try store(whole, Realm(configuration: whole))

        let realm = try Realm(configuration: holes)
        // Each payload has a page of its own, and every second one goes.
        try realm.write { for id in 0..<800 { realm.add(Row(id, byteCount: 3000)) } }
        try realm.write {
            for id in stride(from: 0, to: 800, by: 2) {
                if let row = realm.object(ofType: Row.self, forPrimaryKey: id) { realm.delete(row) }
            }
        }
        try realm.write { realm.add(Line()) }
        #expect(try bytes(holes).free > 1_200_000)
        let found = try store(holes, realm)
        #expect(expected.growth > 1_000_000 && found.growth < 100_000, "\(expected), \(found)")
        #expect(found.calls < 2 * expected.calls, "\(expected), \(found)")
        let large = realm.objects(Row.self).filter("id >= 10000")
        #expect(large.allSatisfy { $0.payload == Data(repeating: UInt8(truncatingIfNeeded: $0.id), count: 200_000) })
        expectIntact(realm)
    }
}
