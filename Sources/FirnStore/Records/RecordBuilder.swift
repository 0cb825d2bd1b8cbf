import FoundationEssentials

/// Builds records, one after the other, in memory that it keeps.
///
/// Payloads are written behind room for the largest entry table, and the table then right before them: no byte is
/// copied twice. Two such pieces of memory take turns, so that the record finished last can be the source of the next.
/// Confined to one thread at a time.
@usableFromInline package final class RecordBuilder {
    /// The most slots a record can have: their entries alone fill it.
    @inlinable package static var maximumSlotCount: Int { (Leaf.maximumRecordByteCount - 4) / 4 - 1 }

    /// The room for the entry table of a record of `maximumSlotCount` slots.
    @inlinable package static var frontByteCount: Int { 4096 }

    @exclusivity(unchecked) @usableFromInline package var scratch: UnsafeMutableRawPointer
    @exclusivity(unchecked) @usableFromInline package var scratchByteCount: Int
    @exclusivity(unchecked) @usableFromInline package var otherScratch: UnsafeMutableRawPointer
    @exclusivity(unchecked) @usableFromInline package var otherScratchByteCount: Int
    /// One entry a slot, whose offset counts from the first payload.
    @usableFromInline package let entries: UnsafeMutablePointer<UInt32>
    /// How many slots were added since `begin()`.
    @exclusivity(unchecked) @usableFromInline package var slotCount = 0
    @exclusivity(unchecked) @usableFromInline package var payloadByteCount = 0

    /// A builder with 16 KiB of scratch memory.
    package init() {
        scratchByteCount = 8192
        otherScratchByteCount = 8192
        scratch = .allocate(byteCount: scratchByteCount, alignment: 16)
        otherScratch = .allocate(byteCount: otherScratchByteCount, alignment: 16)
        entries = .allocate(capacity: RecordBuilder.maximumSlotCount)
    }

    deinit {
        scratch.deallocate()
        otherScratch.deallocate()
        entries.deallocate()
    }

    /// Starts a record. The one finished last stays good until the next but one `begin()`.
    @inlinable package func begin() {
        swap(&scratch, &otherScratch)
        swap(&scratchByteCount, &otherScratchByteCount)
        slotCount = 0
        payloadByteCount = 0
    }

    /// Writes the entry table and returns the record, good until the next but one `begin()`.
    ///
    /// A record may come out larger than `Leaf.maximumRecordByteCount`; then `slotsByPayload(of:)` says what to move to
    /// blobs, and `rebuild` makes the smaller record.
    @inlinable package func finish() -> UnsafeRawBufferPointer {
        let count = slotCount
        let narrowTable = 2 &+ 2 &* (count &+ 1)
        if count <= 255 && narrowTable &+ payloadByteCount <= RecordView.maximumNarrowByteCount {
            if count == 1 && entries[0] & 0xFF == UInt32(Tag.int8.rawValue) { widenOnlyInteger() }
            let record = scratch + (RecordBuilder.frontByteCount &- narrowTable)
            record.storeLittleEndian(UInt16(RecordView.narrowForm) | UInt16(truncatingIfNeeded: count) &<< 8, at: 0)
            for slot in 0..<count {
                let entry = entries[slot]
                let offset = (entry &>> 8) &+ UInt32(truncatingIfNeeded: narrowTable)
                record.storeLittleEndian(
                    UInt16(truncatingIfNeeded: (entry & 31) | offset &<< 5), at: 2 &+ 2 &* slot)
            }
            let byteCount = narrowTable &+ payloadByteCount
            record.storeLittleEndian(UInt16(truncatingIfNeeded: byteCount &<< 5), at: 2 &+ 2 &* count)
            return UnsafeRawBufferPointer(start: record, count: byteCount)
        }
        return finishWide()
    }

    @usableFromInline @inline(never) package func finishWide() -> UnsafeRawBufferPointer {
        let table = 4 + 4 * (slotCount + 1)
        let byteCount = table + payloadByteCount
        precondition(byteCount < 1 << 24, "A record's offsets have 24 bits; values over 1 KiB belong in blobs")
        let record = scratch + (RecordBuilder.frontByteCount - table)
        record.storeLittleEndian(UInt16(RecordView.wideForm), at: 0)
        record.storeLittleEndian(UInt16(slotCount), at: 2)
        for slot in 0..<slotCount {
            record.storeLittleEndian(entries[slot] + UInt32(table) << 8, at: 4 + 4 * slot)
        }
        record.storeLittleEndian(UInt32(byteCount) << 8, at: 4 + 4 * slotCount)
        return UnsafeRawBufferPointer(start: record, count: byteCount)
    }

    /// Keeps the rule that eight bytes of the record end each integer: six of entries and one of payload are too few.
    @usableFromInline @inline(never) package func widenOnlyInteger() {
        let payload = scratch + RecordBuilder.frontByteCount
        let value = payload.load(as: Int8.self)
        entries[0] = UInt32(Tag.int16.rawValue)
        payload.storeLittleEndian(Int16(value), at: 0)
        payloadByteCount = 2
    }

    // MARK: Adding values in slot order

    /// Adds the entry of the next slot and makes room for its payload of at most `byteCount` bytes, of which the caller
    /// says with `payloadByteCount` how many it wrote.
    @inlinable @inline(__always)
    package func addEntry(_ code: UInt8, room byteCount: Int) -> UnsafeMutableRawPointer {
        precondition(slotCount < RecordBuilder.maximumSlotCount, "A record has no room for so many slots")
        let end = RecordBuilder.frontByteCount &+ payloadByteCount
        if scratchByteCount &- end < byteCount { growScratch(by: byteCount) }
        entries[slotCount] = UInt32(code) | UInt32(truncatingIfNeeded: payloadByteCount) &<< 8
        slotCount &+= 1
        return scratch + end
    }

    @usableFromInline @inline(never) package func growScratch(by byteCount: Int) {
        let used = RecordBuilder.frontByteCount + payloadByteCount
        let newByteCount = max(used + byteCount, 2 * scratchByteCount)
        let newScratch = UnsafeMutableRawPointer.allocate(byteCount: newByteCount, alignment: 16)
        newScratch.copyMemory(from: scratch, byteCount: used)
        scratch.deallocate()
        scratch = newScratch
        scratchByteCount = newByteCount
    }

    /// Adds null.
    @inlinable package func addNull() { _ = addEntry(Tag.null.rawValue, room: 0) }

    /// Adds a Bool.
    @inlinable package func addBool(_ value: Bool) {
        _ = addEntry(value ? Tag.true.rawValue : Tag.false.rawValue, room: 0)
    }

    /// Adds an integer, as narrow as it can be.
    @inlinable package func addInt(_ value: Int64) {
        // What is left of the value once its sign is taken off decides: bit 7 and up, 15 and up, 31 and up.
        let magnitude = UInt64(bitPattern: value ^ (value &>> 63))
        let width: UInt8 =
            (magnitude > 0x7F ? 1 : 0) &+ (magnitude > 0x7FFF ? 1 : 0) &+ (magnitude > 0x7FFF_FFFF ? 1 : 0)
        let payload = addEntry(Tag.int8.rawValue &+ width, room: 8)
        payload.storeLittleEndian(value, at: 0)
        payloadByteCount &+= 1 &<< Int(width)
    }

    /// Adds a float.
    @inlinable package func addFloat(_ value: Float) {
        addEntry(Tag.float.rawValue, room: 4).storeLittleEndian(value.bitPattern, at: 0)
        payloadByteCount &+= 4
    }

    /// Adds a double.
    @inlinable package func addDouble(_ value: Double) {
        addEntry(Tag.double.rawValue, room: 8).storeLittleEndian(value.bitPattern, at: 0)
        payloadByteCount &+= 8
    }

    /// Adds a decimal128 by its bits.
    @inlinable package func addDecimal128(_ bits: UInt128) {
        addEntry(Tag.decimal128.rawValue, room: 16).storeLittleEndian(bits, at: 0)
        payloadByteCount &+= 16
    }

    /// Adds a date: seconds since 1970 and nanoseconds of the same sign.
    @inlinable package func addDate(seconds: Int64, nanoseconds: Int32) {
        let payload = addEntry(Tag.date.rawValue, room: 12)
        payload.storeLittleEndian(seconds, at: 0)
        payload.storeLittleEndian(nanoseconds, at: 8)
        payloadByteCount &+= 12
    }

    /// Adds a string.
    @inlinable package func addString(_ string: String) {
        let added: Void? = string.utf8.withContiguousStorageIfAvailable {
            addBytes(.string, UnsafeRawBufferPointer($0))
        }
        if added == nil { addDiscontiguous(string) }
    }

    @usableFromInline @inline(never) package func addDiscontiguous(_ string: String) {
        var string = string
        string.withUTF8 { addBytes(.string, UnsafeRawBufferPointer($0)) }
    }

    /// Adds a string, data or coded value by its bytes, which must not be the builder's own.
    @inlinable package func addBytes(_ tag: Tag, _ bytes: UnsafeRawBufferPointer) {
        let payload = addEntry(tag.rawValue, room: bytes.count)
        if let source = bytes.baseAddress { payload.copyMemory(from: source, byteCount: bytes.count) }
        payloadByteCount &+= bytes.count
    }

    /// Adds an ObjectId.
    @inlinable package func addObjectID(_ id: ObjectIDBytes) {
        id.store(to: addEntry(Tag.objectID.rawValue, room: 12))
        payloadByteCount &+= 12
    }

    /// Adds a UUID.
    @inlinable package func addUUID(_ id: UUID) {
        addEntry(Tag.uuid.rawValue, room: 16).storeBytes(of: id.uuid, as: uuid_t.self)
        payloadByteCount &+= 16
    }

    /// Adds a link to an object of the table that the column names.
    @inlinable package func addLink(_ key: UInt64) {
        addEntry(Tag.link.rawValue, room: 8).storeLittleEndian(LinkForm.rotated(key), at: 0)
        payloadByteCount &+= LinkForm.byteCount(of: key)
    }

    /// Adds a link that names its table.
    @inlinable package func addTypedLink(table: UInt32, key: UInt64) {
        let payload = addEntry(Tag.typedLink.rawValue, room: 12)
        payload.storeLittleEndian(table, at: 0)
        payload.storeLittleEndian(key, at: 4)
        payloadByteCount &+= 12
    }

    /// Adds a collection.
    @inlinable package func addCollection(kind: UInt8, id: UInt64) {
        let payload = addEntry(Tag.collection.rawValue, room: 9)
        payload.storeLittleEndian(kind, at: 0)
        payload.storeLittleEndian(id, at: 1)
        payloadByteCount &+= 9
    }

    /// Adds a blob that stands for a value of the tag with the raw value `kind`.
    @inlinable package func addBlob(kind: UInt8, id: UInt64, byteCount: UInt32) {
        let payload = addEntry(Tag.blob.rawValue, room: 13)
        payload.storeLittleEndian(kind, at: 0)
        payload.storeLittleEndian(id, at: 1)
        payload.storeLittleEndian(byteCount, at: 9)
        payloadByteCount &+= 13
    }

    /// Adds a value of any type.
    package func add(_ value: StoredValue) {
        switch value {
        case .null: addNull()
        case .bool(let value): addBool(value)
        case .int(let value): addInt(value)
        case .float(let value): addFloat(value)
        case .double(let value): addDouble(value)
        case .decimal(let bits): addDecimal128(bits)
        case .date(let seconds, let nanoseconds): addDate(seconds: seconds, nanoseconds: nanoseconds)
        case .string(let string): addString(string)
        case .data(let data): data.withUnsafeBytes { addBytes(.data, $0) }
        case .objectID(let id): addObjectID(id)
        case .uuid(let id): addUUID(id)
        case .link(let key): addLink(key)
        case .typedLink(let table, let key): addTypedLink(table: table, key: key)
        case .collection(let kind, let id): addCollection(kind: kind, id: id)
        case .blob(let kind, let id, let byteCount): addBlob(kind: kind, id: id, byteCount: byteCount)
        case .coded(let data): data.withUnsafeBytes { addBytes(.coded, $0) }
        }
    }
}
