import Foundation

extension UntypedValue {
    /// The elements of any collection, as elements of a type; those of nil are none. Nil where `value` is no collection, or one
    /// of its elements does not fit.
    static func elements<Element: RealmCollectionValue>(_ value: Any) -> [Element]? {
        guard let untyped = untypedElements(value) else { return nil }
        var elements: [Element] = []
        elements.reserveCapacity(untyped.count)
        for value in untyped {
            guard let element = Element._convertedElement(from: value) else { return nil }
            elements.append(element)
        }
        return elements
    }

    /// The elements of an array, a set or a collection of a realm; those of nil are none. Nil for anything else, maps among
    /// it.
    static func untypedElements(_ value: Any) -> [Any]? {
        switch unwrapped(value) {
        case nil: []
        case is String, is Substring, is Data, is any AnyMap: nil
        case let array as [Any]: array
        case let array as NSArray: Array(array)
        case let set as NSSet: set.allObjects
        case let dictionary? where dictionary is [AnyHashable: Any] || dictionary is NSDictionary: nil
        case let sequence as any Sequence: untyped(sequence)
        default: nil
        }
    }

    /// The entries of a dictionary or a map; those of nil are none. Nil for anything else, and where a key is no string.
    static func untypedEntries(_ value: Any) -> [(key: String, value: Any)]? {
        switch unwrapped(value) {
        case nil: return []
        case let map as any AnyMap: return map.untypedEntries
        case let dictionary as [String: Any]: return dictionary.map { ($0.key, $0.value) }
        case let dictionary as NSDictionary:
            var entries: [(key: String, value: Any)] = []
            for (key, value) in dictionary {
                guard let key = String._converted(from: key) else { return nil }
                entries.append((key, value))
            }
            return entries
        case let dictionary as [AnyHashable: Any]:
            var entries: [(key: String, value: Any)] = []
            for (key, value) in dictionary {
                guard let key = key.base as? any _MapKey else { return nil }
                entries.append((key._storedKey, value))
            }
            return entries
        default: return nil
        }
    }

    private static func untyped(_ sequence: some Sequence) -> [Any] {
        sequence.map { $0 as Any }
    }
}

/// A map of any types.
protocol AnyMap {
    /// The entries, with keys as they are stored.
    var untypedEntries: [(key: String, value: Any)] { get }
}
