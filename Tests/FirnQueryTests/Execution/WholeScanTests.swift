import FirnQuery
import FirnStore
import Foundation
import LMDB
import TestSupport
import Testing

/// Scans of tables so large that they are parted among processors.
@Suite struct WholeScanTests {
    private static let definition = TableDefinition(
        name: "Row", primaryKey: "id",
        columns: [
            ColumnDefinition(name: "id", type: .int), ColumnDefinition(name: "number", type: .int, isOptional: true),
            ColumnDefinition(name: "real", type: .double), ColumnDefinition(name: "flag", type: .bool),
            ColumnDefinition(name: "text", type: .string), ColumnDefinition(name: "padding", type: .data),
        ])
    private static let count: Int64 = 9000

    private static func number(_ id: Int64) -> Int64? { id % 5 == 0 ? nil : id &* 7919 % 1000 }
    private static func real(_ id: Int64) -> Double { Double(id &* 104_729 % 997) / 10 }

    private static let expectations: [(text: String, holds: @Sendable (Int64) -> Bool)] = [
        ("real > 50", { real($0) > 50 }),
        ("real > 50 AND flag == true", { real($0) > 50 && $0 % 3 == 0 }),
        (
            "number < 100 AND real <= 20 AND flag == false",
            { number($0).map { $0 < 100 } ?? false && real($0) <= 20 && $0 % 3 != 0 }
        ),
        ("number == nil", { number($0) == nil }),
        ("number != 7", { number($0) != 7 }),
        ("text ENDSWITH '77'", { $0 % 100 == 77 }),
        ("real > 1000", { _ in false }),
    ]

    @Test func `a table of thousands of leaves is scanned as one`() throws {
        let fixture = try QueryFixture(Self.definition)
        let table = try fixture.table
        try fixture.begin()
        for id in 0..<Self.count {
            // Four rows a leaf: 2,250 leaves.
            try fixture.connection.insert(table.id) { writer in
                writer.addInt(id)
                writer.add(Self.number(id).map { .int($0) } ?? .null)
                writer.add(.double(Self.real(id)))
                writer.add(.bool(id % 3 == 0))
                writer.addString("row \(id)")
                writer.add(.data(Data(repeating: 1, count: 900)))
            }
        }
        // In a write the leaves are walked one by one, after it they are parted: both must find the same.
        try compare(fixture)
        try fixture.connection.commit()
        try compare(fixture)
    }

    private func compare(_ fixture: QueryFixture) throws {
        for expectation in Self.expectations {
            let expected = (0..<Self.count).filter(expectation.holds).map(objectKey(ofInteger:))
            // Which also compares keys, count, first key and a walk over all records.
            let keys = try fixture.keys(expectation.text)
            #expect(keys == expected, "\(expectation.text)")
        }
    }
}
