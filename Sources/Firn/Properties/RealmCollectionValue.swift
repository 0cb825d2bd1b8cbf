import FirnStore

/// What a collection of a realm can hold.
///
/// The members are for the collections, and are public only because a client's own module specialises them: do not call
/// or write them, conform to `PersistableEnum`, `CustomPersistable` or `PersistableCodable` instead.
public protocol RealmCollectionValue: Hashable, _HasPersistedType {
    /// The column that a collection of this type has, but for the kind of collection.
    static var _elementColumn: _ColumnShape { get }

    /// The element in a slot of a record.
    static func _load(_ source: _RecordSource, _ slot: Int) -> Self

    /// Loads the elements in slots of a record into memory that has room for them, and holds as many others where they replace some:
    /// each goes before the next comes, which then has the memory that malloc has just got back.
    ///
    /// A requirement, so that each type compiles its own specialised copy; a pointer without type, because a class that is
    /// not final cannot satisfy one with `[Self]`.
    static func _load(
        _ source: _RecordSource, _ slots: Range<Int>, into memory: UnsafeMutableRawPointer, isReplacing: Bool)

    /// The element for a live object of the class that a collection of this type holds.
    static func _element(_ object: ObjectBase) -> Self

    /// What is to be stored.
    func _elementForm() -> _ElementForm

    /// Has `take` take what is to be stored for each of some elements that lie one behind the other, until it answers false,
    /// and answers what it did last.
    ///
    /// A requirement, and a pointer without type, for the reasons of `_load(_:_:into:)`.
    static func _takeForms(
        _ elements: UnsafeRawPointer, _ count: Int, _ take: (_ElementForm) -> Bool
    ) -> Bool

    /// The element for something untyped; nil where it does not fit.
    static func _convertedElement(from value: Any) -> Self?

    /// The element as an untyped reader gets it: nil for nil.
    func _untypedElement() -> Any?
}

extension RealmCollectionValue {
    public static func _load(
        _ source: _RecordSource, _ slots: Range<Int>, into memory: UnsafeMutableRawPointer, isReplacing: Bool
    ) {
        // SAFETY: the caller has bound the memory to this type, and it has room.
        var element = memory.assumingMemoryBound(to: Self.self)
        for slot in slots {
            if isReplacing { element.deinitialize(count: 1) }
            element.initialize(to: _load(source, slot))
            element += 1
        }
    }

    public static func _takeForms(
        _ elements: UnsafeRawPointer, _ count: Int, _ take: (_ElementForm) -> Bool
    ) -> Bool {
        // SAFETY: the caller lends so many elements of this type.
        let elements = elements.assumingMemoryBound(to: Self.self)
        for index in 0..<count {
            guard take(elements[index]._elementForm()) else { return false }
        }
        return true
    }

    public static func _element(_ object: ObjectBase) -> Self {
        misuse("A collection of \(Self.self) was read as one of objects")
    }
}

extension RealmCollectionValue where Self: _Persistable {
    public static var _elementColumn: _ColumnShape { _column }
    public func _elementForm() -> _ElementForm { _ElementForm(.stored(_stored().value)) }
    public static func _convertedElement(from value: Any) -> Self? { _converted(from: value) }
    public func _untypedElement() -> Any? { _untyped() }
}

/// What is to be stored for a value: something that a record holds as it is, an object that may have to be added first,
/// or a value that may hold more values.
///
/// Public, because `RealmCollectionValue` mentions it; what it holds is not.
public struct _ElementForm {
    enum Form {
        case stored(StoredValue)
        case object(ObjectBase)
        case any(AnyRealmValue)
        /// Nothing: the value cannot be stored, and the error, which the write is poisoned with, says why.
        /// Boxed, since it would make all the others larger.
        indirect case unstorable(Realm.Error)
    }

    let form: Form

    init(_ form: Form) {
        self.form = form
    }
}
