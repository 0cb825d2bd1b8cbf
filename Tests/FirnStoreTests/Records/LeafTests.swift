import FirnStore
import Foundation
import TestSupport
import Testing

@Suite struct LeafTests {
    private func record(_ values: StoredValue...) -> [UInt8] {
        let builder = RecordBuilder()
        builder.begin()
        for value in values { builder.add(value) }
        return builder.finishedBytes()
    }

    /// A record of that many bytes, at least 6; of up to six more where the step to wide entries leaves a gap.
    private func record(byteCount: Int) -> [UInt8] {
        record(.data(Data(count: byteCount - (byteCount < 2054 ? 6 : 12))))
    }

    @Test func `the bytes of a leaf never change`() {
        let image = LeafImage(version: 7)
        defer { withExtendedLifetime(image) {} }
        #expect(image.editor.insert(259, record(.null)))
        #expect(image.editor.insert(258, record(.bool(true))))
        #expect(image.editor.insert(1000, record(.int(5))))
        let bytes = image.bytes
        #expect(
            hex(bytes[..<24])
                == "07 00 00 00 00 00 00 00 02 01 00 00 00 00 00 00 03 00 2c 00 00 00 02 00")
        #expect(
            hex(bytes[24..<46])
                == "01 01 c0 00 c0 00 01 01 c2 00 c0 00 01 01 c4 00 00 01 05 00 00 00")
        #expect(hex(bytes[4068...]) == "e6 02 24 00 01 00 18 00 00 00 1e 00")
        #expect(bytes[44..<4068].allSatisfy { $0 == 0 })
    }

    @Test func `entries widen as the distance of the keys needs it`() throws {
        let image = LeafImage(version: 1)
        defer { withExtendedLifetime(image) {} }
        #expect(image.editor.insert(10, record(.int(10))))
        #expect(image.view.deltaWidth == 2)
        #expect(image.editor.insert(10 + 0x1_0000, record(.int(11))))
        #expect(image.view.deltaWidth == 4)
        #expect(image.editor.insert(.max, record(.int(12))))
        #expect(image.view.deltaWidth == 8)
        #expect(image.editor.insert(0, record(.int(9))))
        #expect((0..<4).map { image.view.key(at: $0) } == [0, 10, 10 + 0x1_0000, .max])
        #expect((0..<4).map { image.view.record(at: $0).int64(0) } == [9, 10, 11, 12])
        try LeafView.validate(image.bytes)
        image.editor.remove(at: 3)
        image.editor.remove(at: 0)
        image.editor.compact()
        #expect(image.view.deltaWidth == 4 && image.view.baseKey == 10)
        try LeafView.validate(image.bytes)
    }

    @Test func `the largest record has a leaf for itself, whatever its key`() throws {
        let largest = record(byteCount: Leaf.maximumRecordByteCount)
        let image = LeafImage(version: 1)
        defer { withExtendedLifetime(image) {} }
        #expect(!image.editor.insert(.max, largest + [0]))
        #expect(image.view.count == 0)
        #expect(image.editor.insert(.max, largest))
        #expect(image.view.freeByteCount == 0)
        try LeafView.validate(image.bytes)

        // The same by growth, where the base key and the width are those of a key that is gone.
        let grown = LeafImage(version: 1)
        defer { withExtendedLifetime(grown) {} }
        #expect(grown.editor.insert(1, record(.int(1))))
        #expect(grown.editor.insert(.max, record(.int(2))))
        grown.editor.remove(at: 0)
        #expect(grown.editor.replace(at: 0, with: largest))
        #expect(grown.view.firstKey == .max)
        try LeafView.validate(grown.bytes)
        #expect(!grown.editor.insert(5, record(.null)))
    }

    @Test func `a key beyond the last is appended without moving anything`() {
        let image = LeafImage(version: 1)
        defer { withExtendedLifetime(image) {} }
        var count = 0
        while image.editor.insert(UInt64(100 + count), record(.int(Int64(count)), .null)) { count += 1 }
        // 8 bytes of entries and 1 of payload, 2 from 128 up; 4 bytes of entry in the leaf.
        #expect(count == (4056 - 128 * 13) / 14 + 128)
        #expect(image.view.garbageByteCount == 0)
        #expect((0..<count).allSatisfy { image.view.find(UInt64(100 + $0)) == ($0, true) })
        #expect(image.view.find(99) == (0, false))
        #expect(image.view.find(UInt64(100 + count)) == (count, false))
        #expect(image.view.record(of: 101)?.int64(0) == 1)
        #expect(image.view.record(of: 99) == nil)
    }

    @Test func `random edits leave what a dictionary says, in bytes that pass the check`() throws {
        try RandomRuns(1...40).run { seed in
            var random = SeededGenerator(seed: seed)
            var model = LeafModel(seed: seed)
            let image = LeafImage(version: seed)
            for step in 0..<300 {
                try model.step(on: image.editor, &random)
                if step.isMultiple(of: 8) { try model.check(image.view) }
            }
            image.editor.compact()
            try #require(image.view.garbageByteCount == 0)
            try model.check(image.view)
        }
    }

    @Test func `an edit is refused exactly when its result would not fit a compacted leaf`() throws {
        try RandomRuns(1...60).run { seed in
            var random = SeededGenerator(seed: seed)
            var model = LeafModel(seed: seed)
            let image = LeafImage(version: 1)
            defer { withExtendedLifetime(image) {} }
            for _ in 0..<200 { try model.step(on: image.editor, &random) }
            for _ in 0..<20 {
                let copy = LeafImage(version: 1)
                defer { withExtendedLifetime(copy) {} }
                copy.base.copyMemory(from: image.base, byteCount: Leaf.byteCount)
                let new = record(byteCount: Int.random(in: 20...3000, using: &random))
                let key = model.newKey(&random)
                let fits = model.fits(key, byteCount: new.count)
                try #require(copy.editor.fits(key, recordByteCount: new.count) == fits)
                try #require(copy.editor.insert(key, new) == fits)
                if !fits { try #require(copy.bytes.elementsEqual(image.bytes)) }
            }
        }
    }

    @Test func `a split holds every record once, in order, evenly where that can be`() throws {
        try RandomRuns(1...100).run { seed in
            var random = SeededGenerator(seed: seed)
            var model = LeafModel(seed: seed)
            let image = LeafImage(version: 1)
            defer { withExtendedLifetime(image) {} }
            for _ in 0..<300 { try model.step(on: image.editor, &random) }
            guard image.view.count > 2 else { return }
            // Up to the largest record there is.
            let new = record(byteCount: Int.random(in: 100...Leaf.maximumRecordByteCount, using: &random))
            let parts: [LeafImage]
            if Bool.random(using: &random) {
                let key = model.newKey(&random)
                guard !model.fits(key, byteCount: new.count) else { return }
                model.records[key] = new
                parts = new.withUnsafeBytes { Leaf.split(image.view, inserting: key, $0, version: 9) }
            } else {
                let index = Int.random(in: 0..<image.view.count, using: &random)
                model.records[image.view.key(at: index)] = new
                parts = new.withUnsafeBytes { Leaf.split(image.view, replacing: index, with: $0, version: 9) }
            }
            try #require(parts.count == 2 || parts.count == 3)
            var keys: [UInt64] = []
            for part in parts {
                try LeafView.validate(part.bytes)
                try #require(part.view.count > 0 && part.view.version == 9)
                for index in 0..<part.view.count {
                    let key = part.view.key(at: index)
                    keys.append(key)
                    try #require(part.view.record(at: index).bytes.elementsEqual(model.records[key] ?? []))
                }
            }
            try #require(keys == model.records.keys.sorted())
            if parts.count == 2 {
                let difference = abs(parts[0].view.usedByteCount - parts[1].view.usedByteCount)
                let largest = (model.records.values.map(\.count).max() ?? 0)
                // Where both cuts beside the largest record fit, the better one is off by that record at most. A
                // width that changes at the cut adds to it.
                if largest < 1000 { try #require(difference <= largest + 10 + model.records.count * 6) }
            }
        }
    }

    @Test func `a record too large beside either half parts the leaf in three`() throws {
        let image = LeafImage(version: 1)
        defer { withExtendedLifetime(image) {} }
        #expect(image.editor.insert(1, record(byteCount: 1500)))
        #expect(image.editor.insert(3, record(byteCount: 1500)))
        let huge = record(byteCount: 4000)
        let parts = huge.withUnsafeBytes { Leaf.split(image.view, inserting: 2, $0, version: 1) }
        #expect(parts.map { $0.view.count } == [1, 1, 1])
        #expect(parts.map { $0.view.firstKey } == [1, 2, 3])
        let first = huge.withUnsafeBytes { Leaf.split(image.view, inserting: 0, $0, version: 1) }
        #expect(first.map { $0.view.count } == [1, 2])
    }

    @Test func `two leaves merge when their live records fit in one`() throws {
        try RandomRuns(1...100).run { seed in
            var random = SeededGenerator(seed: seed)
            let images = [LeafImage(version: 1), LeafImage(version: 1)]
            defer { withExtendedLifetime(images) {} }
            var all: [UInt64: [UInt8]] = [:]
            for (index, image) in images.enumerated() {
                var model = LeafModel(seed: seed, keysFrom: UInt64(index) << 62)
                for _ in 0..<Int.random(in: 0...100, using: &random) {
                    try model.step(on: image.editor, &random, largest: 60)
                }
                all.merge(model.records) { $1 }
            }
            let fits = images[0].view.fitsTogether(with: images[1].view)
            try #require(LeafModel(records: all).fitsAll == fits)
            let before = Array(images[0].bytes)
            try #require(images[0].editor.append(contentsOf: images[1].view) == fits)
            if fits {
                try LeafModel(records: all).check(images[0].view)
            } else {
                try #require(images[0].bytes.elementsEqual(before))
            }
        }
    }

    @Test func `damaged leaves are refused or can be read, and never read outside`() throws {
        let guarded = GuardedBytes(room: Leaf.byteCount)
        try RandomRuns(1...40).run { seed in
            var random = SeededGenerator(seed: seed)
            var model = LeafModel(seed: seed)
            let image = LeafImage(version: 1)
            defer { withExtendedLifetime(image) {} }
            for _ in 0..<60 { try model.step(on: image.editor, &random, largest: 100) }
            let original = Array(image.bytes)
            for _ in 0..<60 {
                var bytes = original
                for _ in 0..<Int.random(in: 0...2, using: &random) {
                    let index =
                        [
                            Int.random(in: 16..<24, using: &random), Int.random(in: 24..<100, using: &random),
                            Int.random(in: 4000..<4080, using: &random), Int.random(in: 0..<4080, using: &random),
                        ].randomElement(using: &random) ?? 0
                    bytes[index] = UInt8.random(in: 0...255, using: &random)
                }
                let place = guarded.atEnd(bytes)
                guard (try? LeafView.validate(place)) != nil else { continue }
                let leaf = LeafView(try #require(place.baseAddress))
                for index in 0..<leaf.count {
                    try #require(leaf.find(leaf.key(at: index)) == (index, true))
                    let record = leaf.record(at: index)
                    for slot in 0..<record.slotCount { _ = record.value(slot) }
                }
            }
        }
    }

    @Test func `an error of a leaf says what is wrong and where`() throws {
        func damage(_ change: (UnsafeMutableRawPointer) -> Void) -> String? {
            let image = LeafImage(version: 1)
            defer { withExtendedLifetime(image) {} }
            for key in 5..<9 { #expect(image.editor.insert(UInt64(key), record(.int(1000), .string("ab")))) }
            change(image.base)
            return #expect(throws: FormatError.self) { try LeafView.validate(image.bytes) }?.description
        }
        #expect(damage { $0.storeLittleEndian(3 as UInt8, at: 22) } == "unknown delta width 3 (byte 22)")
        #expect(
            damage { $0.storeLittleEndian(9 as UInt16, at: 4076) }
                == "the key 6 of entry 1 does not ascend from 14 (byte 4072)")
        #expect(damage { $0.storeLittleEndian(UInt64.max, at: 8) } == "the key of entry 1 exceeds 64 bits (byte 4072)")
        #expect(damage { $0.storeLittleEndian(3 as UInt16, at: 20) }?.hasPrefix("48 bytes of records") == true)
        #expect(damage { $0.storeLittleEndian(24 as UInt16, at: 4074) } == "two records share bytes (byte 24)")
        #expect(
            damage { $0.storeLittleEndian(7 as UInt8, at: 36) } == "record of key 6: unknown record form 7 (byte 36)")
        #expect(
            damage { $0.storeLittleEndian(2000 as UInt16, at: 16) }
                == "2000 entries and a fill of 72 do not fit in one leaf (byte 16)")
    }
}

/// What a leaf should hold, and random edits of it.
private struct LeafModel {
    var records: [UInt64: [UInt8]] = [:]
    private var keyShift: UInt64 = 0
    private var firstKey: UInt64 = 0

    init(records: [UInt64: [UInt8]]) { self.records = records }

    init(seed: UInt64, keysFrom firstKey: UInt64 = 0) {
        // Keys that are dense, near each other, or spread over 32 and 64 bits.
        keyShift = [54, 48, 34, 3][Int(seed % 4)]
        self.firstKey = firstKey
    }

    /// A key that no record has.
    func newKey(_ random: inout SeededGenerator) -> UInt64 {
        while true {
            let key = firstKey &+ (random.next() >> 2) >> keyShift
            if records[key] == nil { return key }
        }
    }

    private func randomRecord(_ random: inout SeededGenerator, largest: Int) -> [UInt8] {
        let builder = RecordBuilder()
        builder.begin()
        builder.addInt(random.integer())
        builder.add(.data(Data(count: Int.random(in: 0...largest, using: &random))))
        if Bool.random(using: &random) { builder.add(random.value(upTo: 10)) }
        return builder.finishedBytes()
    }

    mutating func step(on leaf: LeafEditor, _ random: inout SeededGenerator, largest: Int = 300) throws {
        let keys = records.keys.sorted()
        let place = keys.isEmpty ? nil : Int.random(in: 0..<keys.count, using: &random)
        switch UInt8.random(in: 0...9, using: &random) {
        case 0...1:
            guard let place else { return }
            leaf.remove(at: place)
            records[keys[place]] = nil
        case 2...4:
            guard let place else { return }
            let record = randomRecord(&random, largest: largest)
            let key = keys[place]
            var after = self
            after.records[key] = record
            let isReplaced = record.withUnsafeBytes { leaf.replace(at: place, with: $0) }
            try #require(isReplaced == after.fitsAll)
            if isReplaced { self = after }
        case 5 where keys.last ?? .max < .max:
            try insert((keys.last ?? 0) + 1, randomRecord(&random, largest: largest), into: leaf)
        default:
            guard records.count < 100 else { return }
            try insert(newKey(&random), randomRecord(&random, largest: largest), into: leaf)
        }
    }

    private mutating func insert(_ key: UInt64, _ record: [UInt8], into leaf: LeafEditor) throws {
        let fits = fits(key, byteCount: record.count)
        try #require(record.withUnsafeBytes { leaf.insert(key, $0) } == fits)
        if fits { records[key] = record }
    }

    func fits(_ key: UInt64, byteCount: Int) -> Bool {
        var after = self
        after.records[key] = [UInt8](repeating: 0, count: byteCount)
        return after.fitsAll
    }

    /// Whether the records fit a leaf without garbage, under the best base key.
    var fitsAll: Bool {
        guard let first = records.keys.min(), let last = records.keys.max() else { return true }
        let width = last - first < 1 << 16 ? 2 : last - first < 1 << 32 ? 4 : 8
        return 24 + records.values.reduce(0) { $0 + $1.count } + records.count * (width + 2) <= 4080
    }

    func check(_ leaf: LeafView) throws {
        try LeafView.validate(leaf.bytes)
        let keys = records.keys.sorted()
        try #require(leaf.count == keys.count)
        for (index, key) in keys.enumerated() {
            try #require(leaf.key(at: index) == key)
            try #require(leaf.find(key) == (index, true))
            try #require(leaf.record(at: index).bytes.elementsEqual(records[key] ?? []))
            if key > 0, records[key - 1] == nil { try #require(leaf.find(key - 1) == (index, false)) }
            if key < .max, records[key + 1] == nil { try #require(leaf.find(key + 1) == (index + 1, false)) }
        }
    }
}

extension LeafEditor {
    fileprivate func insert(_ key: UInt64, _ record: [UInt8]) -> Bool {
        record.withUnsafeBytes { insert(key, $0) }
    }

    fileprivate func replace(at index: Int, with record: [UInt8]) -> Bool {
        record.withUnsafeBytes { replace(at: index, with: $0) }
    }
}
