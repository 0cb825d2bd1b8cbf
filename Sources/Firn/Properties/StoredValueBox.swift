import FirnStore

/// A value as a record holds it.
///
/// Public, because `_Persistable` mentions it; what it holds is not.
public struct _StoredValue {
    package let value: StoredValue

    package init(_ value: StoredValue) {
        self.value = value
    }

    /// The stored form of nil.
    public static var null: _StoredValue { _StoredValue(.null) }
}
