import FirnQuery
import Foundation

/// An optional, for the queries that ask for what may be nil.
///
/// Underscored like Realm's; `Optional` alone conforms.
public protocol _QueryOptional {
    /// What it holds, where it is not nil.
    associatedtype Wrapped
}

extension Optional: _QueryOptional {}

// Comparisons of values with constants and with each other. A value in a collection stands for any of them.

extension Query where T: _HasPersistedType {
    /// Whether a value equals another.
    public static func == (left: Query, right: T) -> Query<Bool> { left.compared(.equal, with: right) }

    /// Whether a value differs from another.
    public static func != (left: Query, right: T) -> Query<Bool> { left.compared(.notEqual, with: right) }

    /// Whether two properties are equal.
    public static func == (left: Query, right: Query) -> Query<Bool> { left.compared(.equal, with: right) }

    /// Whether two properties differ.
    public static func != (left: Query, right: Query) -> Query<Bool> { left.compared(.notEqual, with: right) }

    /// Whether a value is one of several.
    public func `in`<Values: Sequence<T>>(_ values: Values) -> Query<Bool> {
        compared(.isIn, with: Array(values) as [Any?])
    }
}

extension Query where T: _HasPersistedType, T.PersistedType: _QueryOrdered {
    /// Whether a value is less than another.
    public static func < (left: Query, right: T) -> Query<Bool> { left.compared(.less, with: right) }

    /// Whether a value is less than another or equals it.
    public static func <= (left: Query, right: T) -> Query<Bool> { left.compared(.lessOrEqual, with: right) }

    /// Whether a value is greater than another.
    public static func > (left: Query, right: T) -> Query<Bool> { left.compared(.greater, with: right) }

    /// Whether a value is greater than another or equals it.
    public static func >= (left: Query, right: T) -> Query<Bool> { left.compared(.greaterOrEqual, with: right) }

    /// Whether a property is less than another.
    public static func < (left: Query, right: Query) -> Query<Bool> { left.compared(.less, with: right) }

    /// Whether a property is less than another or equals it.
    public static func <= (left: Query, right: Query) -> Query<Bool> { left.compared(.lessOrEqual, with: right) }

    /// Whether a property is greater than another.
    public static func > (left: Query, right: Query) -> Query<Bool> { left.compared(.greater, with: right) }

    /// Whether a property is greater than another or equals it.
    public static func >= (left: Query, right: Query) -> Query<Bool> { left.compared(.greaterOrEqual, with: right) }
}

extension Query where T: _HasPersistedType & Comparable, T.PersistedType: _QueryOrdered {
    /// Whether a value lies in a range.
    public func contains(_ range: Range<T>) -> Query<Bool> {
        compared(.greaterOrEqual, with: range.lowerBound) && compared(.less, with: range.upperBound)
    }

    /// Whether a value lies in a range.
    public func contains(_ range: ClosedRange<T>) -> Query<Bool> {
        compared(.between, with: [range.lowerBound, range.upperBound] as [Any?])
    }
}

extension Query
where T: _QueryOptional, T.Wrapped: _HasPersistedType & Comparable, T.Wrapped.PersistedType: _QueryOrdered {
    /// Whether a value lies in a range; nil does not.
    public func contains(_ range: Range<T.Wrapped>) -> Query<Bool> {
        compared(.greaterOrEqual, with: range.lowerBound) && compared(.less, with: range.upperBound)
    }

    /// Whether a value lies in a range; nil does not.
    public func contains(_ range: ClosedRange<T.Wrapped>) -> Query<Bool> {
        compared(.between, with: [range.lowerBound, range.upperBound] as [Any?])
    }
}

/// A type that is stored so that one value may be less than another.
///
/// Underscored like Realm's tags of queries; there is nothing to conform to it.
public protocol _QueryOrdered {}

extension Int: _QueryOrdered {}
extension Int8: _QueryOrdered {}
extension Int16: _QueryOrdered {}
extension Int32: _QueryOrdered {}
extension Int64: _QueryOrdered {}
extension Float: _QueryOrdered {}
extension Double: _QueryOrdered {}
extension Decimal128: _QueryOrdered {}
extension Date: _QueryOrdered {}
extension String: _QueryOrdered {}
extension Data: _QueryOrdered {}
extension UUID: _QueryOrdered {}
extension ObjectId: _QueryOrdered {}
extension AnyRealmValue: _QueryOrdered {}
extension Optional: _QueryOrdered where Wrapped: _QueryOrdered {}

// MARK: Enums and types of one's own

extension Query where T: PersistableEnum {
    /// What is stored for an enum.
    public var rawValue: Query<T.RawValue> { cast() }
}

extension Query where T: _QueryOptional, T.Wrapped: PersistableEnum {
    /// What is stored for an enum, or nil.
    public var rawValue: Query<T.Wrapped.RawValue?> { cast() }
}

extension Query where T: CustomPersistable {
    /// What is stored for a value.
    public var persistableValue: Query<T.PersistedType> { cast() }
}

extension Query where T: FailableCustomPersistable {
    /// What is stored for a value.
    public var persistableValue: Query<T.PersistedType> { cast() }
}

extension Query where T: _QueryOptional, T.Wrapped: CustomPersistable {
    /// What is stored for a value, or nil.
    public var persistableValue: Query<T.Wrapped.PersistedType?> { cast() }
}

extension Query where T: _QueryOptional, T.Wrapped: FailableCustomPersistable {
    /// What is stored for a value, or nil.
    public var persistableValue: Query<T.Wrapped.PersistedType?> { cast() }
}

extension Query where T: PersistableCodable {
    /// The name of an enum's case.
    public var caseName: Query<String?> { step(.caseName) }
}

extension Query where T: _QueryOptional, T.Wrapped: PersistableCodable {
    /// The name of an enum's case; nil for nil.
    public var caseName: Query<String?> { step(.caseName) }
}
