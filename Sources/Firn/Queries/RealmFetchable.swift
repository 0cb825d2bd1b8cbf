/// What `Realm.objects(_:)` can be asked for: a class derived from `Object`.
///
/// Conform to it by deriving from `Object` only.
public protocol RealmFetchable: RealmCollectionValue {
    /// The class whose rows are fetched. Underscored: it is for `Results`.
    static var _objectType: ObjectBase.Type { get }
}

extension RealmFetchable where Self: ObjectBase {
    public static var _objectType: ObjectBase.Type { Self.self }
}
