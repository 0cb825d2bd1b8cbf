/// The elements of `SectionedResults` that have one key.
///
/// Live: it shows the elements that have the key now. Where none has it any more, it is empty and invalidated, until one has it
/// again.
public struct ResultsSection<Key: _Persistable & Hashable, SectionElement: RealmCollectionValue> {
    let source: SectionSource<Key, SectionElement>

    /// What the elements have in common.
    public let key: Key

    init(_ source: SectionSource<Key, SectionElement>, _ key: Key) {
        self.source = source
        self.key = key
    }

    /// The realm of the elements.
    public var realm: Realm? { Realm(source.results.context) }

    /// Whether no element has the key any more.
    public var isInvalidated: Bool { source.results.here.isInvalidated || source.section(key) == nil }

    /// Whether the section is frozen: pinned to one version, and readable from every thread.
    public var isFrozen: Bool { source.results.context.isFrozen }
}

extension ResultsSection: Identifiable {
    /// The key.
    public var id: Key { key }
}

extension ResultsSection: RealmSectionedResult {
    public typealias Element = SectionElement

    /// The position of the first element, 0.
    public var startIndex: Int { 0 }

    /// The number of elements.
    public var endIndex: Int { count }

    /// The number of elements.
    public var count: Int { source.section(key)?.count ?? 0 }

    /// The element at a position of the section. Traps where there is none.
    public subscript(position: Int) -> SectionElement {
        let section = source.section(key)
        let count = section?.count ?? 0
        guard let section, position >= 0, position < count else {
            trapBounds(position, count, of: "The section '\(key)'")
        }
        return section.references.isEmpty
            ? section.values[position] : source.results.here.element(section.references[position])
    }

    /// Goes over the elements that are there now.
    public func makeIterator() -> Results<SectionElement>.Iterator {
        let section = source.section(key)
        let results = source.results.here
        let walk = results.binding.map { LiveWalk(results.context, $0, keys: section?.references ?? []) }
        return Results<SectionElement>.Iterator(walk: walk, values: section?.values ?? [])
    }

    /// Whether both are the section with one key of the same sectioned results.
    public static func == (left: ResultsSection, right: ResultsSection) -> Bool {
        left.source === right.source && left.key == right.key
    }
}

extension ResultsSection {
    /// What copies of the section share, for its description.
    var identity: AnyObject { source }
}
