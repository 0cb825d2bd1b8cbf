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
        @Persisted var numbers: List<Int>
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

    /// Integers were added as doubles, one after the other: what came out near the ends of their range depended on the order,
    /// which is that of the plan.
    @Test func `sums and averages of integers near the ends of their range are the same in every order`() throws {
        let numbers: [Int] = [.max, 5, .min, 4, .max, .min, 1]
        let sum = numbers.reduce(0, &+)
        #expect(sum == 8)
        let average = 8.0 / 7
        try realm.write {
            realm.deleteAll()
            for (id, number) in numbers.enumerated() {
                let reading = Reading(
                    value: ["id": id, "count": number, "site": Site(value: ["height": number])] as [String: Any])
                reading.numbers.append(objectsIn: id.isMultiple(of: 2) ? numbers : numbers.reversed())
                realm.add(reading)
            }
        }
        func check(_ readings: Results<Reading>) {
            #expect(readings.sum(of: \.count) == sum)
            #expect(readings.average(ofProperty: "count") as Double? == average)
            #expect(readings.sum(ofProperty: "site.height") as Int == sum)
            #expect(readings.average(ofProperty: "site.height") as Double? == average)
        }
        func checkAll() {
            for some in [readings, readings.filter("id IN {6, 5, 4, 3, 2, 1, 0}"), readings.filter("id >= 0")] {
                check(some)
                for isAscending in [true, false] { check(some.sorted(byKeyPath: "count", ascending: isAscending)) }
            }
            for reading in readings {
                let plain = List<Int>()
                plain.append(objectsIn: reading.numbers)
                for all in [reading.numbers, plain] {
                    #expect(all.sum() == sum)
                    #expect(all.average() as Double? == average)
                }
            }
            #expect(readings.filter("numbers.@avg == %@ AND numbers.@sum == %@", average, sum).count == numbers.count)
        }
        checkAll()
        try realm.write { checkAll() }
    }

    @Test func `the average of integers is right where their sum wraps around`() throws {
        try realm.write {
            readings[0].count = .max
            readings[1].count = .max
            readings[2].count = nil
            readings[0].numbers.append(objectsIn: [.max, .max])
        }
        #expect(readings.sum(of: \.count) == -2)
        #expect(readings.average(ofProperty: "count") as Double? == Double(Int.max))
        #expect(readings[0].numbers.average() as Double? == Double(Int.max))
        #expect(readings.filter("numbers.@avg > 9e18 AND numbers.@sum == -2").count == 1)
    }
}
