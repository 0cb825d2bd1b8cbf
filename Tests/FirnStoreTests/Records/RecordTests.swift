import FirnStore
import Foundation
import TestSupport
import Testing

@Suite struct RecordTests {
    /// The views that the tests look through end with their builder, so it lasts as long as the test.
    private let builder = RecordBuilder()

    /// Values whose record is narrow, wide for its slots, or wide for its payload.
    private func values(_ random: inout SeededGenerator) -> [StoredValue] {
        let (count, size) = [(10, 20), (40, 200), (400, 8), (3, 900)].randomElement(using: &random) ?? (10, 20)
        return (0..<Int.random(in: 0...count, using: &random)).map { _ in random.value(upTo: size) }
    }

    private func build(_ values: [StoredValue]) throws -> RecordView {
        builder.begin()
        for value in values { builder.add(value) }
        return try check(builder.finish(), holds: values)
    }

    @discardableResult
    private func check(_ bytes: UnsafeRawBufferPointer, holds values: [StoredValue]) throws -> RecordView {
        let record = RecordView(try #require(bytes.baseAddress))
        try #require(record.byteCount == bytes.count)
        try #require(RecordView.validate(bytes) == bytes.count)
        try #require(record.slotCount == values.count)
        for (slot, value) in values.enumerated() {
            try #require(record.value(slot) == value)
            try #require(record.isEqual(slot, to: value))
            try #require(record.isNull(slot) == value.isNull)
        }
        return record
    }

    @Test func `what is built is read back`() throws {
        try RandomRuns(1...100).run { seed in
            var random = SeededGenerator(seed: seed)
            for _ in 0..<3 { _ = try build(values(&random)) }
        }
    }

    @Test func `a slot that the record does not have reads as missing`() throws {
        for values in [[StoredValue.int(1)], Array(repeating: .int(1), count: 300)] {
            let record = try build(values)
            for slot in [values.count, values.count + 1, 70_000, .max, -1, .min] {
                #expect(record.tag(slot) == nil)
                #expect(record.isNull(slot))
                #expect(record.value(slot) == .null)
                #expect(record.payload(slot).isEmpty)
                #expect(record.int64(slot) == 0)
                #expect(record.string(slot) == "")
                #expect(record.isEqual(slot, to: .null))
                #expect(!record.isEqual(slot, to: .int(0)))
            }
        }
    }

    @Test func `a getter of another type gives its zero`() throws {
        for value in [StoredValue.null, .bool(true), .string("12345678901234567890"), .int(7)] {
            let record = try build([.null, value])
            #expect(record.float(1) == 0 && record.double(1) == 0)
            #expect(record.decimal128(1) == DecimalParts.zeroBits)
            #expect(record.date(1) == (0, 0))
            #expect(record.data(1) == Data() && record.coded(1) == Data())
            #expect(record.objectID(1) == .zero && record.uuid(1) == RecordView.zeroUUID)
            #expect(record.link(1) == 0 && record.typedLink(1) == (0, 0))
            #expect(record.collectionID(1) == 0 && record.blob(1) == (0, 0, 0))
            #expect(record.int64(1) == (value == .int(7) ? 7 : 0))
            #expect(record.bool(1) == (value == .bool(true)))
            #expect(
                record.string(1)
                    == (value == .null || value == .bool(true) || value == .int(7) ? "" : "12345678901234567890"))
        }
    }

    @Test func `equality of a slot is equality of the stored value`() throws {
        try RandomRuns(1...50).run { seed in
            var random = SeededGenerator(seed: seed)
            let values = (0..<30).map { _ in random.value(upTo: 2) }
            let record = try build(values)
            for (slot, value) in values.enumerated() {
                for other in values { try #require(record.isEqual(slot, to: other) == (value == other)) }
            }
        }
    }

    @Test func `zero over minus zero is a write, NaN over the same NaN is none`() throws {
        let record = try build([.double(0), .double(.nan), .int(3)])
        #expect(!record.isEqual(0, to: .double(-0.0)))
        #expect(record.isEqual(1, to: .double(.nan)))
        #expect(!record.isEqual(1, to: .double(-.nan)))
        #expect(!record.isEqual(2, to: .double(3)))
    }

    @Test func `replacing a value keeps the others and pads what is missing with null`() throws {
        try RandomRuns(1...100).run { seed in
            var random = SeededGenerator(seed: seed)
            var values = values(&random)
            var record = try build(values)
            // Each rebuild reads the record that the same builder finished before.
            for _ in 0..<5 {
                let slot = Int.random(in: 0...(values.count + 2), using: &random)
                let value = random.value(upTo: 50)
                while values.count <= slot { values.append(.null) }
                values[slot] = value
                record = try check(builder.rebuild(record, replacing: slot, with: value), holds: values)
            }
            let slots = Set((0..<4).map { _ in Int.random(in: 0...(values.count + 2), using: &random) }).sorted()
            let replacements = slots.map { (slot: $0, value: random.value(upTo: 50)) }
            for (slot, value) in replacements {
                while values.count <= slot { values.append(.null) }
                values[slot] = value
            }
            try check(builder.rebuild(record, replacing: replacements), holds: values)
        }
    }

    @Test func `a tag of a later format survives a rebuild byte for byte`() throws {
        var bytes = Array(try build([.int(1), .string("abc"), .int(2)]).bytes)
        bytes[4] = bytes[4] & ~31 | 29
        try bytes.withUnsafeBytes { bytes in
            let old = RecordView(try #require(bytes.baseAddress))
            #expect(old.tag(1) == nil && old.value(1) == .null)
            let new = builder.rebuild(old, replacing: 0, with: .int(1000))
            let record = RecordView(try #require(new.baseAddress))
            #expect(record.entry(1).code == 29)
            #expect(hex(record.payload(1)) == "61 62 63")
            #expect(record.int64(2) == 2)
        }
    }

    @Test func `patching in place writes what a rebuild would, or nothing`() throws {
        try RandomRuns(1...60).run { seed in
            var random = SeededGenerator(seed: seed)
            var values = values(&random)
            var bytes = Array(try build(values).bytes)
            for _ in 0..<20 {
                guard !values.isEmpty else { return }
                let slot = Int.random(in: 0..<values.count, using: &random)
                let value = random.value(upTo: 3)
                try bytes.withUnsafeMutableBytes { bytes in
                    let base = try #require(bytes.baseAddress)
                    let old = Array(bytes)
                    if RecordView.patchInPlace(base, slot: slot, value: value) {
                        values[slot] = value
                    } else {
                        try #require(bytes.elementsEqual(old))
                    }
                    try check(UnsafeRawBufferPointer(bytes), holds: values)
                }
            }
        }
    }

    @Test func `what has the room of the old value is patched in place`() throws {
        let id = ObjectIDBytes(high: 1, low: 2)
        let pairs: [(StoredValue, StoredValue, Bool)] = [
            (.null, .bool(true), true), (.bool(true), .null, true), (.bool(true), .bool(false), true),
            (.int(1000), .int(3), true), (.int(3), .int(1000), false), (.int(3), .null, false),
            (.null, .int(3), false), (.int(3), .double(3), false), (.double(1), .double(2), true),
            (.string("abc"), .string("xyz"), true), (.string("abc"), .string("ab"), false),
            (.string("abc"), .data(Data("xyz".utf8)), false), (.objectID(.zero), .objectID(id), true),
            (.link(1), .link(2), true), (.link(1), .int(1 << 40), false),
            (.date(seconds: 1, nanoseconds: 0), .date(seconds: 2, nanoseconds: 5), true),
        ]
        for (old, new, fits) in pairs {
            var bytes = Array(try build([.int(7), old, .int(8)]).bytes)
            try bytes.withUnsafeMutableBytes { bytes in
                let base = try #require(bytes.baseAddress)
                #expect(RecordView.patchInPlace(base, slot: 1, value: new) == fits, "\(old) to \(new)")
                try check(UnsafeRawBufferPointer(bytes), holds: [.int(7), fits ? new : old, .int(8)])
                #expect(!RecordView.patchInPlace(base, slot: 3, value: .null), "a slot it does not have")
            }
        }
    }

    @Test func `the slots to move to blobs come with the largest first`() throws {
        let record = try build(
            [
                .string(String(repeating: "a", count: 14)), .int(.max), .data(Data(count: 500)), .string("short"),
                .string(String(repeating: "b", count: 900)), .coded(Data(count: 500)), .null,
            ])
        #expect(RecordBuilder.slotsByPayload(of: record) == [4, 2, 5, 0])
    }

    @Test func `a record too large for a leaf shrinks by moving its largest values`() throws {
        builder.begin()
        for _ in 0..<10 { builder.addString(String(repeating: "x", count: 1000)) }
        var record = RecordView(try #require(builder.finish().baseAddress))
        #expect(record.byteCount > Leaf.maximumRecordByteCount)
        for slot in RecordBuilder.slotsByPayload(of: record) where record.byteCount > Leaf.maximumRecordByteCount {
            let blob = StoredValue.blob(kind: Tag.string.rawValue, id: UInt64(slot), byteCount: 1000)
            record = RecordView(try #require(builder.rebuild(record, replacing: slot, with: blob).baseAddress))
        }
        #expect(record.byteCount <= Leaf.maximumRecordByteCount)
        #expect((0..<10).filter { record.tag($0) == .blob } == Array(0..<7))
    }

    @Test func `a string that is not contiguous UTF-8 is added as its UTF-8`() throws {
        builder.begin()
        builder.addString(NSString(string: "aß€😀") as String)
        builder.addString(String("xyz".reversed()))
        let record = RecordView(try #require(builder.finish().baseAddress))
        #expect(record.string(0) == "aß€😀" && record.string(1) == "zyx")
    }
}
