import Foundation
import LMDB

/// Takes an object's values in the order of their slots and makes its record, with what is large in blobs.
package final class RecordWriter {
    let builder = RecordBuilder()
    /// The blobs written for the record, to be dropped if it is refused.
    @exclusivity(unchecked) private(set) var blobs: [UInt64] = []
    @exclusivity(unchecked) private(set) var failure: StoreError?
    /// Set while a write fills the record.
    @exclusivity(unchecked) private var write: WriteState?

    init() {}

    func begin(_ write: WriteState) {
        self.write = write
        blobs.removeAll(keepingCapacity: true)
        failure = nil
        builder.begin()
    }

    /// Appends the value of the next slot.
    package func add(_ value: StoredValue) {
        if case .string(let string) = value { return addString(string) }
        if case .data(let data) = value { return data.withUnsafeBytes { addBytes(.data, $0) } }
        if case .coded(let data) = value { return data.withUnsafeBytes { addBytes(.coded, $0) } }
        builder.add(value)
    }

    /// Appends an integer.
    package func addInt(_ value: Int64) {
        builder.addInt(value)
    }

    /// Appends a string; one of more than 1 KiB goes to a blob, one of more than 16 MiB is refused.
    package func addString(_ value: String) {
        if value.utf8.count <= Blob.inlineByteLimit {
            builder.addString(value)
        } else {
            var value = value
            value.withUTF8 { addBytes(.string, UnsafeRawBufferPointer($0)) }
        }
    }

    private func addBytes(_ tag: Tag, _ bytes: UnsafeRawBufferPointer) {
        if bytes.count <= Blob.inlineByteLimit {
            builder.addBytes(tag, bytes)
            return
        }
        do {
            builder.add(try makeBlob(tag, bytes))
        } catch {
            if failure == nil { failure = StoreError(wrapping: error) }
            builder.add(.null)
        }
    }

    private func makeBlob(_ tag: Tag, _ bytes: UnsafeRawBufferPointer) throws -> StoredValue {
        guard let write else { preconditionFailure("a record is filled within an insertion") }
        let value = try write.makeBlob(tag, bytes)
        if case .blob(_, let id, _) = value { blobs.append(id) }
        return value
    }

    /// The record, smaller than a leaf: its longest strings and data move to blobs until it is.
    func finish() throws -> RecordView {
        defer { write = nil }
        var bytes = builder.finish()
        if let failure { throw failure }
        while bytes.count > Leaf.maximumRecordByteCount { bytes = try moveLargestToBlob(bytes) }
        guard let base = bytes.baseAddress else { preconditionFailure("a record is never empty") }
        return RecordView(base)
    }

    /// A record made smaller in the builder: its longest string or data goes to a blob.
    private func moveLargestToBlob(_ bytes: UnsafeRawBufferPointer) throws -> UnsafeRawBufferPointer {
        guard let base = bytes.baseAddress else { preconditionFailure("a record is never empty") }
        let record = RecordView(base)
        guard let slot = RecordBuilder.slotsByPayload(of: record).first, let tag = record.tag(slot) else {
            throw StoreError(
                .recordTooLarge,
                "an object of \(bytes.count) bytes without strings or data does not fit into a leaf, which takes "
                    + "\(Leaf.maximumRecordByteCount); split its class")
        }
        return builder.rebuild(record, replacing: slot, with: try makeBlob(tag, record.payload(slot)))
    }

    /// The same while a value of a stored record is replaced.
    func moveLargestToBlob(_ bytes: UnsafeRawBufferPointer, write: WriteState) throws -> UnsafeRawBufferPointer {
        self.write = write
        defer { self.write = nil }
        return try moveLargestToBlob(bytes)
    }
}

extension WriteState {
    /// Writes a blob and gives the value that stands for it.
    func makeBlob(_ tag: Tag, _ bytes: UnsafeRawBufferPointer) throws -> StoredValue {
        guard bytes.count <= valueByteLimit else { throw StoreError.valueTooLarge(bytes.count) }
        let id = makeID()
        try Blob.write(bytes, id: id, with: cursor(databases.blobs))
        return .blob(kind: tag.rawValue, id: id, byteCount: UInt32(bytes.count))
    }
}

extension StoreError {
    /// A string or data of so many bytes was refused.
    package static func valueTooLarge(_ byteCount: Int) -> StoreError {
        StoreError(
            .valueTooLarge,
            "a value of \(byteCount) bytes exceeds the limit of \(valueByteLimit) (16 MiB); split it, or keep it in a "
                + "file of its own and store the path")
    }
}
