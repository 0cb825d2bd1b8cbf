/// Which elements stand in which section: what all copies of one `SectionedResults`, and their sections, share.
///
/// Grouped at the first need and again once the realm has changed, since the function of the key may look at anything. Costs
/// one sort and one call of that function for each element. Of frozen results at once, so that no other thread calls the function.
final class SectionSource<Key: _Persistable & Hashable, Element: RealmCollectionValue> {
    let results: ResultsSource
    private let keyOfElement: (Element) -> Key
    private var sections: [Section] = []
    private var positions: [SectionKey<Key>: Int] = [:]
    /// The change count at which `sections` were grouped.
    private var groupedAt: UInt64?

    /// The elements with one key, in the order of the results.
    struct Section {
        let key: Key
        /// Where the elements are objects, their keys.
        fileprivate(set) var references: [ResultsOrigin.Reference] = []
        /// Where they are values, these.
        fileprivate(set) var values: [Element] = []

        var count: Int { references.count + values.count }
    }

    /// Traps for a key that is an object or a collection.
    init(_ results: ResultsSource, _ keyOfElement: @escaping (Element) -> Key) {
        let column = Key._column
        guard column.type != .link, column.collection == nil else {
            misuse(
                "Results cannot be sectioned by a \(Key.self); take a value as the key, such as a property of the object"
            )
        }
        self.results = results
        self.keyOfElement = keyOfElement
        if results.context.isFrozen { group() }
    }

    /// The same sections of the same results, frozen.
    func frozen() -> SectionSource {
        results.context.isFrozen ? self : of(results.frozen())
    }

    /// The same sections of the same results, live; nil where the object is gone that they belong to.
    func thawed() -> SectionSource? {
        results.context.isFrozen ? results.thawed().map(of) : self
    }

    /// Other results, sectioned by the same function.
    func of(_ results: ResultsSource) -> SectionSource { SectionSource(results, keyOfElement) }

    /// The sections now, in the order of their first elements.
    func current() -> [Section] {
        if results.context.isFrozen { return sections }
        results.context.checkConfinement()
        results.context.synchronizePlain()
        let changeCount = results.context.generation &+ results.context.connection.changeCount
        if groupedAt != changeCount {
            sections = []
            positions = [:]
            group()
            groupedAt = changeCount
        }
        return sections
    }

    /// The position of the section with a key; nil where no element has it.
    func position(of key: Key) -> Int? {
        _ = current()
        return positions[SectionKey(key: key)]
    }

    /// The section with a key; nil where no element has it.
    func section(_ key: Key) -> Section? {
        position(of: key).map { sections[$0] }
    }

    private func group() {
        if results.binding == nil {
            for value in results.values() as [Element] {
                let position = positionForElement(with: keyOfElement(value))
                sections[position].values.append(value)
            }
        } else {
            for reference in results.allKeys() {
                let position = positionForElement(with: keyOfElement(results.element(reference)))
                sections[position].references.append(reference)
            }
        }
    }

    private func positionForElement(with key: Key) -> Int {
        if let position = positions[SectionKey(key: key)] { return position }
        if let value = key as? AnyRealmValue, value.storedScalar == nil {
            misuse("Results cannot be sectioned by an object, a list or a map; take a value as the key")
        }
        positions[SectionKey(key: key)] = sections.count
        sections.append(Section(key: key))
        return sections.count - 1
    }
}

/// A key by which a section is found: NaN, which does not equal itself, is one key.
struct SectionKey<Key: Hashable>: Hashable {
    let key: Key

    private var isItself: Bool { key == key }

    static func == (left: SectionKey, right: SectionKey) -> Bool {
        left.key == right.key || !(left.isItself || right.isItself)
    }

    func hash(into hasher: inout Hasher) {
        if isItself { key.hash(into: &hasher) }
    }
}
