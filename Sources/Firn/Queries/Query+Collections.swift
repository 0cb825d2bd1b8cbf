import FirnQuery
import Foundation

extension Query where T: RealmCollection {
    /// Whether a collection has an element.
    public func contains(_ element: T.Element) -> Query<Bool> { compared(.equal, with: element) }

    /// Whether a collection has any of several elements.
    public func containsAny<Elements: Sequence<T.Element>>(in elements: Elements) -> Query<Bool> {
        compared(.isIn, with: Array(elements) as [Any?])
    }

    /// The number of elements.
    public var count: Query<Int> { aggregate(.count) }
}

extension Query where T: RealmCollection, T.Element: MinMaxType {
    /// The smallest element; nil where there is none.
    public var min: Query<T.Element> { aggregate(.min) }

    /// The largest element; nil where there is none.
    public var max: Query<T.Element> { aggregate(.max) }

    /// Whether all elements lie in a range, and there is one.
    public func contains(_ range: ClosedRange<T.Element>) -> Query<Bool> where T.Element: Comparable {
        min.compared(.greaterOrEqual, with: range.lowerBound)
            && max.compared(.lessOrEqual, with: range.upperBound)
    }

    /// Whether all elements lie in a range, and there is one.
    public func contains(_ range: Range<T.Element>) -> Query<Bool> where T.Element: Comparable {
        min.compared(.greaterOrEqual, with: range.lowerBound)
            && max.compared(.less, with: range.upperBound)
    }
}

extension Query where T: RealmCollection, T.Element: AddableType {
    /// The sum of the elements; 0 where there is none.
    public var sum: Query<T.Element> { aggregate(.sum) }

    /// The average of the elements; nil where there is none.
    public var avg: Query<Double?> { aggregate(.avg) }
}

// MARK: Maps

extension Query where T: RealmKeyedCollection {
    /// The value for a key; nil where the map does not have that.
    public subscript(key: T.Key) -> Query<T.Value?> { element(.key(key._storedKey)) }

    /// Any of the keys.
    public var keys: Query<String> { step(.keys, isMany: true) }

    /// Any of the values.
    public var values: Query<T.Value> { step(.values, isMany: true) }

    /// Whether a map has a value.
    public func contains(_ value: T.Value) -> Query<Bool> { compared(.equal, with: value) }

    /// Whether a map has any of several values.
    public func containsAny<Values: Sequence<T.Value>>(in values: Values) -> Query<Bool> {
        compared(.isIn, with: Array(values) as [Any?])
    }

    /// The number of keys.
    public var count: Query<Int> { aggregate(.count) }
}

extension Query where T: RealmKeyedCollection, T.Value: _QueryOptional {
    /// The value, or the object, for a key; nil where the map does not have that, and where it is nil.
    public subscript(key: T.Key) -> Query<T.Value> { element(.key(key._storedKey)) }
}

extension Query where T: RealmKeyedCollection, T.Value: MinMaxType {
    /// The smallest value; nil where there is none.
    public var min: Query<T.Value> { aggregate(.min) }

    /// The largest value; nil where there is none.
    public var max: Query<T.Value> { aggregate(.max) }
}

extension Query where T: RealmKeyedCollection, T.Value: AddableType {
    /// The sum of the values; 0 where there is none.
    public var sum: Query<T.Value> { aggregate(.sum) }

    /// The average of the values; nil where there is none.
    public var avg: Query<Double?> { aggregate(.avg) }
}

// MARK: Properties of a collection's objects

extension Query where T: MinMaxType {
    /// The smallest value of a property of a collection's objects; nil where there is none.
    public var min: Query { aggregate(.min) }

    /// The largest value of a property of a collection's objects; nil where there is none.
    public var max: Query { aggregate(.max) }
}

extension Query where T: AddableType {
    /// The sum of a property of a collection's objects; 0 where there is none.
    public var sum: Query { aggregate(.sum) }

    /// The average of a property of a collection's objects; nil where there is none.
    public var avg: Query<Double?> { aggregate(.avg) }
}

// MARK: Values of any type

extension Query<AnyRealmValue> {
    /// The element at a position of a list. A negative position traps.
    public subscript(index: Int) -> Query<AnyRealmValue> {
        guard index >= 0 else { misuse("A list's positions begin with 0; \(index) is none") }
        return element(.index(index))
    }

    /// The value for a key of a map.
    public subscript(key: String) -> Query<AnyRealmValue> { element(.key(key)) }

    /// Any element of a list, or value of a map.
    public var any: Query<AnyRealmValue> { step(.elements, isMany: true) }

    /// The name of the type: `"string"`, `"int"`, `"numeric"`, `"object"` and the like.
    public var type: Query<String?> { step(.type) }
}

// MARK: What they share

extension Query {
    /// One element of what a property holds.
    fileprivate func element<V>(_ step: QueryPath.Step) -> Query<V> {
        var path = path(for: "An element")
        let isMany = builder.collections.contains { $0 != path && path.steps.starts(with: $0.steps) }
        path.steps.append(step)
        return Query<V>(builder, .operand(.path(path), isMany: isMany))
    }

    /// What is made of all values.
    fileprivate func aggregate<V>(_ aggregate: Aggregate) -> Query<V> {
        Query<V>(builder, .operand(.aggregate(aggregate, path(for: aggregate.symbol)), isMany: false))
    }
}

// MARK: Places on the sphere

extension Query where T: _QueryOptional, T.Wrapped: EmbeddedObject {
    /// Whether the place that an object of `type` and `coordinates` stands for lies in a box.
    public func geoWithin(_ box: GeoBox) -> Query<Bool> { compared(.within, with: box) }

    /// Whether the place lies in a polygon.
    public func geoWithin(_ polygon: GeoPolygon) -> Query<Bool> { compared(.within, with: polygon) }

    /// Whether the place lies in a circle.
    public func geoWithin(_ circle: GeoCircle) -> Query<Bool> { compared(.within, with: circle) }
}
