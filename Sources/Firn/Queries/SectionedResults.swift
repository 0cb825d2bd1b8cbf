import Foundation

/// Results in sections: the elements that have one key stand together.
///
///     let contacts = realm.objects(Contact.self).sectioned(by: \.initial)
///     for section in contacts {
///         print(section.key, section.map(\.name))
///     }
///
/// The elements are sorted first; the sections stand in the order of their first elements. Lazy and live, as the results are that
/// they were made from: a section comes with its first element and goes with the last. Looking at them after a change costs one
/// call of the key's function for each element.
public struct SectionedResults<Key: _Persistable & Hashable, SectionElement: RealmCollectionValue> {
    let source: SectionSource<Key, SectionElement>

    init(_ source: SectionSource<Key, SectionElement>) {
        self.source = source
    }

    init(_ results: ResultsSource, _ key: @escaping (SectionElement) -> Key) {
        source = SectionSource(results, key)
    }

    /// The keys of all sections, in their order.
    public var allKeys: [Key] { source.current().map(\.key) }

    /// The realm of the elements.
    public var realm: Realm? { Realm(source.results.context) }

    /// Whether the results can no longer be used: they are values of an object that has been deleted.
    public var isInvalidated: Bool { source.results.here.isInvalidated }

    /// Whether the results are frozen: pinned to one version, and readable from every thread.
    public var isFrozen: Bool { source.results.context.isFrozen }

    /// The element at a position of a section: see `IndexPath.init(item:section:)`. Traps where there is none.
    public subscript(indexPath: IndexPath) -> SectionElement {
        self[indexPath.section][indexPath.item]
    }
}

extension SectionedResults: RealmSectionedResult {
    public typealias Element = ResultsSection<Key, SectionElement>

    /// The position of the first section, 0.
    public var startIndex: Int { 0 }

    /// The number of sections.
    public var endIndex: Int { count }

    /// The number of sections.
    public var count: Int { source.current().count }

    /// The section at a position. Traps where there is none.
    public subscript(position: Int) -> Element {
        let sections = source.current()
        guard sections.indices.contains(position) else {
            trapBounds(position, sections.count, of: "Sectioned results")
        }
        return ResultsSection(source, sections[position].key)
    }

    /// Goes over the sections that are there now.
    public func makeIterator() -> SectionedResultsIterator<Key, SectionElement> {
        SectionedResultsIterator(source: source, keys: allKeys.makeIterator())
    }

    /// Whether both are copies of one; results that were sectioned twice are not equal.
    public static func == (left: SectionedResults, right: SectionedResults) -> Bool {
        left.source === right.source
    }
}

/// Goes over the sections of results that were there when it began.
public struct SectionedResultsIterator<Key: _Persistable & Hashable, SectionElement: RealmCollectionValue>:
    IteratorProtocol
{
    fileprivate let source: SectionSource<Key, SectionElement>
    fileprivate var keys: IndexingIterator<[Key]>

    /// The next section.
    public mutating func next() -> ResultsSection<Key, SectionElement>? {
        keys.next().map { ResultsSection(source, $0) }
    }
}

/// Results in sections, or one of these.
public protocol RealmSectionedResult: RandomAccessCollection, Equatable, ThreadConfined, CustomStringConvertible
where Index == Int {}

extension RealmSectionedResult {
    // The standard ones ask for the count.

    /// The position behind another.
    public func index(after position: Int) -> Int { position + 1 }

    /// The position before another.
    public func index(before position: Int) -> Int { position - 1 }

    /// The position so many behind another.
    public func index(_ position: Int, offsetBy distance: Int) -> Int { position + distance }

    /// How far one position is behind another.
    public func distance(from start: Int, to end: Int) -> Int { end - start }

    public var _handedOver: _HandedOver {
        misuse("A reference to sectioned results was made; hand over the results, and section them on the other thread")
    }

    public static func _resolve(_ handedOver: _HandedOver, in realm: Realm) -> Self? { nil }
}
