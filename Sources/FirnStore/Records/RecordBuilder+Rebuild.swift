extension RecordBuilder {
    /// A copy of a record with one value replaced; slots that it lacks before that one are added as null.
    ///
    /// The other slots are kept byte for byte, also those whose tags this version does not know. The record may be the
    /// one this builder finished last. The result is good until the next but one `begin()` or rebuild.
    package func rebuild(
        _ record: RecordView, replacing slot: Int, with value: StoredValue
    ) -> UnsafeRawBufferPointer {
        begin()
        let count = record.slotCount
        copySlots(0..<min(slot, count), of: record)
        padWithNull(to: slot)
        add(value)
        if slot + 1 < count { copySlots(slot + 1..<count, of: record) }
        return finish()
    }

    /// A copy of a record with several values replaced, which come in ascending order of their slots, each slot once.
    package func rebuild(
        _ record: RecordView, replacing replacements: [(slot: Int, value: StoredValue)]
    ) -> UnsafeRawBufferPointer {
        begin()
        let count = record.slotCount
        for (slot, value) in replacements {
            precondition(slot >= slotCount, "Replacements come in ascending order of their slots")
            if slotCount < count { copySlots(slotCount..<min(slot, count), of: record) }
            padWithNull(to: slot)
            add(value)
        }
        if slotCount < count { copySlots(slotCount..<count, of: record) }
        return finish()
    }

    /// Adds consecutive slots of another record as they are.
    package func copySlots(_ slots: Range<Int>, of record: RecordView) {
        guard !slots.isEmpty else { return }
        let start = record.entry(slots.lowerBound).offset
        let byteCount = record.endOffset(slots.upperBound - 1) - start
        let distance = payloadByteCount - start
        let first = record.entry(slots.lowerBound)
        let target = addEntry(first.code, room: byteCount)
        target.copyMemory(from: record.base + start, byteCount: byteCount)
        for slot in slots.dropFirst() {
            let entry = record.entry(slot)
            precondition(slotCount < RecordBuilder.maximumSlotCount, "A record has no room for so many slots")
            entries[slotCount] = RecordEntry(code: entry.code, offset: entry.offset + distance).rawValue
            slotCount += 1
        }
        payloadByteCount += byteCount
    }

    /// The slots of a record whose values may move to blobs, those with the largest payloads first: strings, data and
    /// coded values that are larger than the entry of a blob.
    package static func slotsByPayload(of record: RecordView) -> [Int] {
        var sizes: [(slot: Int, byteCount: Int)] = []
        for slot in 0..<record.slotCount {
            guard let tag = record.tag(slot), tag.mayBeBlob else { continue }
            let byteCount = record.payload(slot).count
            if byteCount > Tag.blob.payloadByteCount ?? 0 { sizes.append((slot, byteCount)) }
        }
        return sizes.sorted { ($1.byteCount, $0.slot) < ($0.byteCount, $1.slot) }.map(\.slot)
    }

    private func padWithNull(to slot: Int) {
        while slotCount < slot { addNull() }
    }
}
