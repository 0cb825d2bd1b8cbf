import Foundation
import Glibc
import LMDB
import TestSupport
import Testing

@testable import FirnStore

/// Lists whose nodes are not what they should be, and lists whose changes fail at any call.
@Suite struct ListDamageTests {
    /// A list of 1,000 numbers, in a root and four leaves.
    private func fixture() throws -> ListFixture {
        let fixture = try ListFixture()
        try fixture.write {
            try fixture.connection.listInsert(fixture.place(.numbers), (0..<1000).map { .int($0) }, at: 0)
        }
        return fixture
    }

    /// Changes a node's bytes behind the store's back, or removes it; tells what a check then says of the list.
    private func damage(_ node: UInt32, _ change: (inout [UInt8]?) -> Void) throws -> (ListFixture, [String]) {
        let fixture = try fixture()
        let connection = fixture.connection
        let id = try #require(connection.collectionID(fixture.place(.numbers)))
        let lists = connection.store.databases.lists
        try fixture.write {
            try connection.change { write in
                let cursor = try write.cursor(lists)
                let key = ListNodeView.key(id, node)
                var bytes: [UInt8]? = try cursor.seek(key) ? Array(cursor.value) : nil
                if bytes != nil { try cursor.delete() }
                change(&bytes)
                if let bytes { try bytes.withUnsafeBytes { try cursor.put(key, $0) } }
                write.recorder.changes(of: fixture.row.table).noteModification(
                    fixture.row.key, of: ColumnID(rawValue: 1))
            }
        }
        let name = "list \(id): "
        return (fixture, try fixture.check(.numbers).problems.map { $0.replacingOccurrences(of: name, with: "") })
    }

    @Test func `a sound list has no problems`() throws {
        #expect(try damage(2) { _ in }.1 == [])
    }

    @Test func `a check names a node that is missing, damaged, lost, shared or counted wrongly`() throws {
        #expect(try damage(2) { $0 = nil }.1 == ["node 2 is missing"])
        #expect(try damage(2) { $0?[0] = 7 }.1 == ["node 2: unknown node form 7 255 (byte 0)"])
        #expect(try damage(9) { $0 = [1, 0, 0x80, 0] }.1 == ["node 9 has no parent"])
        #expect(try damage(2) { $0 = [1, 0, 0x80, 0] }.1.first == "leaf 2 is empty")
        #expect(try damage(0) { $0?[8] = 254 }.1.contains("node 1 has 255 elements, its parent counts 254"))
        #expect(try damage(0) { $0?[4] = 2 }.1.contains("node 2 has two parents"))
        let ownChild = try damage(2) { $0 = [2, 0, 1, 0, 2, 0, 0, 0, 255, 0, 0, 0, 0, 0, 0, 0] }.1
        #expect(ownChild.contains("node 2 has two parents"))
    }

    @Test func `changing a damaged list throws, and the write can go on`() throws {
        let (fixture, _) = try damage(2) { $0?[0] = 7 }
        let place = fixture.place(.numbers)
        try fixture.write {
            let error = #expect(throws: StoreError.self) {
                try fixture.connection.listInsert(place, [.int(1)], at: 300)
            }
            #expect(error?.code == .corrupted)
            try fixture.connection.listSet(place, .int(5), at: 0)
        }
        #expect(fixture.connection.listElement(place, at: 0) == .int(5))
    }

    @Test func `a loop of nodes ends with an error`() throws {
        let (fixture, _) = try damage(2) { $0 = [2, 0, 1, 0, 2, 0, 0, 0, 255, 0, 0, 0, 0, 0, 0, 0] }
        try fixture.write {
            #expect(throws: StoreError.self) { try fixture.connection.listRemove(fixture.place(.numbers), 300..<301) }
        }
    }

    @Test(arguments: [EIO, -30792] as [Int32])
    func `changes that fail at any call leave the list as it was, or are made`(returnCode: Int32) throws {
        let fixture = try fixture()
        let connection = fixture.connection
        let place = fixture.place(.numbers)
        let before = fixture.elements(.numbers)
        let texts = fixture.place(.texts)
        let count = try Faults.failingEachCall(returnCode: returnCode, onlyChanges: true) {
            try fixture.write {
                try connection.listInsert(place, (0..<300).map { .int($0) }, at: 500)
                try connection.listRemove(place, 100..<1100)
                try connection.listMove(place, from: 0, to: 150)
                try connection.listInsert(texts, [.string(String(repeating: "x", count: 9000)), .null], at: 0)
                try connection.listRemove(texts, 0..<1)
            }
        } check: { _, outcome in
            if case .failure = outcome {
                try #require(fixture.elements(.numbers) == before)
                try #require(connection.count(texts) == 0)
            } else {
                #expect(connection.count(place) == 300)
                #expect(fixture.elements(.texts) == [.null])
            }
            try #require(IntegrityChecker.check(connection) == [])
        }
        #expect(count > 8)
    }
}
