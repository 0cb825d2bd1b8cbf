import FirnStore
import Foundation

/// What can be sorted, filtered and added up: the elements of a collection, and the values of a map.
///
/// Filtering, sorting and leaving out need a collection that a realm has; everything else works for all.
public protocol RealmQueryable<Queried>: Sequence {
    /// The elements or the values.
    associatedtype Queried: RealmCollectionValue

    /// Where they are. Underscored: it is for the members that all collections share.
    var _querySource: _QuerySource<Queried> { get }
}

/// What all collections of a realm have in common, keyed ones aside.
public protocol RealmCollectionBase<Element>: RandomAccessCollection, CustomStringConvertible, ThreadConfined
where Element: RealmCollectionValue, Index == Int {
    /// The type of the elements, as Realm names it.
    typealias ElementType = Element
}

extension RealmCollectionBase {
    // The standard ones ask for the count, which for a collection that a realm has is a look-up.

    /// The position behind another.
    public func index(after position: Int) -> Int { position + 1 }

    /// The position before another.
    public func index(before position: Int) -> Int { position - 1 }

    /// The position so many behind another.
    public func index(_ position: Int, offsetBy distance: Int) -> Int { position + distance }

    /// How far one position is behind another.
    public func distance(from start: Int, to end: Int) -> Int { end - start }
}

/// Elements of a realm in an order: results, lists, sets, and the objects that link to one.
public protocol RealmCollection<Element>: RealmCollectionBase, RealmQueryable, Equatable where Queried == Element {
    /// The position of an element; nil where it is none. O(elements).
    ///
    /// An unmanaged object is no element of a collection that a realm has; a deleted one traps.
    func index(of element: Element) -> Int?
}

/// Values of a realm by key: a map.
public protocol RealmKeyedCollection<Key, Value>: RealmQueryable, CustomStringConvertible, ThreadConfined
where Queried == Value {
    /// The type of the keys.
    associatedtype Key: _MapKey
    /// The type of the values.
    associatedtype Value: RealmCollectionValue

    /// The number of keys.
    var count: Int { get }

    /// The keys.
    var keys: [Key] { get }

    /// The values, in the order of `keys`.
    var values: [Value] { get }

    /// The value for a key. Setting nil removes the key.
    subscript(key: Key) -> Value? { get set }

    /// Sets the value for a key.
    func updateValue(_ value: Value, forKey key: Key)

    /// Removes a key; does nothing where it is not there.
    func removeObject(for key: Key)

    /// Removes all keys.
    func removeAll()
}

/// What can be put into an `AnyRealmCollection`, in the words of Realm, where it is a bridge to Objective-C.
///
/// Underscored like Realm's; there is nothing to write.
public protocol _ObjcBridgeable {}

/// The elements of a collection: as a realm has them, or themselves.
///
/// Public, because `RealmQueryable` mentions it; what it holds is not.
public struct _QuerySource<Element> {
    enum Content {
        case managed(ResultsSource)
        case unmanaged([Element])
    }

    let content: Content

    init(_ source: ResultsSource) {
        content = .managed(source)
    }

    init(_ elements: [Element]) {
        content = .unmanaged(elements)
    }

    /// The elements of a list, a set or a map.
    init<Contents>(
        _ state: CollectionState<Contents>, _ kind: CollectionKind, unmanaged elements: (Contents) -> [Element]
    ) {
        switch state {
        case .unmanaged(let contents): content = .unmanaged(elements(contents))
        case .managed(let handle):
            let context = handle.checked()
            content = .managed(ResultsSource(context, .collection(handle.moved(to: context), kind)))
        }
    }
}

extension RealmQueryable {
    /// The elements as a realm has them. Traps for a collection that none has, with what was asked of it.
    func managedSource(_ attempt: String) -> ResultsSource {
        guard case .managed(let source) = _querySource.content else {
            misuse("A \(Self.self) that no realm has cannot be \(attempt); add it to one, or use Swift's own ways")
        }
        return source
    }
}

extension RealmCollection {
    /// The elements at positions. Traps where there is none.
    public func objects(at indexes: IndexSet) -> [Element] {
        indexes.map { self[$0] }
    }

    public func index(of element: Element) -> Int? {
        switch _querySource.content {
        case .managed(let source): source.index(of: element)
        case .unmanaged(let elements): elements.firstIndex(of: element)
        }
    }
}
