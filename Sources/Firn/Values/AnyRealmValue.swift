import Foundation

/// A value of any type that a realm stores.
///
/// Equality is strict: `.int(1)` is not `.double(1)`.
public enum AnyRealmValue: Hashable {
    /// No value.
    case none
    /// An integer.
    case int(Int)
    /// A Bool.
    case bool(Bool)
    /// A Float.
    case float(Float)
    /// A Double.
    case double(Double)
    /// A String.
    case string(String)
    /// Data.
    case data(Data)
    /// A Date.
    case date(Date)
    /// A link to an object.
    case object(Object)
    /// An ObjectId.
    case objectId(ObjectId)
    /// A Decimal128.
    case decimal128(Decimal128)
    /// A UUID.
    case uuid(UUID)
    /// A map of values of any type.
    case dictionary(Map<String, AnyRealmValue>)
    /// A list of values of any type.
    case list(List<AnyRealmValue>)
}

extension AnyRealmValue: RealmCollectionValue {
    public typealias PersistedType = AnyRealmValue
    public static var _elementColumn: _ColumnShape { _ColumnShape(.any) }
    public static func _load(_ source: _RecordSource, _ slot: Int) -> AnyRealmValue { fatalError("not built") }
    public func _elementForm() -> _ElementForm { _ElementForm(.any(self)) }
    public static func _convertedElement(from value: Any) -> AnyRealmValue? { fatalError("not built") }
    public func _untypedElement() -> Any? { fatalError("not built") }
}
