import FirnStore
import Foundation

/// A plain stored property of a model class: `dynamic var name = ""`.
struct PlainField<Mapping: PlainFieldMapping>: PropertyField {
    static var kind: FieldKind { .plain }
    static var valueType: any _Persistable.Type { Mapping.Value.self }

    static func options(at field: UnsafeMutableRawPointer) -> PropertyOptions { [] }

    static func stored(at field: UnsafeMutableRawPointer) -> StoredValue {
        value(field)._stored().value
    }

    static func storingError(at field: UnsafeMutableRawPointer) -> (any Error)? {
        value(field)._storingError()
    }

    static func untyped(at field: UnsafeMutableRawPointer) -> Any? {
        value(field)._untyped()
    }

    static func linkedObject(at field: UnsafeMutableRawPointer) -> ObjectBase? { nil }

    static func forEachLinkedObject(at field: UnsafeMutableRawPointer, _ body: (ObjectBase) -> Void) {}

    static func needsFilling(at field: UnsafeMutableRawPointer) -> Bool { false }

    static func write(
        _ field: UnsafeMutableRawPointer, to object: ObjectBase, slot: Int, _ policy: Realm.UpdatePolicy
    ) {}

    static func discard(at field: UnsafeMutableRawPointer) {}

    static func assign(_ value: Any, at field: UnsafeMutableRawPointer) -> Bool {
        guard let converted = Mapping.Value._converted(from: value) else { return false }
        pointer(field).pointee = Mapping.memory(converted)
        return true
    }

    static func load(_ field: UnsafeMutableRawPointer, from object: ObjectBase, slot: Int) {
        pointer(field).pointee = Mapping.memory(Mapping.Value._read(object, slot))
    }

    static func assign(_ value: Any, to object: ObjectBase, slot: Int) -> Bool {
        object.checkIsWriting(slot)
        return assign(value, at: object.plainAddress(slot))
    }

    static func untyped(_ object: ObjectBase, slot: Int) -> Any? {
        untyped(at: object.plainAddress(slot))
    }

    private static func value(_ field: UnsafeMutableRawPointer) -> Mapping.Value {
        Mapping.value(pointer(field).pointee)
    }

    private static func pointer(_ field: UnsafeMutableRawPointer) -> UnsafeMutablePointer<Mapping.Memory> {
        // SAFETY: see `PropertyField`.
        field.assumingMemoryBound(to: Mapping.Memory.self)
    }
}

/// How the type of a plain field relates to the persistable type that it is stored as.
protocol PlainFieldMapping {
    associatedtype Memory
    associatedtype Value: _Persistable
    static func value(_ memory: Memory) -> Value
    static func memory(_ value: Value) -> Memory
}

/// The plain field types.
enum PlainFields {
    /// The field for a type, nil for one that cannot be stored.
    static func field(for type: Any.Type) -> (any PropertyField.Type)? {
        switch ObjectIdentifier(type) {
        case ObjectIdentifier(NSString.self): PlainField<StringMapping>.self
        case ObjectIdentifier(NSString?.self): PlainField<OptionalMapping<StringMapping>>.self
        case ObjectIdentifier(NSData.self): PlainField<DataMapping>.self
        case ObjectIdentifier(NSData?.self): PlainField<OptionalMapping<DataMapping>>.self
        case ObjectIdentifier(NSDate.self): PlainField<DateMapping>.self
        case ObjectIdentifier(NSDate?.self): PlainField<OptionalMapping<DateMapping>>.self
        default: (type as? any _Persistable.Type).map { field($0) }
        }
    }

    private static func field<Value: _Persistable>(_ type: Value.Type) -> any PropertyField.Type {
        PlainField<SameMapping<Value>>.self
    }

    private enum SameMapping<Value: _Persistable>: PlainFieldMapping {
        static func value(_ memory: Value) -> Value { memory }
        static func memory(_ value: Value) -> Value { value }
    }

    private enum StringMapping: PlainFieldMapping {
        static func value(_ memory: NSString) -> String { String(describing: memory) }
        static func memory(_ value: String) -> NSString { NSString(string: value) }
    }

    private enum DataMapping: PlainFieldMapping {
        static func value(_ memory: NSData) -> Data { Data(referencing: memory) }
        static func memory(_ value: Data) -> NSData { NSData(data: value) }
    }

    private enum DateMapping: PlainFieldMapping {
        static func value(_ memory: NSDate) -> Date {
            Date(timeIntervalSinceReferenceDate: memory.timeIntervalSinceReferenceDate)
        }
        static func memory(_ value: Date) -> NSDate {
            NSDate(timeIntervalSinceReferenceDate: value.timeIntervalSinceReferenceDate)
        }
    }

    private enum OptionalMapping<Wrapped: PlainFieldMapping>: PlainFieldMapping
    where Wrapped.Value: _OptionalPersistable {
        static func value(_ memory: Wrapped.Memory?) -> Wrapped.Value? { memory.map { Wrapped.value($0) } }
        static func memory(_ value: Wrapped.Value?) -> Wrapped.Memory? { value.map { Wrapped.memory($0) } }
    }
}
