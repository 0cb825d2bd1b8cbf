import FirnStore
import Foundation

/// Any `Codable` type as a property: an enum whose cases have payloads, a struct, what else you have.
///
///     enum Tag: PersistableCodable {
///         case priority(value: Priority)
///         case dueDate(due: Date)
///     }
///
///     class Todo: Object {
///         @Persisted var tag: Tag
///         @Persisted var older: List<Tag>
///     }
///
/// The type needs nothing but the word `PersistableCodable`, where Swift can make `Codable` and `Hashable` for it. A value is
/// stored whole, as its `encode(to:)` says, in bytes that say what they are (`docs/format.md`), and read whole; values that
/// encode alike have the same bytes, sets and dictionaries in whatever order (see <doc:OwnTypes>). It can be a
/// property, an optional one, and an element of a collection; not a primary key, and not indexed.
///
/// There is no default, so a required property is to be given a value before its object is added, which otherwise makes the
/// write throw; so does a value whose `encode(to:)` throws, and one nested deeper than 512 levels.
///
/// What is stored may be what the type no longer is: a case that was taken out, or an object from before the property was
/// added. An optional property is nil then. A required one traps; `ObjectBase.decoded(_:as:)` throws instead.
public protocol PersistableCodable: Codable, _Persistable, _OptionalPersistable, RealmCollectionValue
where PersistedType == _CodedBytes {}

/// What a `PersistableCodable` value is stored as.
///
/// Underscored, since only that protocol names it. There are no values.
public enum _CodedBytes {}

extension PersistableCodable {
    public static var _column: _ColumnShape { _ColumnShape(.coded) }
    public static var _optionalColumn: _ColumnShape { _ColumnShape(.coded, isOptional: true) }

    public static var _hasDefault: Bool { false }
    public static var _canBeUnstorable: Bool { true }
    public static var _optionalCanBeUnstorable: Bool { true }

    public static func _makeDefault() -> Self {
        misuse("A property of type \(Self.self) was used before it was given a value; give it one, or make it optional")
    }

    public static func _traced(_ object: ObjectBase, _ propertyIndex: Int) -> Self {
        object._trace(propertyIndex)
        object.leaveTracedGetter(of: Self.self)
    }

    // MARK: Reading

    public static func _read(_ object: ObjectBase, _ slot: Int) -> Self {
        do {
            return try decoded(object.codedBytes(slot))
        } catch {
            misuse(
                error.message(object.placeName(slot))
                    + "; make the property optional to read such values as nil, or read it with decoded(_:as:)")
        }
    }

    public static func _readOptional(_ object: ObjectBase, _ slot: Int) -> Self? {
        object.codedBytes(slot).flatMap { try? decoded($0) }
    }

    public static func _readUntyped(_ object: ObjectBase, _ slot: Int) -> Any? { _readOptional(object, slot) }

    public static func _load(_ source: _RecordSource, _ slot: Int) -> Self {
        do {
            return try decoded(source.codedBytes(slot))
        } catch {
            misuse(error.message(source.place) + "; make its elements optional to read such values as nil")
        }
    }

    public static func _loadOptional(_ source: _RecordSource, _ slot: Int) -> Self? {
        source.codedBytes(slot).flatMap { try? decoded($0) }
    }

    static func decoded(_ bytes: Data?) throws(UndecodableValue) -> Self {
        guard let bytes else { throw UndecodableValue(type: Self.self, bytes: nil, cause: nil) }
        do {
            return try CodedDecoder.decode(Self.self, from: bytes)
        } catch {
            throw UndecodableValue(type: Self.self, bytes: bytes, cause: error)
        }
    }

    // MARK: Writing

    public static func _write(_ value: Self, _ object: ObjectBase, _ slot: Int) {
        do {
            object.write(.coded(try CodedEncoder.encode(value)), slot)
        } catch {
            object.poisonUnstorable(error, slot)
        }
    }

    public static func _writeOptional(_ value: Self?, _ object: ObjectBase, _ slot: Int) {
        guard let value else { return object.write(.null, slot) }
        _write(value, object, slot)
    }

    public func _stored() -> _StoredValue {
        do {
            return _StoredValue(.coded(try CodedEncoder.encode(self)))
        } catch {
            // Whoever stores it asks for the error where it finds null.
            return .null
        }
    }

    public func _storedWrapped() -> _StoredValue { _stored() }

    public func _storingError() -> (any Error)? {
        do {
            _ = try CodedEncoder.encode(self)
            return nil
        } catch {
            return error
        }
    }

    public func _wrappedStoringError() -> (any Error)? { _storingError() }

    public func _elementForm() -> _ElementForm {
        do {
            return _ElementForm(.stored(.coded(try CodedEncoder.encode(self))))
        } catch {
            return _ElementForm(
                .unstorable(
                    Realm.Error(
                        .invalidInput, "A value of type \(Self.self) cannot be stored: \(Realm.Error.describe(error))",
                        cause: error)))
        }
    }

    // MARK: Untyped values

    /// Takes values of the type, and dictionaries, arrays and single values that one can be decoded from, as a dynamic object
    /// gives them.
    public static func _converted(from value: Any) -> Self? {
        guard let value = UntypedValue.unwrapped(value) else { return nil }
        if let value = value as? Self { return value }
        guard let coded = CodedValue(untyped: value) else { return nil }
        return try? CodedDecoder(value: coded, codingPath: []).decode(Self.self)
    }
    public static func _convertedWrapped(from value: Any) -> Self? { _converted(from: value) }
}

extension ObjectBase {
    /// The value of a property of a ``PersistableCodable`` type, or an optional one; nil where it has none.
    ///
    /// Throws `schemaMismatch` where the program's type cannot be made of what the file holds, which traps where the property
    /// itself is read. Traps where the class has no such property. That of a ``DynamicObject`` may be of any Codable type.
    public final func decoded<Value: PersistableCodable>(
        _ name: String, as type: Value.Type = Value.self
    ) throws(Realm.Error) -> Value? {
        let info = classInfo
        let types: [Any.Type] = [type, Value?.self, UndecodedValue.self, UndecodedValue?.self]
        guard let index = info.index(of: name), types.contains(where: { $0 == info.properties[index].persistable })
        else { misuse("'\(info.name)' has no property '\(name)' of type \(type); name one that has it") }
        guard isManaged, !info.isPlain else { return untypedValue(of: info.properties[index]) as? Value }
        let slot = binding.slots[index]
        guard let bytes = codedBytes(slot) else { return nil }
        do {
            return try Value.decoded(bytes)
        } catch {
            throw Realm.Error(.schemaMismatch, error.message(placeName(slot)), cause: error.cause)
        }
    }

    fileprivate final func codedBytes(_ slot: Int) -> Data? {
        withRecord { _RecordSource(context: $0, record: $1).codedBytes(slot) }
    }

    fileprivate final func placeName(_ slot: Int) -> String {
        "\(binding.info.name).\(binding.propertyName(slot)) (\(keyDescription))"
    }

    fileprivate final func poisonUnstorable(_ error: any Error, _ slot: Int) {
        checkIsWriting(slot)
        guard let index = binding.slots.firstIndex(of: slot) else { return }
        context?.poison(Realm.Error.unstorable(error, binding.info.properties[index], of: binding.info.name))
    }
}

extension _RecordSource {
    /// A copy of a coded value's bytes, wherever they are stored; nil for null.
    fileprivate func codedBytes(_ slot: Int) -> Data? {
        guard !record.isNull(slot) else { return nil }
        return record.tag(slot) == .blob ? context.connection.data(record, slot) : record.coded(slot)
    }
}

/// Bytes of which no value of a type can be made.
struct UndecodableValue: Error {
    let type: Any.Type
    /// Nil where nothing is stored.
    let bytes: Data?
    let cause: (any Error)?

    func message(_ place: String) -> String {
        guard let bytes else { return "\(place) holds no value of type \(type)" }
        let name = bytes.withUnsafeBytes { CodedValue.caseName($0) }
        let content = name.map { "'\($0)'" } ?? "\(bytes.count) bytes"
        return "\(place) holds \(content), which cannot be read as \(type): \(cause.map(Realm.Error.describe) ?? "")"
    }
}
