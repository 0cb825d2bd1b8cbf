import FirnStore

extension RealmQueryable {
    // MARK: Of a property

    /// The smallest value of a property of the objects, or of what a dotted path of links leads to; nil where none has one.
    ///
    /// Nil and NaN are skipped. Traps for an unknown property, and for one that has no order.
    public func min<T: RealmCollectionValue>(ofProperty property: String) -> T? where T.PersistedType: MinMaxType {
        aggregate(.minimum, property)
    }

    /// The largest value of a property of the objects: see `min(ofProperty:)`.
    public func max<T: RealmCollectionValue>(ofProperty property: String) -> T? where T.PersistedType: MinMaxType {
        aggregate(.maximum, property)
    }

    /// The sum of a property of the objects, or of what a dotted path of links leads to; 0 where none has a value.
    ///
    /// Nil and NaN are skipped. Integers wrap around, floats are added up as doubles. Traps for an unknown property, and
    /// for one that is no number.
    public func sum<T: RealmCollectionValue>(ofProperty property: String) -> T where T.PersistedType: AddableType {
        guard let sum: T = aggregate(.sum, property) else { misuse("A sum came out as nothing") }
        return sum
    }

    /// The average of a property of the objects, a Double or a Decimal128 where the caller wants nothing else; nil where
    /// none has a value: see `sum(ofProperty:)`.
    public func average<T: RealmCollectionValue>(ofProperty property: String) -> T?
    where T.PersistedType: AddableType {
        aggregate(.average, property)
    }

    // MARK: Of a key path

    /// The smallest value of a property of the objects: see `min(ofProperty:)`.
    public func min<T: RealmCollectionValue>(of keyPath: KeyPath<Queried, T>) -> T?
    where Queried: ObjectBase, T.PersistedType: MinMaxType {
        min(ofProperty: SortDescriptor(keyPath: keyPath).keyPath)
    }

    /// The largest value of a property of the objects: see `min(ofProperty:)`.
    public func max<T: RealmCollectionValue>(of keyPath: KeyPath<Queried, T>) -> T?
    where Queried: ObjectBase, T.PersistedType: MinMaxType {
        max(ofProperty: SortDescriptor(keyPath: keyPath).keyPath)
    }

    /// The sum of a property of the objects: see `sum(ofProperty:)`.
    public func sum<T: RealmCollectionValue>(of keyPath: KeyPath<Queried, T>) -> T
    where Queried: ObjectBase, T.PersistedType: AddableType {
        sum(ofProperty: SortDescriptor(keyPath: keyPath).keyPath)
    }

    /// The average of a property of the objects: see `average(ofProperty:)`.
    @_disfavoredOverload
    public func average<T: RealmCollectionValue, Average: RealmCollectionValue>(
        of keyPath: KeyPath<Queried, T>
    ) -> Average?
    where Queried: ObjectBase, T.PersistedType: AddableType, Average.PersistedType: AddableType {
        average(ofProperty: SortDescriptor(keyPath: keyPath).keyPath)
    }

    /// The average of a property of the objects, where the caller asks for no type: see `average(ofProperty:)`.
    public func average<T: RealmCollectionValue>(of keyPath: KeyPath<Queried, T>) -> Double?
    where Queried: ObjectBase, T.PersistedType: AddableType {
        average(ofProperty: SortDescriptor(keyPath: keyPath).keyPath)
    }

    // MARK: Of the elements

    /// The smallest of the values; nil where there is none but nil and NaN.
    public func min() -> Queried? where Queried.PersistedType: MinMaxType {
        min(ofProperty: "self")
    }

    /// The largest of the values; nil where there is none but nil and NaN.
    public func max() -> Queried? where Queried.PersistedType: MinMaxType {
        max(ofProperty: "self")
    }

    /// The sum of the values: see `sum(ofProperty:)`.
    public func sum() -> Queried where Queried.PersistedType: AddableType {
        sum(ofProperty: "self")
    }

    /// The average of the values: see `average(ofProperty:)`.
    public func average<T: RealmCollectionValue>() -> T? where T.PersistedType: AddableType {
        average(ofProperty: "self")
    }

    private func aggregate<T: RealmCollectionValue>(_ kind: Aggregation.Kind, _ keyPath: String) -> T? {
        aggregate(kind, keyPath).map { AggregateResult.converted($0, to: T.self) }
    }

    func aggregate(_ kind: Aggregation.Kind, _ keyPath: String) -> StoredValue? {
        switch _querySource.content {
        case .managed(let source): source.aggregate(kind, keyPath)
        case .unmanaged(let elements): Aggregation.result(kind, elements.map { $0._untypedElement() }, keyPath)
        }
    }
}

extension ResultsSource {
    /// What a kind of aggregation makes of the values that a key path leads to.
    func aggregate(_ kind: Aggregation.Kind, _ keyPath: String) -> StoredValue? {
        let path = ValuePath(keyPath, from: origin, to: kind.verb)
        let subject = "'\(binding.map { "\($0.info.name)." } ?? "")\(keyPath)'"
        var aggregation = Aggregation(kind, of: path.column?.type ?? .any, subject)
        if let result = fastResult(kind, path, of: aggregation) { return result }
        let references = allKeys()
        let values = binding == nil ? origin.storedValues(in: context) : []
        for reference in references {
            if let value = path.value(of: reference, in: context, binding, values) { aggregation.add(value) }
        }
        return aggregation.result
    }
}

extension ResultsSource {
    /// What comes out where an index or the records alone tell it, with no object looked up; the outer nil where they do not.
    private func fastResult(
        _ kind: Aggregation.Kind, _ path: ValuePath, of aggregation: Aggregation
    ) -> StoredValue?? {
        guard let path = path.path, path.isDirect, let tableQuery = unorderedTableQuery() else { return nil }
        let column = path.column
        let connection = context.connection
        if kind == .minimum || kind == .maximum,
            let key = tableQuery.extreme(of: column, isLargest: kind == .maximum, in: connection)
        {
            return key.flatMap { connection.record(tableQuery.table.id, $0) }.map { connection.value($0, column) }
        }
        return tableQuery.summary(of: column, in: connection).map { aggregation.result(of: $0) }
    }
}

extension Aggregation {
    /// What a kind of aggregation makes of the values that a key path leads to from untyped elements, whose properties may
    /// be of any type.
    static func result(_ kind: Kind, _ elements: [Any?], _ keyPath: String) -> StoredValue? {
        let values = elements.compactMap { KeyedValue.value(of: $0, keyPath).flatMap(StoredValue.init(untyped:)) }
        let types = Set(values.map(\.columnType))
        var aggregation = Aggregation(kind, of: types.count == 1 ? types.first ?? .any : .any, "'\(keyPath)'")
        for value in values { aggregation.add(value) }
        return values.isEmpty && kind == .sum ? .int(0) : aggregation.result
    }
}

extension StoredValue {
    /// The stored form of something that a property can hold; nil for nil, objects and collections.
    fileprivate init?(untyped value: Any) {
        switch UntypedValue.unwrapped(value) {
        case let value as AnyRealmValue:
            guard let scalar = value.storedScalar else { return nil }
            self = scalar
        case let value as any _Persistable where !(value is ObjectBase): self = value._stored().value
        default: return nil
        }
        if isNull { return nil }
    }

    /// The type of a column that holds such values.
    fileprivate var columnType: ColumnType {
        switch self {
        case .bool: .bool
        case .int: .int
        case .float: .float
        case .double: .double
        case .decimal: .decimal
        case .date: .date
        case .string: .string
        case .data: .data
        case .objectID: .objectID
        case .uuid: .uuid
        case .link: .link
        case .coded: .coded
        case .null, .typedLink, .collection, .blob: .any
        }
    }
}
