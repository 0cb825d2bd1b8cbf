import FirnStore
import Foundation
import TestSupport
import Testing

@Suite struct RecordValidationTests {
    @Test func `damaged bytes are refused or can be read, and never read outside`() throws {
        let guarded = GuardedBytes(room: 8192)
        try RandomRuns(1...60).run { seed in
            var random = SeededGenerator(seed: seed)
            let builder = RecordBuilder()
            builder.begin()
            let count = Int.random(in: 0...(seed.isMultiple(of: 5) ? 300 : 12), using: &random)
            for _ in 0..<count { builder.add(random.value(upTo: 12)) }
            let original = builder.finishedBytes()
            for _ in 0..<100 {
                var bytes = original
                for _ in 0..<Int.random(in: 0...3, using: &random) {
                    let index = Int.random(in: 0..<min(bytes.count, 40), using: &random)
                    bytes[index] = UInt8.random(in: 0...255, using: &random)
                }
                if Bool.random(using: &random) { bytes.removeLast(Int.random(in: 0...bytes.count, using: &random)) }
                let place = guarded.atEnd(bytes)
                if let byteCount = try? RecordView.validate(place) {
                    try #require(byteCount <= bytes.count)
                    // With a page before it that may not be touched, too.
                    let record = RecordView(try #require(guarded.atStart(bytes).baseAddress))
                    for slot in 0..<record.slotCount { _ = record.value(slot) }
                }
            }
        }
    }

    @Test func `any bytes at all are refused or can be read`() throws {
        let guarded = GuardedBytes(room: 64)
        try RandomRuns(1...20).run { seed in
            var random = SeededGenerator(seed: seed)
            for _ in 0..<500 {
                var bytes = random.bytes(upTo: 40)
                if !bytes.isEmpty { bytes[0] = UInt8.random(in: 0...3, using: &random) }
                if let byteCount = try? RecordView.validate(guarded.atEnd(bytes)) {
                    try #require(byteCount <= bytes.count)
                }
            }
        }
    }

    private func damage(
        _ values: [StoredValue], _ change: (inout [UInt8]) -> Void
    ) throws -> FormatError? {
        let builder = RecordBuilder()
        builder.begin()
        for value in values { builder.add(value) }
        var bytes = builder.finishedBytes()
        change(&bytes)
        return #expect(throws: FormatError.self) { try bytes.withUnsafeBytes { _ = try RecordView.validate($0) } }
    }

    @Test func `an error says what is wrong and where`() throws {
        #expect(try damage([.null]) { $0[0] = 3 }?.description == "unknown record form 3 (byte 0)")
        #expect(try damage([.null, .null]) { $0[4] |= 21 }?.description == "slot 1 has the unknown tag 21 (byte 4)")
        #expect(
            try damage([.null]) { $0[1] = 200 }?.description
                == "the entries of 200 slots exceed the record's place (byte 1)")
        #expect(
            try damage([.string("ab")]) { $0[6] = 0xFF }?.description == "slot 0 is not UTF-8 (byte 6)")
        #expect(
            try damage([.int(1 << 20)]) { $0.removeLast() }?.description
                == "the record ends at 10, not between 6 and 9 (byte 4)")
        #expect(
            try damage([.null, .double(1)]) { $0[4] = $0[4] & ~31 | Tag.float.rawValue }?.description
                == "slot 1 (float) has 8 bytes instead of 4 (byte 4)")
        #expect(
            try damage([.collection(kind: 1, id: 1)]) { $0[6] = 4 }?.message
                == "slot 0 is a collection of the unknown kind 4")
        #expect(
            try damage([.blob(kind: Tag.data.rawValue, id: 1, byteCount: 1)]) { $0[6] = Tag.int8.rawValue }?.message
                == "slot 0 is a blob of tag 3")
        #expect(
            try damage([.date(seconds: 1, nanoseconds: 1)]) { $0[17] = 0xFF }?.message.hasPrefix("slot 0 is no date")
                == true)
    }
}
