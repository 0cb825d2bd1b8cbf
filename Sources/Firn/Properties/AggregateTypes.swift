import Foundation

/// A type with a smallest and a largest value: what `min` and `max` of a collection can give.
///
/// Numbers and dates; their optionals; and `AnyRealmValue`.
public protocol MinMaxType {}

/// A type that can be added up: what `sum` and `average` of a collection can give.
///
/// Numbers, their optionals, and `AnyRealmValue`.
public protocol AddableType {}

/// A type whose values a collection can be sorted by without naming a property.
///
/// Bool, ObjectId and UUID are none: they have an order in the file, but none that means anything.
public protocol SortableType {}

/// A class whose objects a collection can be sorted by a key path of: every model class.
public protocol KeypathSortable {}

extension ObjectBase: KeypathSortable {}

extension Int: MinMaxType, AddableType, SortableType {}
extension Int8: MinMaxType, AddableType, SortableType {}
extension Int16: MinMaxType, AddableType, SortableType {}
extension Int32: MinMaxType, AddableType, SortableType {}
extension Int64: MinMaxType, AddableType, SortableType {}
extension Float: MinMaxType, AddableType, SortableType {}
extension Double: MinMaxType, AddableType, SortableType {}
extension Decimal128: MinMaxType, AddableType, SortableType {}
extension AnyRealmValue: MinMaxType, AddableType, SortableType {}
extension Date: MinMaxType, SortableType {}
extension String: SortableType {}
extension Data: SortableType {}
extension Optional: MinMaxType where Wrapped: MinMaxType {}
extension Optional: AddableType where Wrapped: AddableType {}
extension Optional: SortableType where Wrapped: SortableType {}
