import FoundationEssentials

// Each getter returns the zero of its type where the slot is missing, null or of another type: which of them it is, the
// tag says. None allocates but those that return a String or Data.
extension RecordView {
    /// An integer of any width.
    @inlinable @inline(__always) package func int64(_ slot: Int) -> Int64 {
        int64(entry(slot))
    }

    /// The integer of an entry already read, of any width.
    @inlinable @inline(__always) package func int64(_ entry: RecordEntry) -> Int64 {
        let width = entry.code &- Tag.int8.rawValue
        guard width < 4 else { return 0 }
        // The eight bytes that end the integer, shifted down to its width with its sign: no branch on the width.
        let end = entry.offset &+ (1 &<< Int(width))
        let word = base.littleEndian(at: end &- 8, as: Int64.self)
        return word &>> (64 &- (8 &<< Int64(width)))
    }

    /// A Bool.
    @inlinable @inline(__always) package func bool(_ slot: Int) -> Bool {
        entry(slot).code == Tag.true.rawValue
    }

    /// A float.
    @inlinable @inline(__always) package func float(_ slot: Int) -> Float {
        let entry = entry(slot)
        guard entry.code == Tag.float.rawValue else { return 0 }
        return Float(bitPattern: base.littleEndian(at: entry.offset))
    }

    /// A double.
    @inlinable @inline(__always) package func double(_ slot: Int) -> Double {
        let entry = entry(slot)
        guard entry.code == Tag.double.rawValue else { return 0 }
        return Double(bitPattern: base.littleEndian(at: entry.offset))
    }

    /// The bits of a decimal128; the zero is `DecimalParts.zeroBits`.
    @inlinable package func decimal128(_ slot: Int) -> UInt128 {
        let entry = entry(slot)
        guard entry.code == Tag.decimal128.rawValue else { return DecimalParts.zeroBits }
        return base.littleEndian(at: entry.offset)
    }

    /// A date: seconds since 1970 and nanoseconds of the same sign.
    @inlinable package func date(_ slot: Int) -> (seconds: Int64, nanoseconds: Int32) {
        let entry = entry(slot)
        guard entry.code == Tag.date.rawValue else { return (0, 0) }
        return (base.littleEndian(at: entry.offset), base.littleEndian(at: entry.offset &+ 8))
    }

    /// A string that lies in the record.
    @inlinable package func string(_ slot: Int) -> String {
        String(decoding: bytes(slot, Tag.string), as: UTF8.self)
    }

    /// Data that lie in the record.
    @inlinable package func data(_ slot: Int) -> Data {
        Data(bytes(slot, Tag.data))
    }

    /// A coded value that lies in the record.
    @inlinable package func coded(_ slot: Int) -> Data {
        Data(bytes(slot, Tag.coded))
    }

    /// The bytes of a string, data or coded value that lies in the record, good as long as the record is.
    @inlinable @inline(__always) package func bytes(_ slot: Int) -> UnsafeRawBufferPointer {
        let entry = entry(slot)
        switch entry.code {
        case Tag.string.rawValue, Tag.data.rawValue, Tag.coded.rawValue:
            return UnsafeRawBufferPointer(start: base + entry.offset, count: endOffset(slot) &- entry.offset)
        default:
            return UnsafeRawBufferPointer(start: nil, count: 0)
        }
    }

    /// The bytes of a slot of that tag, none if it has another.
    @inlinable @inline(__always) package func bytes(_ slot: Int, _ tag: Tag) -> UnsafeRawBufferPointer {
        let entry = entry(slot)
        guard entry.code == tag.rawValue else { return UnsafeRawBufferPointer(start: nil, count: 0) }
        return UnsafeRawBufferPointer(start: base + entry.offset, count: endOffset(slot) &- entry.offset)
    }

    /// An ObjectId.
    @inlinable package func objectID(_ slot: Int) -> ObjectIDBytes {
        let entry = entry(slot)
        guard entry.code == Tag.objectID.rawValue else { return .zero }
        return ObjectIDBytes(loadingFrom: base + entry.offset)
    }

    /// A UUID.
    @inlinable package func uuid(_ slot: Int) -> UUID {
        let entry = entry(slot)
        guard entry.code == Tag.uuid.rawValue else { return RecordView.zeroUUID }
        return UUID(uuid: base.loadUnaligned(fromByteOffset: entry.offset, as: uuid_t.self))
    }

    /// The UUID of sixteen zeros.
    @inlinable package static var zeroUUID: UUID { UUID(uuid: (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0)) }

    /// The object key of a link whose column names the table.
    @inlinable @inline(__always) package func link(_ slot: Int) -> UInt64 {
        let entry = entry(slot)
        guard entry.code == Tag.link.rawValue else { return 0 }
        // The eight bytes that end the link, shifted down to its length.
        let end = endOffset(slot)
        let word = base.littleEndian(at: end &- 8, as: UInt64.self)
        return LinkForm.key(rotated: word &>> UInt64(truncatingIfNeeded: 64 &- 8 &* (end &- entry.offset)))
    }

    /// Table and object key of a link that names its table.
    @inlinable package func typedLink(_ slot: Int) -> (table: UInt32, key: UInt64) {
        let entry = entry(slot)
        guard entry.code == Tag.typedLink.rawValue else { return (0, 0) }
        return (base.littleEndian(at: entry.offset), base.littleEndian(at: entry.offset &+ 4))
    }

    /// Kind and id of a collection.
    @inlinable package func collection(_ slot: Int) -> (kind: UInt8, id: UInt64) {
        let entry = entry(slot)
        guard entry.code == Tag.collection.rawValue else { return (0, 0) }
        return (base.littleEndian(at: entry.offset), base.littleEndian(at: entry.offset &+ 1))
    }

    /// The id of a collection, 0 if there is none.
    @inlinable package func collectionID(_ slot: Int) -> UInt64 { collection(slot).id }

    /// Kind (the raw value of the tag it stands for), id and byte count of a blob.
    @inlinable package func blob(_ slot: Int) -> (kind: UInt8, id: UInt64, byteCount: UInt32) {
        let entry = entry(slot)
        guard entry.code == Tag.blob.rawValue else { return (0, 0, 0) }
        return (
            base.littleEndian(at: entry.offset), base.littleEndian(at: entry.offset &+ 1),
            base.littleEndian(at: entry.offset &+ 9)
        )
    }

    /// The value of a slot; null where it is missing.
    package func value(_ slot: Int) -> StoredValue {
        guard let tag = tag(slot) else { return .null }
        switch tag {
        case .null: return .null
        case .false: return .bool(false)
        case .true: return .bool(true)
        case .int8, .int16, .int32, .int64: return .int(int64(slot))
        case .float: return .float(float(slot))
        case .double: return .double(double(slot))
        case .decimal128: return .decimal(decimal128(slot))
        case .date:
            let (seconds, nanoseconds) = date(slot)
            return .date(seconds: seconds, nanoseconds: nanoseconds)
        case .string: return .string(string(slot))
        case .data: return .data(data(slot))
        case .objectID: return .objectID(objectID(slot))
        case .uuid: return .uuid(uuid(slot))
        case .link: return .link(link(slot))
        case .typedLink:
            let (table, key) = typedLink(slot)
            return .typedLink(table: table, key: key)
        case .collection:
            let (kind, id) = collection(slot)
            return .collection(kind: kind, id: id)
        case .blob:
            let (kind, id, byteCount) = blob(slot)
            return .blob(kind: kind, id: id, byteCount: byteCount)
        case .coded: return .coded(coded(slot))
        }
    }

    /// Whether writing `value` to the slot would change nothing, by the equality of `StoredValue`: an integer whatever
    /// its width, floats by their bits. A missing slot equals null alone.
    package func isEqual(_ slot: Int, to value: StoredValue) -> Bool {
        switch value {
        case .string(let string):
            guard tag(slot) == .string else { return false }
            let stored = bytes(slot)
            return string.utf8.withContiguousStorageIfAvailable {
                UnsafeRawBufferPointer($0).holdsSameBytes(as: stored)
            }
                ?? stored.elementsEqual(string.utf8)
        case .data(let data):
            return tag(slot) == .data && data.withUnsafeBytes { $0.holdsSameBytes(as: bytes(slot)) }
        case .coded(let data):
            return tag(slot) == .coded && data.withUnsafeBytes { $0.holdsSameBytes(as: bytes(slot)) }
        default:
            // Nothing else allocates.
            return self.value(slot) == value
        }
    }
}
