extension RecordView {
    /// Writes a value over the one a slot has, if the record keeps its shape so; false if it must be rebuilt.
    ///
    /// It does where the new payload is as long as the old one: null and Bools among themselves, an integer where the
    /// old one is at least as wide as it needs, the other types over their own, strings and data over such of the same
    /// length.
    package static func patchInPlace(
        _ record: UnsafeMutableRawPointer, slot: Int, value: StoredValue
    ) -> Bool {
        let view = RecordView(record)
        let entry = view.entry(slot)
        guard let tag = Tag(code: entry.code) else { return false }
        let payload = record + entry.offset
        switch (value, tag) {
        case (.null, .null), (.null, .false), (.null, .true):
            view.setTag(.null, of: slot, in: record)
        case (.bool(let value), .null), (.bool(let value), .false), (.bool(let value), .true):
            view.setTag(value ? .true : .false, of: slot, in: record)
        case (.int(let value), .int8):
            guard let narrow = Int8(exactly: value) else { return false }
            payload.storeLittleEndian(narrow, at: 0)
        case (.int(let value), .int16):
            guard let narrow = Int16(exactly: value) else { return false }
            payload.storeLittleEndian(narrow, at: 0)
        case (.int(let value), .int32):
            guard let narrow = Int32(exactly: value) else { return false }
            payload.storeLittleEndian(narrow, at: 0)
        case (.int(let value), .int64):
            payload.storeLittleEndian(value, at: 0)
        case (.float(let value), .float):
            payload.storeLittleEndian(value.bitPattern, at: 0)
        case (.double(let value), .double):
            payload.storeLittleEndian(value.bitPattern, at: 0)
        case (.decimal(let bits), .decimal128):
            payload.storeLittleEndian(bits, at: 0)
        case (.date(let seconds, let nanoseconds), .date):
            payload.storeLittleEndian(seconds, at: 0)
            payload.storeLittleEndian(nanoseconds, at: 8)
        case (.string(var string), .string):
            guard string.utf8.count == view.payload(slot).count else { return false }
            string.withUTF8 { payload.copyBytes(UnsafeRawBufferPointer($0)) }
        case (.data(let data), .data), (.coded(let data), .coded):
            guard data.count == view.payload(slot).count else { return false }
            data.withUnsafeBytes { payload.copyBytes($0) }
        case (.objectID(let id), .objectID):
            id.store(to: payload)
        case (.uuid(let id), .uuid):
            withUnsafeBytes(of: id.uuid) { payload.copyBytes($0) }
        case (.link(let key), .link):
            let byteCount = LinkForm.byteCount(of: key)
            guard byteCount == view.payload(slot).count else { return false }
            withUnsafeBytes(of: LinkForm.rotated(key).littleEndian) {
                payload.copyBytes(UnsafeRawBufferPointer(rebasing: $0[..<byteCount]))
            }
        case (.typedLink(let table, let key), .typedLink):
            payload.storeLittleEndian(table, at: 0)
            payload.storeLittleEndian(key, at: 4)
        case (.collection(let kind, let id), .collection):
            payload.storeLittleEndian(kind, at: 0)
            payload.storeLittleEndian(id, at: 1)
        case (.blob(let kind, let id, let byteCount), .blob):
            payload.storeLittleEndian(kind, at: 0)
            payload.storeLittleEndian(id, at: 1)
            payload.storeLittleEndian(byteCount, at: 9)
        default:
            return false
        }
        return true
    }

    private func setTag(_ tag: Tag, of slot: Int, in record: UnsafeMutableRawPointer) {
        if isWide {
            record.storeBytes(of: tag.rawValue, toByteOffset: 4 + 4 * slot, as: UInt8.self)
        } else {
            let old = record.load(fromByteOffset: 2 + 2 * slot, as: UInt8.self)
            record.storeBytes(of: old & ~31 | tag.rawValue, toByteOffset: 2 + 2 * slot, as: UInt8.self)
        }
    }
}

extension UnsafeMutableRawPointer {
    fileprivate func copyBytes(_ bytes: UnsafeRawBufferPointer) {
        if let source = bytes.baseAddress { copyMemory(from: source, byteCount: bytes.count) }
    }
}
