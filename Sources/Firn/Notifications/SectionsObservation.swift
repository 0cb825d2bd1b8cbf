import Dispatch
import FirnStore
import Foundation

/// Follows sectioned results from version to version.
final class SectionsTracker<Key: _Persistable & Hashable, Element: RealmCollectionValue> {
    typealias Source = SectionSource<Key, Element>

    private let paths: ObservedPaths?
    /// The sections at the version that was told of last. Nil once the object is gone that the elements belong to.
    private(set) var source: Source?

    /// Begins with frozen sections.
    init(_ source: Source, _ paths: ObservedPaths?) {
        self.source = source
        self.paths = paths
    }

    /// Goes on to a newer version, nil where the object is gone that the elements belong to; what has changed.
    func advance(to newer: Source?) -> SectionChanges<Key> {
        let old = source?.current() ?? []
        let older = source?.results.here
        source = newer
        guard let older else { return SectionChanges() }
        let new = newer?.current() ?? []
        var modified = ModifiedKeys()
        var made: [ClosedRange<ObjectKey>] = []
        if let newer = newer?.results, let paths {
            let all = newer.context.changes(since: older.context)
            modified = paths.modified(by: all, in: newer.context.connection, old: older.context.connection)
            made = newer.made(all)
        }
        let sections = ElementChanges(
            from: old.map { SectionKey(key: $0.key) }, to: new.map { SectionKey(key: $0.key) },
            isModified: { _ in false })
        var changes = SectionChanges(sections, keys: (old.map(\.key), new.map(\.key)))
        let gone = Set(sections.deletions)
        let born = Set(sections.insertions)
        let stayed = zip(old.indices.filter { !gone.contains($0) }, new.indices.filter { !born.contains($0) })
        for (oldPosition, newPosition) in stayed {
            let elements =
                older.binding == nil
                ? ElementChanges(from: old[oldPosition].values, to: new[newPosition].values, isModified: { _ in false })
                : ElementChanges(
                    from: old[oldPosition].references, to: new[newPosition].references, made: made,
                    isModified: modified.contains)
            if elements.isEmpty { continue }
            changes.elements.append((old[oldPosition].key, oldPosition, newPosition, elements))
        }
        return changes
    }
}

/// What has changed in sectioned results.
struct SectionChanges<Key: Hashable> {
    /// The sections that are gone and new.
    var sections: ElementChanges
    /// What has changed in those that are neither.
    var elements: [(key: Key, old: Int, new: Int, changes: ElementChanges)] = []
    /// The keys of all sections, before and after.
    let keys: (old: [Key], new: [Key])

    init(_ sections: ElementChanges = ElementChanges(), keys: (old: [Key], new: [Key]) = ([], [])) {
        self.sections = sections
        self.keys = keys
    }

    var isEmpty: Bool { sections.isEmpty && elements.isEmpty }

    /// What has changed in one section, whether it came or went included.
    func only(_ key: Key) -> SectionChanges {
        var only = SectionChanges(keys: keys)
        only.sections.deletions = sections.deletions.filter { keys.old[$0] == key }
        only.sections.insertions = sections.insertions.filter { keys.new[$0] == key }
        only.elements = elements.filter { $0.key == key }
        return only
    }

    /// As a block is told.
    func change<Observed>(of observed: Observed) -> SectionedResultsChange<Observed> {
        func paths(_ positions: (ElementChanges) -> [Int], _ section: ((old: Int, new: Int)) -> Int) -> [IndexPath] {
            elements.flatMap { element in
                positions(element.changes).map { IndexPath(item: $0, section: section((element.old, element.new))) }
            }
        }
        return .update(
            observed, deletions: paths(\.deletions) { $0.old }, insertions: paths(\.insertions) { $0.new },
            modifications: paths(\.modifications) { $0.old }, sectionsToInsert: IndexSet(sections.insertions),
            sectionsToDelete: IndexSet(sections.deletions))
    }
}

/// An observer of sectioned results, or of one of their sections.
final class SectionsObservation<Key: _Persistable & Hashable, Element: RealmCollectionValue, Observed>: Observation,
    @unchecked Sendable
{
    private var source: SectionSource<Key, Element>
    private let place: _HandedOver
    /// What the observer is shown of the sections.
    private let observed: (SectionSource<Key, Element>) -> Observed
    private let paths: ObservedPaths?
    /// The only section that is observed; nil for all.
    private let key: Key?
    private let block: (SectionedResultsChange<Observed>) -> Void
    private var tracker: SectionsTracker<Key, Element>?

    init(
        _ source: SectionSource<Key, Element>, _ paths: ObservedPaths?, only key: Key?,
        _ observed: @escaping (SectionSource<Key, Element>) -> Observed,
        _ block: @escaping (SectionedResultsChange<Observed>) -> Void
    ) {
        self.observed = observed
        self.source = source
        place = Results<Element>(source.results)._handedOver
        self.paths = paths
        self.key = key
        self.block = block
        super.init(source.results.context)
    }

    private func frozen() -> SectionSource<Key, Element>? {
        source.results.frozenIfThere().map(source.of)
    }

    override func begin() {
        guard let frozen = frozen() else { return }
        tracker = SectionsTracker(frozen, paths)
        block(.initial(observed(source)))
    }

    override func update() {
        guard let changes = advance().map({ key.map($0.only) ?? $0 }), !changes.isEmpty else { return }
        block(changes.change(of: observed(source)))
    }

    override func pass() { _ = advance() }

    override func knows(_ version: UInt64) -> Bool {
        tracker?.source?.results.context.connection.version == version
    }

    override var isAttached: Bool { source.results.origin.isAttached }

    override func renew() {
        guard let renewed = Results<Element>._resolve(place, in: Realm(context)) else { return }
        source = source.of(renewed.source)
    }

    override func letGo() { tracker = nil }

    private func advance() -> SectionChanges<Key>? {
        guard let tracker, !knows(context.connection.version) else { return nil }
        return tracker.advance(to: frozen())
    }
}

extension SectionedResults {
    /// Tells of each change of the sections from now on: which sections and which elements came, went and were modified, in one call
    /// a commit. All else is as for results: see `RealmCollection.observe(keyPaths:on:_:)`; the elements are sectioned anew for each
    /// call.
    public func observe(
        keyPaths: [String]? = nil, on queue: DispatchQueue? = nil,
        _ block: @escaping (SectionedResultsChange<SectionedResults>) -> Void
    ) -> NotificationToken {
        source.observing(keyPaths, on: queue, only: nil, block) { SectionedResults($0) }
    }

    /// Tells of each change of the sections from now on: see `observe(keyPaths:on:_:)`.
    public func observe(
        keyPaths: [PartialKeyPath<SectionElement>], on queue: DispatchQueue? = nil,
        _ block: @escaping (SectionedResultsChange<SectionedResults>) -> Void
    ) -> NotificationToken where SectionElement: ObjectBase {
        observe(keyPaths: keyPaths.map(\.observedName), on: queue, block)
    }
}

extension ResultsSection {
    /// Tells of each change of the section from now on, and of its coming and going. Positions are those in all sections: see
    /// `SectionedResults.observe(keyPaths:on:_:)`.
    public func observe(
        keyPaths: [String]? = nil, on queue: DispatchQueue? = nil,
        _ block: @escaping (SectionedResultsChange<ResultsSection>) -> Void
    ) -> NotificationToken {
        source.observing(keyPaths, on: queue, only: key, block) { [key] in ResultsSection($0, key) }
    }

    /// Tells of each change of the section from now on: see `observe(keyPaths:on:_:)`.
    public func observe(
        keyPaths: [PartialKeyPath<SectionElement>], on queue: DispatchQueue? = nil,
        _ block: @escaping (SectionedResultsChange<ResultsSection>) -> Void
    ) -> NotificationToken where SectionElement: ObjectBase {
        observe(keyPaths: keyPaths.map(\.observedName), on: queue, block)
    }
}

extension SectionSource {
    fileprivate func observing<Observed>(
        _ keyPaths: [String]?, on queue: DispatchQueue?, only key: Key?,
        _ block: @escaping (SectionedResultsChange<Observed>) -> Void,
        _ observed: @escaping (SectionSource) -> Observed
    ) -> NotificationToken {
        // The results go to the queue, and are sectioned there by the same function.
        Results<Element>(results).observing(
            on: queue,
            begin: { [self] results in
                let source = of(results.source)
                let context = source.results.context
                context.checkIsObservable("A SectionedResults")
                let paths = source.results.observedPaths(keyPaths)
                return context.enter(SectionsObservation(source, paths, only: key, observed, block))
            },
            failure: { misuse("Sections could not be observed on a queue, where their file cannot be opened: \($0)") })
    }
}
