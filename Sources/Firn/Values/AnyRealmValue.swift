import Foundation

/// A value of any type that a realm stores.
///
///     class Dog: Object {
///         @Persisted var companion: AnyRealmValue
///     }
///
///     dog.companion = .string("a ball")
///     dog.companion = .list(List([.int(1), .none]))
///
/// A property of this type is never optional, since it can hold `none`; it can be indexed, but is no primary key. It holds
/// neither sets nor embedded objects. Lists and maps may stand within each other, 100 levels deep; those that were read from
/// a realm are live. A list or a map that is assigned is copied.
///
/// Equality is strict: `.int(1)` is not `.double(1)`. Queries, sorting and sets compare numbers by their values.
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

    /// No value.
    public init() {
        self = .none
    }

    /// An unmanaged map of the dictionary's values.
    public static func fromDictionary(_ dictionary: [String: AnyRealmValue]) -> AnyRealmValue {
        let map = Map<String, AnyRealmValue>()
        for (key, value) in dictionary {
            map[key] = value
        }
        return .dictionary(map)
    }

    /// An unmanaged list of the array's values.
    public static func fromArray(_ array: [AnyRealmValue]) -> AnyRealmValue {
        .list(List(array))
    }
}
