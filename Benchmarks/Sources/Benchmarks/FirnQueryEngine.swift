import Firn
import Foundation

/// The object that queries are about.
final class QueryItem: Object {
    @Persisted(primaryKey: true) var id: Int
    @Persisted(indexed: true) var code: String
    @Persisted(indexed: true) var objectID: ObjectId
    @Persisted(indexed: true) var uuid: UUID
    @Persisted(indexed: true) var age: Int
    @Persisted var score: Double
    @Persisted var active: Bool
    @Persisted var name: String
}

/// Firn through its public API; each question is asked of new results.
final class FirnQueryEngine: QueryEngine {
    let realm: Realm
    private let wanted: [WantedItem]
    /// For each wanted item one predicate.
    private let wantedPredicates: [QueryKey: [ObjectPredicate<QueryItem>]]
    /// For each age one predicate.
    private let agePredicates: [ObjectPredicate<QueryItem>]
    private let isActive: ObjectPredicate<QueryItem>

    /// What text asks for.
    private struct WantedItem {
        let code: String
        let objectID: ObjectId
        let uuid: UUID
    }

    init(path: String, _ dataset: QueryDataset) throws {
        realm = try Realm(configuration: .init(fileURL: URL(fileURLWithPath: path), objectTypes: [QueryItem.self]))
        let wanted = try dataset.wanted.map { row in
            WantedItem(code: row.code, objectID: try Self.objectID(row), uuid: row.uuid)
        }
        self.wanted = wanted
        wantedPredicates = [
            .code: try wanted.map { try ObjectPredicate("code == %@", $0.code) },
            .objectID: try wanted.map { try ObjectPredicate("objectID == %@", $0.objectID) },
            .uuid: try wanted.map { try ObjectPredicate("uuid == %@", $0.uuid) },
        ]
        agePredicates = try (0..<QueryDataset.ageCount).map { try ObjectPredicate("age == %@", $0) }
        isActive = try ObjectPredicate("active == true")
        try dataset.forEachBatch(insert)
        prepare()
    }

    /// Checks the predicates against the realm, as SQLite's statements are prepared beforehand. Reads no object.
    private func prepare() {
        for predicate in wantedPredicates.values.joined() + agePredicates + [isActive] { _ = items.filter(predicate) }
    }

    private func insert(_ rows: [QueryRow]) throws {
        try realm.write {
            for row in rows {
                let item = QueryItem()
                item.id = row.id
                item.code = row.code
                item.objectID = try Self.objectID(row)
                item.uuid = row.uuid
                item.age = row.age
                item.score = row.score
                item.active = row.active
                item.name = row.name
                realm.add(item)
            }
        }
    }

    private static func objectID(_ row: QueryRow) throws -> ObjectId {
        try ObjectId(string: row.objectID.map { String(format: "%02x", $0) }.joined())
    }

    private var items: Results<QueryItem> { realm.objects(QueryItem.self) }

    func sumScores(by key: QueryKey) throws -> Double {
        let predicates = wantedPredicates[key] ?? []
        var sum = 0.0
        for _ in 0..<QueryDataset.lookUpRepeats {
            for predicate in predicates { sum += items.filter(predicate).first?.score ?? 0 }
        }
        return sum
    }

    func sumScoresFromText(by key: QueryKey) throws -> Double {
        switch key {
        case .code: sumScores("code == %@", \.code)
        case .objectID: sumScores("objectID == %@", \.objectID)
        case .uuid: sumScores("uuid == %@", \.uuid)
        }
    }

    private func sumScores(_ text: String, _ value: (WantedItem) -> Any) -> Double {
        var sum = 0.0
        for _ in 0..<QueryDataset.lookUpRepeats {
            for item in wanted { sum += items.filter(text, value(item)).first?.score ?? 0 }
        }
        return sum
    }

    func countAges() throws -> Int {
        var sum = 0
        for _ in 0..<QueryDataset.ageRepeats {
            for (age, predicate) in agePredicates.enumerated() {
                realm.refresh()
                sum += items.filter(predicate).count * age
            }
        }
        return sum
    }

    func sumScoresByAge() throws -> Double {
        var sum = 0.0
        for (age, predicate) in agePredicates.enumerated() {
            realm.refresh()
            var scores = 0.0
            for item in items.filter(predicate) { scores += item.score }
            sum += scores * Double(age)
        }
        return sum
    }

    func countActive(scoreAbove bound: Double) throws -> Int {
        items.filter(try ObjectPredicate("score > %@ AND active == true", bound)).count
    }

    func count(nameContaining part: String) throws -> Int {
        items.filter(try ObjectPredicate("name CONTAINS %@", part)).count
    }

    func sumScores() throws -> Double { items.sum(ofProperty: "score") }

    func agesByScore(first limit: Int) throws -> [Int] {
        ages(of: items.sorted(byKeyPath: "score").limit(limit))
    }

    func activeAgesByCode(first limit: Int) throws -> [Int] {
        ages(of: items.filter(isActive).sorted(byKeyPath: "code").limit(limit))
    }

    private func ages(of items: Results<QueryItem>) -> [Int] {
        var ages: [Int] = []
        for item in items { ages.append(item.age) }
        return ages
    }
}
