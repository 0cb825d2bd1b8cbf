import Firn
import Foundation
import TestSupport
import Testing

/// One property of both holders, and what they have there.
protocol ModelPart: AnyObject {
    /// What the holders have, by their ids.
    var contents: [Any] { get set }
    func operate(
        _ holder: CollectionModelTests.Holder, _ id: Int, _ other: CollectionModelTests.Holder, _ realm: Realm,
        _ generator: inout SeededGenerator) throws
    func compare(_ holder: CollectionModelTests.Holder, _ id: Int) throws
    func forgetDog(_ id: Int)
}

final class ListPart<Model: Hashable, Element: RealmCollectionValue>: ModelPart {
    private let path: ReferenceWritableKeyPath<CollectionModelTests.Holder, List<Element>>
    private let kind: ElementKind<Model, Element>
    private var lists: [[Model]] = [[], []]

    init(
        _ path: ReferenceWritableKeyPath<CollectionModelTests.Holder, List<Element>>,
        _ kind: ElementKind<Model, Element>
    ) {
        self.path = path
        self.kind = kind
    }

    var contents: [Any] {
        get { lists }
        set { lists = newValue as? [[Model]] ?? lists }
    }

    func forgetDog(_ dog: Int) {
        lists = lists.map { list in
            list.compactMap { kind.goesWith($0, dog) ? nil : kind.withoutDog($0, dog) }
        }
    }

    func compare(_ holder: CollectionModelTests.Holder, _ id: Int) throws {
        try #require(holder[keyPath: path].map(kind.model) == lists[id], "\(path)")
    }

    func operate(
        _ holder: CollectionModelTests.Holder, _ id: Int, _ other: CollectionModelTests.Holder, _ realm: Realm,
        _ generator: inout SeededGenerator
    ) throws {
        let list = holder[keyPath: path]
        try #require(list.count == lists[id].count)
        switch Int.random(in: 0..<16, using: &generator) {
        case 0:
            let added = kind.some(&generator, realm)
            holder[keyPath: path] = List(added.map(\.element))
            lists[id] = added.map(\.model)
        case 1:
            holder[keyPath: path] = List(list.reversed())
            lists[id].reverse()
        case 2 where !kind.isOwned:
            list.append(objectsIn: other[keyPath: path])
            lists[id] += lists[1 - id]
        default: try kind.change(list, &lists[id], realm, &generator)
        }
    }
}

final class SetPart<Model: Hashable, Element: RealmCollectionValue>: ModelPart {
    private let path: ReferenceWritableKeyPath<CollectionModelTests.Holder, MutableSet<Element>>
    private let kind: ElementKind<Model, Element>
    private let order: ((Model, Model) -> Bool)?
    private var sets: [Set<Model>] = [[], []]

    init(
        _ path: ReferenceWritableKeyPath<CollectionModelTests.Holder, MutableSet<Element>>,
        _ kind: ElementKind<Model, Element>, order: ((Model, Model) -> Bool)?
    ) {
        self.path = path
        self.kind = kind
        self.order = order
    }

    var contents: [Any] {
        get { sets }
        set { sets = newValue as? [Set<Model>] ?? sets }
    }

    func forgetDog(_ dog: Int) {
        sets = sets.map { set in set.filter { !kind.goesWith($0, dog) } }
    }

    func compare(_ holder: CollectionModelTests.Holder, _ id: Int) throws {
        let found = holder[keyPath: path].map(kind.model)
        try #require(found.count == sets[id].count && Set(found) == sets[id], "\(path)")
        if let order { try #require(found == sets[id].sorted(by: order), "\(path)") }
    }

    func operate(
        _ holder: CollectionModelTests.Holder, _ id: Int, _ other: CollectionModelTests.Holder, _ realm: Realm,
        _ generator: inout SeededGenerator
    ) throws {
        let set = holder[keyPath: path]
        let otherSet = other[keyPath: path]
        var model = sets[id]
        let otherModel = sets[1 - id]
        defer { sets[id] = model }
        try #require(set.count == model.count)
        switch Int.random(in: 0..<10, using: &generator) {
        case 0, 1:
            let (added, element) = kind.random(&generator, realm)
            set.insert(element)
            model.insert(added)
        case 2:
            let added = kind.some(&generator, realm)
            set.insert(objectsIn: added.map(\.element))
            model.formUnion(added.map(\.model))
        case 3, 4:
            let (removed, element) = kind.random(&generator, realm)
            try #require(set.contains(element) == model.contains(removed))
            set.remove(element)
            model.remove(removed)
        case 5 where generator.chance(4):
            set.removeAll()
            model = []
        case 6:
            try #require(set.isSubset(of: otherSet) == model.isSubset(of: otherModel))
            try #require(set.intersects(otherSet) != model.isDisjoint(with: otherModel))
            set.formUnion(otherSet)
            model.formUnion(otherModel)
        case 7:
            set.formIntersection(otherSet)
            model.formIntersection(otherModel)
        case 8:
            set.subtract(otherSet)
            model.subtract(otherModel)
        default:
            let added = kind.some(&generator, realm)
            holder[keyPath: path] = MutableSet(added.map(\.element))
            model = Set(added.map(\.model))
        }
    }
}

final class MapPart<Model: Hashable, Value: RealmCollectionValue>: ModelPart {
    private let path: ReferenceWritableKeyPath<CollectionModelTests.Holder, Map<String, Value>>
    private let kind: ElementKind<Model, Value>
    private var maps: [[String: Model]] = [[:], [:]]

    init(
        _ path: ReferenceWritableKeyPath<CollectionModelTests.Holder, Map<String, Value>>,
        _ kind: ElementKind<Model, Value>
    ) {
        self.path = path
        self.kind = kind
    }

    var contents: [Any] {
        get { maps }
        set { maps = newValue as? [[String: Model]] ?? maps }
    }

    func forgetDog(_ dog: Int) {
        maps = maps.map { map in map.mapValues { kind.withoutDog($0, dog) } }
    }

    func compare(_ holder: CollectionModelTests.Holder, _ id: Int) throws {
        let entries = holder[keyPath: path].map { ($0.key, kind.model($0.value)) }
        try #require(entries.count == maps[id].count, "\(path)")
        for (key, value) in entries { try #require(maps[id][key] == value, "\(path)") }
        // Keys are in order as far as the store's keys hold them.
        let keys = entries.map { $0.0.utf8 }.filter { $0.count < 200 }
        try #require(zip(keys, keys.dropFirst()).allSatisfy { $0.lexicographicallyPrecedes($1) }, "\(path)")
    }

    func operate(
        _ holder: CollectionModelTests.Holder, _ id: Int, _ other: CollectionModelTests.Holder, _ realm: Realm,
        _ generator: inout SeededGenerator
    ) throws {
        let map = holder[keyPath: path]
        try #require(map.count == maps[id].count)
        guard generator.chance(8) else { return try kind.change(map, &maps[id], realm, &generator) }
        let replacement = Map<String, Value>()
        maps[id] = [:]
        for (model, value) in kind.some(&generator, realm) {
            let key = generator.key()
            replacement.updateValue(value, forKey: key)
            maps[id][key] = model
        }
        holder[keyPath: path] = replacement
    }
}

/// The property that holds one value of any type: its lists and maps change where they are, however deep.
final class ValuePart: ModelPart {
    private let dogs: DogNames
    private var values: [AnyModel] = [.scalar(.none), .scalar(.none)]

    init(_ dogs: DogNames) {
        self.dogs = dogs
    }

    var contents: [Any] {
        get { values }
        set { values = newValue as? [AnyModel] ?? values }
    }

    func forgetDog(_ dog: Int) {
        values = values.map { $0.without(dog) }
    }

    func compare(_ holder: CollectionModelTests.Holder, _ id: Int) throws {
        try #require(AnyModel(holder.any) == values[id])
    }

    func operate(
        _ holder: CollectionModelTests.Holder, _ id: Int, _ other: CollectionModelTests.Holder, _ realm: Realm,
        _ generator: inout SeededGenerator
    ) throws {
        switch Int.random(in: 0..<12, using: &generator) {
        case 0:
            holder.any = other.any
            values[id] = values[1 - id]
        case 1..<8 where values[id].isNested: try change(holder.any, &values[id], depth: 3, realm, &generator)
        default: (values[id], holder.any) = ElementKind.any(dogs, depth: 4).random(&generator, realm)
        }
    }

    /// Changes a list or a map, or one that is in it.
    private func change(
        _ value: AnyRealmValue, _ model: inout AnyModel, depth: Int, _ realm: Realm, _ generator: inout SeededGenerator
    ) throws {
        let kind = ElementKind.any(dogs, depth: depth)
        let goesDeeper = generator.chance(2)
        switch (value, model) {
        case (.list(let list), .list(var elements)):
            if goesDeeper,
                let index = elements.indices.filter({ elements[$0].isNested }).randomElement(using: &generator)
            {
                try change(list[index], &elements[index], depth: depth - 1, realm, &generator)
            } else {
                try kind.change(list, &elements, realm, &generator)
            }
            model = .list(elements)
        case (.dictionary(let map), .map(var values)):
            let keys = values.keys.sorted().filter { values[$0]?.isNested == true }
            if goesDeeper, let key = keys.randomElement(using: &generator), let inner = map[key],
                var innerModel = values[key]
            {
                try change(inner, &innerModel, depth: depth - 1, realm, &generator)
                values[key] = innerModel
            } else {
                try kind.change(map, &values, realm, &generator)
            }
            model = .map(values)
        default: Issue.record("\(value) is not \(model)")
        }
    }
}
