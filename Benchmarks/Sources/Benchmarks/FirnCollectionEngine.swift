import Firn
import Foundation

final class ListedGroup: Object {
    @Persisted(primaryKey: true) var id: Int
    @Persisted var number: Int
    @Persisted(originProperty: "group") var objects: LinkingObjects<ListedObject>
}

final class ListedObject: Object {
    @Persisted(primaryKey: true) var id: Int
    @Persisted var number: Int
    @Persisted var group: ListedGroup?
}

/// The one object whose properties are the collections.
final class Holder: Object {
    @Persisted var numbers: List<Int>
    @Persisted var edited: List<Int>
    @Persisted var links: List<ListedObject>
    @Persisted var map: Map<String, Int>
    @Persisted var set: MutableSet<Int>
}

/// Firn through its public API.
final class FirnCollectionEngine: CollectionEngine {
    private let realm: Realm
    private let holder: Holder
    /// What the next list links to.
    private var linked: [ListedObject] = []

    init(path: String) throws {
        realm = try Realm(
            configuration: .init(
                fileURL: URL(fileURLWithPath: path),
                objectTypes: [ListedGroup.self, ListedObject.self, Holder.self]))
        holder = Holder()
        try realm.write { realm.add(holder) }
    }

    func addObjects(_ count: Int, groups: Int) throws {
        try realm.write {
            let groups = (0..<groups).map { ListedGroup(value: ["id": $0, "number": $0]) }
            for id in 0..<count {
                let object = ListedObject()
                object.id = id
                object.number = id
                object.group = groups[id % groups.count]
                realm.add(object)
            }
        }
    }

    func sumObjects() throws -> Int {
        var sum = 0
        for object in realm.objects(ListedObject.self) { sum += object.number }
        return sum
    }

    func appendNumbers(_ count: Int) throws {
        try realm.write {
            let numbers = holder.numbers
            for number in 0..<count { numbers.append(number) }
        }
    }

    func appendNumbersAtOnce(_ count: Int) throws {
        try realm.write { holder.numbers.append(objectsIn: 0..<count) }
    }

    func sumNumbers() throws -> Int {
        var sum = 0
        for number in holder.numbers { sum += number }
        return sum
    }

    func sumNumbers(at positions: [Int]) throws -> Int {
        let numbers = holder.numbers
        var sum = 0
        for position in positions { sum += numbers[position] }
        return sum
    }

    func prepareLinks() throws {
        linked = Array(realm.objects(ListedObject.self))
    }

    func forgetLinks() {
        linked = []
    }

    func appendLinks(_ count: Int) throws {
        try realm.write {
            let links = holder.links
            for object in linked { links.append(object) }
        }
    }

    func appendLinksAtOnce(_ count: Int) throws {
        try realm.write { holder.links.append(objectsIn: linked) }
    }

    func sumLinks() throws -> Int {
        var sum = 0
        for object in holder.links { sum += object.number }
        return sum
    }

    func prepareEdits(_ dataset: CollectionDataset) throws {
        try realm.write { holder.edited.append(objectsIn: 0..<dataset.count) }
    }

    func insert(_ dataset: CollectionDataset) throws {
        try realm.write {
            let edited = holder.edited
            for position in dataset.editPositions { edited.insert(position, at: position) }
        }
    }

    func remove(_ dataset: CollectionDataset) throws {
        try realm.write {
            let edited = holder.edited
            for position in dataset.editPositions { edited.remove(at: position) }
        }
    }

    func move(_ dataset: CollectionDataset) throws {
        try realm.write {
            let edited = holder.edited
            var previous = 0
            for position in dataset.editPositions {
                edited.move(from: previous, to: position)
                previous = position / 2
            }
        }
    }

    func fillMap(_ dataset: CollectionDataset) throws {
        try realm.write {
            let map = holder.map
            for (index, key) in dataset.mapKeys.enumerated() { map[key] = index }
        }
    }

    func sumMap(_ dataset: CollectionDataset) throws -> Int {
        let map = holder.map
        var sum = 0
        for key in dataset.mapKeys { sum += map[key] ?? 0 }
        return sum
    }

    func fillSet(_ dataset: CollectionDataset) throws {
        try realm.write {
            let set = holder.set
            for member in dataset.members { set.insert(member) }
        }
    }

    func countMembers(_ dataset: CollectionDataset) throws -> Int {
        let set = holder.set
        var count = 0
        for member in dataset.members where set.contains(member) { count += 1 }
        return count
    }

    func sumGroupsOfObjects() throws -> Int {
        var sum = 0
        for object in realm.objects(ListedObject.self) { sum += object.group?.number ?? 0 }
        return sum
    }

    func sumObjectsOfGroups() throws -> Int {
        var sum = 0
        for group in realm.objects(ListedGroup.self) {
            for object in group.objects { sum += object.number }
        }
        return sum
    }
}
