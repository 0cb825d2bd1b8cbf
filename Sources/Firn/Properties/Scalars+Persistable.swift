import FirnStore
import Foundation

extension Bool: _ScalarPersistable, _PrimaryKey, _Indexable {
    public typealias PersistedType = Bool
    public static var _shape: _ColumnShape { _ColumnShape(.bool) }
    public static func _load(_ source: _RecordSource, _ slot: Int) -> Bool { source.record.bool(slot) }
    public static func _makeDefault() -> Bool { false }
    public func _stored() -> _StoredValue { _StoredValue(.bool(self)) }

    /// Takes Bool, and the integers 0 and 1.
    public static func _converted(from value: Any) -> Bool? {
        switch UntypedValue.unwrapped(value).flatMap(UntypedValue.integer) {
        case 0: false
        case 1: true
        default: nil
        }
    }
}

extension Float: _ScalarPersistable, _Indexable {
    public typealias PersistedType = Float
    public static var _shape: _ColumnShape { _ColumnShape(.float) }
    public static func _load(_ source: _RecordSource, _ slot: Int) -> Float { source.record.float(slot) }
    public static func _makeDefault() -> Float { 0 }
    public func _stored() -> _StoredValue { _StoredValue(.float(self)) }

    /// Takes integers and doubles within Float's range.
    public static func _converted(from value: Any) -> Float? {
        guard let value = UntypedValue.unwrapped(value), let double = UntypedValue.double(value) else { return nil }
        return double.isFinite && abs(double) > Double(Float.greatestFiniteMagnitude) ? nil : Float(double)
    }
}

extension Double: _ScalarPersistable, _Indexable {
    public typealias PersistedType = Double
    public static var _shape: _ColumnShape { _ColumnShape(.double) }
    public static func _load(_ source: _RecordSource, _ slot: Int) -> Double { source.record.double(slot) }
    public static func _makeDefault() -> Double { 0 }
    public func _stored() -> _StoredValue { _StoredValue(.double(self)) }

    /// Takes integers and floating-point numbers.
    public static func _converted(from value: Any) -> Double? {
        UntypedValue.unwrapped(value).flatMap(UntypedValue.double)
    }
}

extension String: _ScalarPersistable, _PrimaryKey, _Indexable {
    public typealias PersistedType = String
    public static var _shape: _ColumnShape { _ColumnShape(.string) }
    public static func _load(_ source: _RecordSource, _ slot: Int) -> String {
        source.context.connection.string(source.record, slot)
    }
    public static func _makeDefault() -> String { "" }
    public func _stored() -> _StoredValue { _StoredValue(.string(self)) }

    /// Takes strings only.
    public static func _converted(from value: Any) -> String? {
        switch UntypedValue.unwrapped(value) {
        case let value as String: value
        case let value as Substring: String(value)
        case let value as NSString: value._bridgeToSwift()
        default: nil
        }
    }
}

extension Data: _ScalarPersistable, _Indexable {
    public typealias PersistedType = Data
    public static var _shape: _ColumnShape { _ColumnShape(.data) }
    public static func _load(_ source: _RecordSource, _ slot: Int) -> Data {
        source.context.connection.data(source.record, slot)
    }
    public static func _makeDefault() -> Data { Data() }
    public func _stored() -> _StoredValue { _StoredValue(.data(self)) }

    /// Takes data only.
    public static func _converted(from value: Any) -> Data? {
        switch UntypedValue.unwrapped(value) {
        case let value as Data: value
        case let value as NSData: Data(referencing: value)
        default: nil
        }
    }
}

extension Date: _ScalarPersistable, _Indexable {
    public typealias PersistedType = Date
    public static var _shape: _ColumnShape { _ColumnShape(.date) }
    public static func _load(_ source: _RecordSource, _ slot: Int) -> Date {
        let stored = source.record.date(slot)
        return StoredDate.date(seconds: stored.seconds, nanoseconds: stored.nanoseconds)
    }
    public static func _makeDefault() -> Date { Date() }
    public func _stored() -> _StoredValue { _StoredValue(StoredDate.stored(self)) }

    /// Takes dates only.
    public static func _converted(from value: Any) -> Date? {
        switch UntypedValue.unwrapped(value) {
        case let value as Date: value
        case let value as NSDate: Date(timeIntervalSinceReferenceDate: value.timeIntervalSinceReferenceDate)
        default: nil
        }
    }
}

extension UUID: _ScalarPersistable, _PrimaryKey, _Indexable {
    public typealias PersistedType = UUID
    public static var _shape: _ColumnShape { _ColumnShape(.uuid) }
    public static func _load(_ source: _RecordSource, _ slot: Int) -> UUID { source.record.uuid(slot) }
    public static func _makeDefault() -> UUID {
        // A random UUID (version 4) as `UUID()` makes, which opens and closes /dev/urandom for each.
        var generator = SystemRandomNumberGenerator()
        let high = generator.next() & ~0xf000 | 0x4000
        let low = generator.next() & ~(3 << 62) | 1 << 63
        return withUnsafeBytes(of: (high.bigEndian, low.bigEndian)) { UUID(uuid: $0.loadUnaligned(as: uuid_t.self)) }
    }
    public func _stored() -> _StoredValue { _StoredValue(.uuid(self)) }

    /// Takes a UUID or its text.
    public static func _converted(from value: Any) -> UUID? {
        switch UntypedValue.unwrapped(value) {
        case let value as UUID: value
        case let value as String: UUID(uuidString: value)
        default: nil
        }
    }
}

extension ObjectId: _ScalarPersistable, _PrimaryKey, _Indexable {
    public typealias PersistedType = ObjectId
    public static var _shape: _ColumnShape { _ColumnShape(.objectID) }
    public static func _load(_ source: _RecordSource, _ slot: Int) -> ObjectId {
        let bytes = source.record.objectID(slot)
        return ObjectId(high: bytes.high, low: bytes.low)
    }
    public static func _makeDefault() -> ObjectId { ObjectId.generate() }
    public func _stored() -> _StoredValue { _StoredValue(.objectID(ObjectIDBytes(high: high, low: low))) }

    /// Takes object ids only.
    public static func _converted(from value: Any) -> ObjectId? {
        UntypedValue.unwrapped(value) as? ObjectId
    }
}

extension Decimal128: _ScalarPersistable, _Indexable {
    public typealias PersistedType = Decimal128
    public static var _shape: _ColumnShape { _ColumnShape(.decimal) }
    public static func _load(_ source: _RecordSource, _ slot: Int) -> Decimal128 {
        Decimal128(bits: source.record.decimal128(slot))
    }
    public static func _makeDefault() -> Decimal128 { Decimal128() }
    public func _stored() -> _StoredValue { _StoredValue(.decimal(bits)) }

    /// Takes a number, or the text of a decimal.
    public static func _converted(from value: Any) -> Decimal128? {
        UntypedValue.unwrapped(value).flatMap { try? Decimal128(converting: $0) }
    }
}
