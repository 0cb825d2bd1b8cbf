import Firn
import Foundation
import TestSupport
import Testing

@Suite struct ResultsTests {
    final class City: Object {
        @Persisted(primaryKey: true) var id: Int
        @Persisted var name = ""
        @Persisted(indexed: true) var code: UUID
        @Persisted var size: Int?
        @Persisted var weight = 0.0
        @Persisted var land: Land?
    }

    final class Land: Object {
        @Persisted var name = ""
        @Persisted(indexed: true) var iso: ObjectId

        override class func propertiesMapping() -> [String: String] { ["iso": "iso_code"] }
    }

    private let directory: TemporaryRealm
    private let realm: Realm

    init() throws {
        directory = try TemporaryRealm()
        realm = try directory.open(City.self, Land.self)
        try realm.write {
            let lands = ["Iceland", "Norway"].map { Land(value: ["name": $0]) }
            for (index, name) in ["Oslo", "Reykjavík", "Bergen", "Akureyri", "Atlantis"].enumerated() {
                let city = City(value: ["id": index + 1, "name": name, "size": index == 4 ? nil : 10 * (index % 2)])
                city.land = index == 4 ? nil : lands[(index + 1) % 2]
                realm.add(city)
            }
        }
    }

    private var cities: Results<City> { realm.objects(City.self) }

    @Test func `results are a live collection`() throws {
        let cities = cities
        #expect(cities.count == 5)
        #expect(!cities.isEmpty)
        #expect(cities[0].name == "Oslo")
        #expect(cities[4].name == "Atlantis")
        #expect(cities.first?.name == "Oslo")
        #expect(cities.last?.name == "Atlantis")
        #expect(Array(cities.dropFirst(3)).map(\.name) == ["Akureyri", "Atlantis"])
        #expect(cities.index(of: cities[2]) == 2)
        #expect(cities.index(of: City()) == nil)
        try realm.write { realm.add(City(value: ["id": 0, "name": "Zero"])) }
        #expect(cities.count == 6)
        #expect(cities[0].name == "Zero")
        #expect(cities == cities)
        #expect(cities == self.cities)
        let named = cities.filter("name != ''")
        #expect(named == named)
        #expect(named != cities.filter("name != ''"))
    }

    @Test func `sorting puts nil first, a missing link last, and keeps the order of ties`() {
        #expect(cities.sorted(byKeyPath: "size").map(\.id) == [5, 1, 3, 2, 4])
        #expect(cities.sorted(byKeyPath: "size", ascending: false).map(\.id) == [2, 4, 1, 3, 5])
        #expect(cities.sorted("id", ascending: false).map(\.id) == [5, 4, 3, 2, 1])
        #expect(cities.sorted(byKeyPath: "land.name").map(\.id) == [2, 4, 1, 3, 5])
        #expect(cities.sorted(by: \.name).map(\.id) == [4, 5, 3, 1, 2])
        #expect(cities.sorted(by: \.land?.name).map(\.id) == [2, 4, 1, 3, 5])
        #expect(
            cities.sorted(by: ["size", SortDescriptor(keyPath: "name", ascending: false)]).map(\.id) == [5, 1, 3, 2, 4])
        #expect(cities.sorted(byKeyPath: "name").sorted(byKeyPath: "size").map(\.id) == [5, 3, 1, 4, 2])
    }

    @Test func `a sorted result follows changes of what it is sorted by`() throws {
        let sorted = cities.sorted(byKeyPath: "land.name").sorted(byKeyPath: "weight")
        #expect(sorted.map(\.id) == [2, 4, 1, 3, 5])
        let iceland = try #require(realm.objects(Land.self).filter("name == 'Iceland'").first)
        try realm.write {
            iceland.name = "Øland"
            #expect(sorted.map(\.id) == [1, 3, 2, 4, 5])
            cities[4].weight = -1
            #expect(sorted.map(\.id) == [5, 1, 3, 2, 4])
        }
    }

    @Test func `predicate text filters by any comparison with a constant`() throws {
        #expect(cities.filter("id == %@", 3).first?.name == "Bergen")
        #expect(cities.filter("size == nil").map(\.id) == [5])
        #expect(cities.filter("size > %d AND name BEGINSWITH[c] %@", 5, "rEY").map(\.id) == [2])
        #expect(cities.filter("id > 1").filter("id < 4").sorted(byKeyPath: "name").map(\.id) == [3, 2])
        let code = cities[1].code
        #expect(cities.filter("code == %@", code).map(\.id) == [2])
        let iceland = try #require(realm.objects(Land.self).filter("name == 'Iceland'").first)
        #expect(cities.filter("land == %@", iceland).map(\.id) == [2, 4])
        #expect(cities.filter("land == %@", Land()).isEmpty)
        #expect(realm.objects(Land.self).filter("iso == %@", iceland.iso).count == 1)
        #expect(realm.objects(Land.self).filter("iso_code == %@", iceland.iso).count == 1)
        #expect(cities.filter(NSPredicate(format: "name CONTAINS %@", "y")).map(\.id) == [2, 4])
        #expect(cities.filter(NSPredicate(format: "id == %@", argumentArray: [1])).map(\.id) == [1])
        #expect(cities.filter(NSPredicate(value: false)).isEmpty)
        let both = NSCompoundPredicate(
            andPredicateWithSubpredicates: [NSPredicate(format: "id > 1"), NSPredicate(format: "id < 3")])
        #expect(cities.filter(both).map(\.id) == [2])
    }

    @Test func `filtered results are live`() throws {
        let small = cities.filter("size < 10")
        #expect(small.map(\.id) == [1, 3])
        try realm.write {
            cities[0].size = 11
            #expect(small.map(\.id) == [3])
            realm.delete(cities[2])
            #expect(small.isEmpty)
            realm.add(City(value: ["id": 9, "size": 1]))
        }
        #expect(small.map(\.id) == [9])
        #expect(small.first?.id == 9)
        #expect(small.last?.id == 9)
    }

    @Test func `a loop in a write goes over the objects from its start, deleted ones invalidated`() throws {
        var seen: [Int] = []
        try realm.write {
            for (index, city) in cities.enumerated() {
                if city.isInvalidated {
                    seen.append(-1)
                    continue
                }
                seen.append(city.id)
                if index == 0 { realm.delete(cities[2]) }
                realm.add(City(value: ["id": 100 + index]))
            }
        }
        #expect(seen == [1, 2, -1, 4, 5])
        #expect(cities.count == 8)
    }

    @Test func `a loop outside a write keeps its objects when a write begins or the realm moves`() throws {
        var seen: [Int] = []
        for city in cities {
            seen.append(city.id)
            try realm.write { realm.add(City(value: ["id": city.id + 100])) }
        }
        #expect(seen == [1, 2, 3, 4, 5])
        #expect(cities.count == 10)
        seen = []
        for city in cities {
            seen.append(city.id)
            if city.id == 5 {
                try onAnotherThread { [configuration = realm.configuration] in
                    let other = try Realm(configuration: configuration)
                    try other.write { other.delete(other.objects(City.self).filter("id == 101")) }
                }
                realm.refresh()
            }
            if city.id == 5 { break }
        }
        #expect(seen == [1, 2, 3, 4, 5])
        #expect(cities.count == 9)
    }

    @Test func `changing every object by index in a write takes one gathering of keys`() throws {
        try realm.write {
            let results = cities.sorted(byKeyPath: "name")
            for index in 0..<results.count { results[index].weight = Double(index) }
        }
        #expect(cities.sorted(byKeyPath: "weight").map(\.name) == cities.sorted(byKeyPath: "name").map(\.name))
    }

    @Test func `distinct keeps the first of those that are alike, in the order that there is`() throws {
        #expect(cities.distinct(by: ["size"]).map(\.id) == [1, 2, 5])
        #expect(cities.sorted(byKeyPath: "id", ascending: false).distinct(by: [\.size]).map(\.id) == [5, 4, 3])
        #expect(cities.distinct(by: ["size"]).sorted(byKeyPath: "id", ascending: false).map(\.id) == [5, 2, 1])
        #expect(cities.distinct(by: ["land.name"]).map(\.id) == [1, 2])
        #expect(cities.distinct(by: ["land"]).map(\.id) == [1, 2])
        #expect(cities.distinct(by: ["size", "land.name"]).map(\.id) == [1, 2])
        #expect(cities.distinct().count == 5)
        #expect(cities.distinct(by: [String]()) != self.cities)
        let names = cities.distinct(by: ["name"])
        #expect(names.count == 5)
        #expect(names.first?.id == 1)
        try realm.write { cities[1].name = "Oslo" }
        #expect(names.map(\.id) == [1, 3, 4, 5])
        #expect(!names.isEmpty)
        #expect(names.filter("id > 2").map(\.id) == [3, 4, 5])
    }

    @Test func `positions are found by predicate, in the order of the results`() {
        let byName = cities.sorted(byKeyPath: "name")
        #expect(byName.index(matching: "id > %d", 2) == 0)
        #expect(byName.index(matching: NSPredicate(format: "name == 'Oslo'")) == 3)
        #expect(byName.index(matching: "id == 77") == nil)
        #expect(cities.filter("id > 2").index(matching: "name BEGINSWITH 'A'") == 1)
        #expect(byName.index(of: cities[0]) == 3)
        #expect(cities.index(of: City()) == nil)
    }

    @Test func `any collection hides what it was made from`() throws {
        let any = AnyRealmCollection(cities.sorted(byKeyPath: "name"))
        #expect(any.map(\.id) == [4, 5, 3, 1, 2])
        #expect(any.count == 5)
        #expect(any[1].id == 5)
        #expect(any.first?.id == 4)
        #expect(any.filter("id < 3").map(\.id) == [1, 2])
        #expect(any.sum(of: \.id) == 15)
        #expect(any.index(of: cities[0]) == 3)
        #expect(any.realm == realm)
        #expect(any == AnyRealmCollection(any))
        #expect(any != AnyRealmCollection(cities))
        #expect(any.description.hasPrefix("Results<City> <0x"))
        let reference = ThreadSafeReference(to: any)
        #expect(realm.resolve(reference)?.map(\.id) == [4, 5, 3, 1, 2])
    }

    @Test func `many objects are walked leaf by leaf`() throws {
        try realm.write {
            realm.deleteAll()
            for id in 0..<5000 { realm.add(City(value: ["id": id, "name": "\(id)"])) }
        }
        #expect(cities.map(\.id) == Array(0..<5000))
        #expect(cities.reduce(0) { $0 + $1.id } == 12_497_500)
    }
}
