import Firn
import Foundation
import Testing

@Suite struct AggregateTests {
    final class Reading: Object {
        @Persisted(primaryKey: true) var id: Int
        @Persisted var count: Int?
        @Persisted var small: Int8
        @Persisted var ratio = 0.0
        @Persisted var weight: Float
        @Persisted var price: Decimal128
        @Persisted var taken: Date
        @Persisted var name = ""
        @Persisted var site: Site?
    }

    final class Site: Object {
        @Persisted var height = 0
    }

    private let directory: TemporaryRealm
    private let realm: Realm

    init() throws {
        directory = try TemporaryRealm()
        realm = try directory.open(Reading.self, Site.self)
        try realm.write {
            for id in 1...4 {
                let reading = Reading(value: ["id": id, "small": 100, "taken": Date(timeIntervalSince1970: Double(id))])
                reading.count = id == 4 ? nil : id * 10
                reading.ratio = id == 4 ? .nan : Double(id) / 2
                reading.weight = id == 4 ? .nan : Float(id)
                reading.price = Decimal128(value: id) / 10
                if id > 2 { reading.site = Site(value: ["height": id]) }
                realm.add(reading)
            }
        }
    }

    private var readings: Results<Reading> { realm.objects(Reading.self) }

    @Test func `nil and NaN are skipped`() {
        #expect(readings.min(of: \.count) == 10)
        #expect(readings.max(of: \.count) == 30)
        #expect(readings.sum(of: \.count) == 60)
        #expect(readings.average(of: \.count) == 20.0)
        #expect(readings.min(of: \.ratio) == 0.5)
        #expect(readings.max(of: \.ratio) == 1.5)
        #expect(readings.sum(of: \.ratio) == 3)
        #expect(readings.average(of: \.weight) == 2.0)
        #expect(readings.max(of: \.weight) == 3)
        #expect(readings.sum(of: \.weight) == 6)
    }

    @Test func `decimals and dates have their own results`() throws {
        #expect(readings.sum(of: \.price) == 1)
        #expect(readings.average(of: \.price) == (try Decimal128(string: "0.25")))
        #expect(readings.max(of: \.price) == (try Decimal128(string: "0.4")))
        #expect(readings.min(of: \.taken) == Date(timeIntervalSince1970: 1))
        #expect(readings.max(of: \.taken) == Date(timeIntervalSince1970: 4))
    }

    @Test func `nothing has a sum of zero and no other result`() {
        let none = readings.filter("id > 100")
        #expect(none.sum(of: \.small) == 0)
        #expect(none.sum(of: \.price) == 0)
        #expect(none.min(of: \.taken) == nil)
        #expect(none.max(ofProperty: "ratio") as Double? == nil)
        #expect(none.average(ofProperty: "count") as Double? == nil)
    }

    @Test func `the caller chooses the type of a result, and a narrow sum wraps around`() throws {
        #expect(readings.sum(ofProperty: "small") as Int == 400)
        #expect(readings.sum(of: \.small) == Int8(truncatingIfNeeded: 400))
        #expect(readings.average(ofProperty: "count") as Int? == 20)
        #expect(readings.max(ofProperty: "count") as Double? == 30)
        try realm.write { readings[0].count = .max }
        #expect(readings.sum(of: \.count) == Int.max &+ 50)
    }

    @Test func `a path through links leads to what is aggregated`() {
        #expect(readings.sum(ofProperty: "site.height") as Int == 7)
        #expect(readings.min(ofProperty: "site.height") as Int? == 3)
    }

    @Test func `aggregates follow filters and changes`() throws {
        let some = readings.filter("id < 3")
        #expect(some.sum(of: \.count) == 30)
        try realm.write { readings[0].count = 100 }
        #expect(some.sum(of: \.count) == 120)
    }
}
