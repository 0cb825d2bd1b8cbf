import FirnQuery
import Foundation

extension PredicateExpressions.KeyPath: TranslatableExpression {
    func translated(by translator: PredicateTranslator) throws(Realm.Error) -> TranslatedPart {
        switch try translator.part(root) {
        case .constant(let value):
            guard let root = value as? Root.Output else { throw translator.unsupported("a property of nil") }
            return .constant(UntypedValue.unwrapped(root[keyPath: keyPath]))
        case .operand(.path(let path)):
            if let type = Root.Output.self as? ObjectBase.Type {
                guard let name = PersistedName.of(keyPath, in: type, Output.self) else {
                    throw translator.unsupported("a property of '\(type.className())' that is not persisted")
                }
                return .operand(.path(QueryPath(path.steps + [.property(name)], from: path.variable)))
            }
            if let part = path.translated(collectionProperty, isList: Root.Output.self is any ListType.Type) {
                return part
            }
            if let type = Root.Output.self as? any PersistableEnum.Type, type.isRawValue(keyPath) {
                return .operand(.path(path))
            }
        case .filtered(let subquery):
            switch collectionProperty {
            case .count: return .operand(.count(subquery))
            case .isEmpty:
                return .predicate(.comparison(Comparison(.count(subquery), .equal, .constant(.int(0)))))
            case .first, .last, nil: break
            }
        default: break
        }
        if keyPath == \String.isEmpty {
            return .predicate(.comparison(Comparison(try translator.operand(root), .equal, .constant(.string("")))))
        }
        throw translator.unsupported("the property \(keyPath) of a \(Root.Output.self)")
    }

    private var collectionProperty: CollectionProperty? {
        (Root.Output.self as? any CollectionWithProperties.Type)?.property(keyPath)
    }
}

extension QueryPath {
    /// A property of the collection that the path leads to; nil for one that no query has.
    fileprivate func translated(_ property: CollectionProperty?, isList: Bool) -> TranslatedPart? {
        switch property {
        case .count: .operand(.aggregate(.count, self))
        case .isEmpty:
            .predicate(.comparison(Comparison(.aggregate(.count, self), .equal, .constant(.int(0)))))
        case .first where isList: .operand(.path(QueryPath(steps + [.index(0)], from: variable)))
        case .last where isList: .operand(.path(QueryPath(steps + [.index(-1)], from: variable)))
        case .first, .last, nil: nil
        }
    }
}

// MARK: Collections

/// What a query may ask of a collection.
enum CollectionProperty {
    case count, isEmpty, first, last
}

/// A collection whose properties are known by their key paths. Each type names its own: in code for all of them a key path is that of
/// a protocol's requirement, which equals none.
private protocol CollectionWithProperties {
    static func property(_ keyPath: AnyKeyPath) -> CollectionProperty?
}

/// A collection whose elements a query may ask for by position.
protocol ListType {}

extension List: ListType {}

extension List: CollectionWithProperties {
    fileprivate static func property(_ keyPath: AnyKeyPath) -> CollectionProperty? {
        switch keyPath {
        case \List.count: .count
        case \List.isEmpty: .isEmpty
        case \List.first: .first
        case \List.last: .last
        default: nil
        }
    }
}

extension MutableSet: CollectionWithProperties {
    fileprivate static func property(_ keyPath: AnyKeyPath) -> CollectionProperty? {
        switch keyPath {
        case \MutableSet.count: .count
        case \MutableSet.isEmpty: .isEmpty
        default: nil
        }
    }
}

extension Map: CollectionWithProperties {
    fileprivate static func property(_ keyPath: AnyKeyPath) -> CollectionProperty? {
        switch keyPath {
        case \Map.count: .count
        case \Map.isEmpty: .isEmpty
        default: nil
        }
    }
}

extension LinkingObjects: CollectionWithProperties {
    fileprivate static func property(_ keyPath: AnyKeyPath) -> CollectionProperty? {
        switch keyPath {
        case \LinkingObjects.count: .count
        case \LinkingObjects.isEmpty: .isEmpty
        default: nil
        }
    }
}

// What `filter` gives.
extension Array: CollectionWithProperties {
    fileprivate static func property(_ keyPath: AnyKeyPath) -> CollectionProperty? {
        switch keyPath {
        case \Array.count: .count
        case \Array.isEmpty: .isEmpty
        default: nil
        }
    }
}

// MARK: Names

extension PersistableEnum {
    /// Whether a key path is that of the raw value, as which the enum is stored: it gives the same for each case.
    fileprivate static func isRawValue(_ keyPath: AnyKeyPath) -> Bool {
        guard let keyPath = keyPath as? KeyPath<Self, RawValue> else { return false }
        return allCases.allSatisfy { $0[keyPath: keyPath] == $0.rawValue }
    }
}
