import Firn
import Foundation
import Testing

/// What an observer knows of something: nothing but what it is told.
class Replica {
    let name: String
    var failure: String?
    var calls = 0
    var token: NotificationToken?

    init(_ name: String) {
        self.name = name
    }

    /// Checks that what is known is what there is.
    final func check<Content: Equatable>(_ known: Content, _ actual: Content) throws {
        let failure = failure
        try #require(failure == nil, "\(name): \(failure ?? "")")
        let isKnown = known == actual
        try #require(isKnown, "\(name) was not told: \(known) is not \(actual)")
    }

    /// Notes the first call, and that there is no second one.
    final func noteInitial() {
        if calls != 1 { failure = "a second initial call" }
    }

    final func noteUpdate(isEmpty: Bool) {
        if calls == 1 { failure = "an update before the initial call" }
        if isEmpty { failure = "an empty update" }
    }
}

/// A copy of a collection with an order.
final class CollectionReplica: Replica {
    private(set) var texts: [String] = []

    /// `text` says of an element all that the observer looks at.
    func note<C: RealmCollection>(_ change: RealmCollectionChange<C>, _ text: (C.Element) -> String) {
        calls += 1
        switch change {
        case .initial(let collection):
            noteInitial()
            texts = collection.map(text)
        case .update(let collection, let deletions, let insertions, let modifications):
            noteUpdate(isEmpty: deletions.isEmpty && insertions.isEmpty && modifications.isEmpty)
            let actual = collection.isInvalidated ? [] : collection.map(text)
            apply(deletions, insertions, modifications, actual)
        case .error(let error): failure = "\(error)"
        }
    }

    private func apply(_ deletions: [Int], _ insertions: [Int], _ modifications: [Int], _ actual: [String]) {
        for positions in [deletions, insertions, modifications] where positions != positions.sorted() {
            failure = "positions that do not ascend: \(positions)"
        }
        // Each element that is known; nil must be read anew.
        var copy: [String?] = texts
        guard copy.apply(deletions, insertions, modifications) else {
            failure = "-\(deletions) +\(insertions) ~\(modifications) of \(texts.count)"
            return
        }
        if !copy.agrees(with: actual) {
            failure = "-\(deletions) +\(insertions) ~\(modifications): \(copy) is not \(actual)"
        }
        texts = actual
    }
}

/// A copy of a map.
final class MapReplica: Replica {
    private(set) var texts: [String: String] = [:]

    func note<Key, Value>(_ change: RealmMapChange<Map<Key, Value>>, _ texts: () -> [String: String])
    where Key: CustomStringConvertible {
        calls += 1
        switch change {
        case .initial:
            noteInitial()
            self.texts = texts()
        case .update(_, let deletions, let insertions, let modifications):
            noteUpdate(isEmpty: deletions.isEmpty && insertions.isEmpty && modifications.isEmpty)
            apply(
                deletions.map(\.description), insertions.map(\.description), modifications.map(\.description), texts())
        case .error(let error): failure = "\(error)"
        }
    }

    private func apply(
        _ deletions: [String], _ insertions: [String], _ modifications: [String], _ actual: [String: String]
    ) {
        var copy = texts
        for key in deletions + modifications where copy.removeValue(forKey: key) == nil {
            failure = "\(key) was not there"
        }
        for key in insertions + modifications {
            if copy[key] != nil { failure = "\(key) was there" }
            copy[key] = actual[key]
        }
        if copy != actual { failure = "-\(deletions) +\(insertions) ~\(modifications): \(copy) is not \(actual)" }
        texts = actual
    }
}

/// A copy of sectioned results.
final class SectionsReplica: Replica {
    struct Section: Equatable {
        var key: String
        var texts: [String]
    }

    private(set) var sections: [Section] = []

    func note<C>(_ change: SectionedResultsChange<C>, _ sections: () -> [Section]) {
        calls += 1
        switch change {
        case .initial:
            noteInitial()
            self.sections = sections()
        case .update(_, let deletions, let insertions, let modifications, let inserted, let deleted):
            noteUpdate(
                isEmpty: deletions.isEmpty && insertions.isEmpty && modifications.isEmpty && inserted.isEmpty
                    && deleted.isEmpty)
            apply(deletions, insertions, modifications, inserted, deleted, sections())
        }
    }

    private func apply(
        _ deletions: [IndexPath], _ insertions: [IndexPath], _ modifications: [IndexPath], _ inserted: IndexSet,
        _ deleted: IndexSet, _ actual: [Section]
    ) {
        defer { sections = actual }
        // Of a section that is new as a whole nothing is known.
        var copy: [(key: String, texts: [String?])?] = sections.map { ($0.key, $0.texts) }
        func positions(_ paths: [IndexPath], _ section: Int) -> [Int] {
            paths.filter { $0.section == section }.map(\.item)
        }
        for section in copy.indices {
            guard
                copy[section]?.texts.apply(positions(deletions, section), [], positions(modifications, section)) == true
            else {
                failure = "-\(deletions) ~\(modifications) in section \(section)"
                return
            }
        }
        for section in deleted.reversed() { copy.remove(at: section) }
        for section in inserted { copy.insert(nil, at: section) }
        guard copy.count == actual.count else {
            failure = "sections -\(Array(deleted)) +\(Array(inserted)): \(copy.count) and not \(actual.count)"
            return
        }
        for section in copy.indices where copy[section] != nil {
            _ = copy[section]?.texts.apply([], positions(insertions, section), [])
            guard let known = copy[section], known.key == actual[section].key,
                known.texts.agrees(with: actual[section].texts)
            else {
                failure = "-\(deletions) +\(insertions) ~\(modifications): section \(section) is not \(actual[section])"
                return
            }
        }
    }
}

/// A copy of an object's properties.
final class ObjectReplica: Replica {
    private(set) var texts: [String: String]
    private(set) var isDeleted = false

    init(_ name: String, _ texts: [String: String]) {
        self.texts = texts
        super.init(name)
    }

    func note<Observed>(_ change: ObjectChange<Observed>, _ text: (Any?) -> String) {
        calls += 1
        if isDeleted { failure = "a call after the deletion" }
        switch change {
        case .change(_, let properties):
            if properties.isEmpty { failure = "an empty change" }
            for property in properties where texts[property.name] != nil {
                if texts[property.name] != text(property.oldValue) {
                    failure = "\(property.name) was \(texts[property.name] ?? "") and not \(text(property.oldValue))"
                }
                texts[property.name] = text(property.newValue)
            }
        case .deleted: isDeleted = true
        case .error(let error): failure = "\(error)"
        }
    }
}

extension [String?] {
    /// Does what a change set says: positions as of before are taken out or no longer known, those of after are put in. False where
    /// they are not there.
    fileprivate mutating func apply(_ deletions: [Int], _ insertions: [Int], _ modifications: [Int]) -> Bool {
        guard Set(deletions).isDisjoint(with: modifications),
            (deletions + modifications).allSatisfy(indices.contains)
        else { return false }
        for position in modifications { self[position] = nil }
        for position in deletions.sorted().reversed() { remove(at: position) }
        for position in insertions.sorted() {
            guard position <= count else { return false }
            insert(nil, at: position)
        }
        return true
    }

    /// Whether all that is known is so.
    fileprivate func agrees(with actual: [String]) -> Bool {
        count == actual.count && zip(self, actual).allSatisfy { $0 == nil || $0 == $1 }
    }
}
