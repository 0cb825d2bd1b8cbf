/// Values by dotted key path, as key-value coding has them: of objects, of collections and maps, and through both.
///
/// A collection gives the array of what its elements give, a map what its value for a key gives. `@count`, `@sum`, `@min`,
/// `@max` and `@avg` stand before what they are of: `dogs.@avg.age`. `self` is the value itself.
enum KeyedValue {
    /// What a key path leads to from a value; nil where something on the way is nil.
    static func value(of value: Any?, _ keyPath: String) -> Any? {
        guard let value = value.flatMap(UntypedValue.unwrapped) else { return nil }
        if keyPath == "self" { return value }
        switch value {
        case let map as any RealmKeyedCollection: return map.value(forKeyPath: keyPath)
        case let collection as any RealmCollection: return collection.value(forKeyPath: keyPath)
        case let object as ObjectBase: return object.value(forKeyPath: keyPath)
        // What a value of a Codable type is to those who do not know it.
        case let dictionary as [String: Any]:
            return self.value(keyPath) { $0 == "@count" ? dictionary.count : dictionary[$0] }
        case let array as [Any] where keyPath == "@count": return array.count
        case let array as [Any] where !keyPath.hasPrefix("@"): return array.map { self.value(of: $0, keyPath) }
        default: misuse("\(UntypedValue.describe(value)) has no property '\(keyPath)'; end the key path before it")
        }
    }

    /// What the first key of a path gives, and what the rest of the path leads to from there.
    static func value(_ keyPath: String, first: (String) -> Any?) -> Any? {
        guard let dot = keyPath.firstIndex(of: ".") else { return first(keyPath) }
        return value(of: first(String(keyPath[..<dot])), String(keyPath[keyPath.index(after: dot)...]))
    }
}

extension RealmQueryable {
    /// What a key path that begins with `@` says of all elements or values.
    func untypedResult(_ keyPath: String) -> Any? {
        let parts = keyPath.split(separator: ".", maxSplits: 1).map(String.init)
        func result(_ kind: Aggregation.Kind) -> Any? {
            guard parts.count == 2 else {
                misuse("'\(keyPath)' does not say of what; write '\(keyPath).age' or '\(keyPath).self'")
            }
            return aggregate(kind, parts[1]).map { AggregateResult.untyped($0) }
        }
        switch parts.first {
        case "@count": return untypedElements.count
        case "@sum": return result(.sum)
        case "@min": return result(.minimum)
        case "@max": return result(.maximum)
        case "@avg": return result(.average)
        default:
            misuse("'\(keyPath)' is nothing that a collection has; ask for @count, @sum, @min, @max or @avg")
        }
    }

    /// The elements or values as an untyped reader gets them.
    var untypedElements: [Any?] {
        switch _querySource.content {
        case .managed(let source): (source.elements() as [Queried]).map { $0._untypedElement() }
        case .unmanaged(let elements): elements.map { $0._untypedElement() }
        }
    }
}
