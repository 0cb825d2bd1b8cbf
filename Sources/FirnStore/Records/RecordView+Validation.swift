extension RecordView {
    /// Examines a record that may be damaged, or none at all, and never reads outside the bytes given.
    ///
    /// The record begins at the first of `bytes` and may end before the last; the result is its byte count. Throws what
    /// is wrong where, counted from the record's start.
    @discardableResult
    package static func validate(_ bytes: UnsafeRawBufferPointer) throws(FormatError) -> Int {
        guard bytes.count >= 4, let base = bytes.baseAddress else {
            throw FormatError("\(bytes.count) bytes are no record", at: 0)
        }
        let isWide: Bool
        switch bytes[0] {
        case narrowForm: isWide = false
        case wideForm: isWide = true
        default: throw FormatError("unknown record form \(bytes[0])", at: 0)
        }
        if isWide, bytes[1] != 0 { throw FormatError("byte is \(bytes[1]) instead of 0", at: 1) }
        let record = RecordView(base)
        let count = record.slotCount
        let tableStart = isWide ? 4 : 2
        let entryByteCount = isWide ? 4 : 2
        let payloadStart = tableStart + entryByteCount * (count + 1)
        guard payloadStart <= bytes.count else {
            throw FormatError("the entries of \(count) slots exceed the record's place", at: isWide ? 2 : 1)
        }
        // The table is inside: entries can be read from here on.
        let end = record.byteCount
        let endEntry = tableStart + entryByteCount * count
        guard end >= payloadStart, end <= bytes.count else {
            throw FormatError("the record ends at \(end), not between \(payloadStart) and \(bytes.count)", at: endEntry)
        }
        let endCode = isWide ? bytes[endEntry] : bytes[endEntry] & 31
        guard endCode == 0 else { throw FormatError("the end has tag \(endCode)", at: endEntry) }
        var expected = payloadStart
        for slot in 0..<count {
            let entry = record.entry(slot)
            let place = tableStart + entryByteCount * slot
            guard let tag = Tag(code: entry.code) else {
                throw FormatError("slot \(slot) has the unknown tag \(entry.code)", at: place)
            }
            guard entry.offset == expected else {
                throw FormatError("slot \(slot) begins at \(entry.offset) instead of \(expected)", at: place)
            }
            let next = record.endOffset(slot)
            guard next >= entry.offset, next <= end else {
                throw FormatError("slot \(slot) ends at \(next), outside the record", at: place + entryByteCount)
            }
            if let byteCount = tag.payloadByteCount, next - entry.offset != byteCount {
                throw FormatError(
                    "slot \(slot) (\(tag)) has \(next - entry.offset) bytes instead of \(byteCount)", at: place)
            }
            try validatePayload(record, slot, tag, at: entry.offset)
            expected = next
        }
        return end
    }

    private static func validatePayload(
        _ record: RecordView, _ slot: Int, _ tag: Tag, at offset: Int
    ) throws(FormatError) {
        switch tag {
        case .int8 where offset + 1 < 8:
            throw FormatError("slot \(slot) is an integer that ends before byte 8", at: offset)
        case .link:
            let byteCount = record.payload(slot).count
            guard (2...8).contains(byteCount) else {
                throw FormatError("slot \(slot) is a link of \(byteCount) bytes", at: offset)
            }
        case .date:
            let (seconds, nanoseconds) = record.date(slot)
            guard nanoseconds.magnitude < 1_000_000_000,
                seconds == 0 || nanoseconds == 0 || (seconds < 0) == (nanoseconds < 0)
            else { throw FormatError("slot \(slot) is no date: \(seconds) s and \(nanoseconds) ns", at: offset) }
        case .string:
            guard isUTF8(record.payload(slot)) else { throw FormatError("slot \(slot) is not UTF-8", at: offset) }
        case .collection:
            let kind = record.collection(slot).kind
            guard (1...3).contains(kind) else {
                throw FormatError("slot \(slot) is a collection of the unknown kind \(kind)", at: offset)
            }
        case .blob:
            let kind = record.blob(slot).kind
            guard let tag = Tag(code: kind), tag.mayBeBlob else {
                throw FormatError("slot \(slot) is a blob of tag \(kind)", at: offset)
            }
        default: break
        }
    }

    private static func isUTF8(_ bytes: UnsafeRawBufferPointer) -> Bool {
        (try? UTF8Span(validating: bytes.bindMemory(to: UInt8.self).span)) != nil
    }
}
