import Firn
import Foundation
import Testing

/// What the types can hold and programs rarely try, wherever values stand.
@Suite struct ExtremeValueTests {
    class Thing: Object {
        @Persisted var double: Double
        @Persisted var float: Float?
        @Persisted var date: Date
        @Persisted var string: String
        @Persisted var data: Data
        @Persisted var doubles: List<Double>
        @Persisted var strings: Map<String, String>
        @Persisted var datas: List<Data>
        @Persisted var doubleSet: MutableSet<Double>
        @Persisted var any: AnyRealmValue
    }

    private static let limit = 16_777_216
    private let directory: TemporaryRealm
    private let realm: Realm
    private let thing: Thing

    init() throws {
        directory = try TemporaryRealm()
        let realm = try directory.open(Thing.self)
        self.realm = realm
        thing = try realm.write { realm.create(Thing.self) }
    }

    @Test func `numbers keep their bits`() throws {
        let numbers = [Double.nan, .infinity, -.infinity, -0.0, .leastNonzeroMagnitude, .greatestFiniteMagnitude]
        for number in numbers {
            try realm.write {
                thing.double = number
                thing.float = Float(number)
                thing.any = .double(number)
                thing.doubles.removeAll()
                thing.doubles.append(number)
                thing.doubleSet.insert(number)
            }
            #expect(thing.double.bitPattern == number.bitPattern)
            #expect(thing.float?.bitPattern == Float(number).bitPattern)
            #expect(thing.any.doubleValue?.bitPattern == number.bitPattern)
            #expect(thing.doubles.first?.bitPattern == number.bitPattern)
            #expect(thing.doubleSet.contains(number))
        }
        #expect(thing.doubleSet.count == numbers.count)
        try realm.write { thing.doubleSet.insert(.nan) }
        #expect(thing.doubleSet.count == numbers.count)
    }

    @Test func `dates out of range are the nearest that can be stored, and NaN is 1970`() throws {
        for (date, stored) in [
            (Date(timeIntervalSinceReferenceDate: .nan), Date(timeIntervalSince1970: 0)),
            (Date(timeIntervalSinceReferenceDate: .infinity), Date(timeIntervalSinceReferenceDate: 9e18)),
            (Date(timeIntervalSinceReferenceDate: -1e300), Date(timeIntervalSinceReferenceDate: -9e18)),
            (.distantFuture, .distantFuture), (.distantPast, .distantPast),
        ] {
            try realm.write {
                thing.date = date
                thing.any = .date(date)
            }
            #expect(thing.date == stored)
            #expect(thing.any.dateValue == stored)
        }
    }

    @Test func `empty values and zero bytes are values like others`() throws {
        for text in ["", "\0", "a\0b", "\u{1F9CA}"] {
            try realm.write {
                thing.string = text
                thing.strings[text] = text
                thing.any = .string(text)
                thing.data = Data(text.utf8)
                thing.datas.append(Data(text.utf8))
            }
            #expect(thing.string == text)
            #expect(thing.strings[text] == text)
            #expect(thing.any == .string(text))
            #expect(thing.data == Data(text.utf8))
            #expect(thing.datas.last == Data(text.utf8))
        }
        #expect(thing.strings.count == 4)
    }

    @Test func `a value may have sixteen mebibytes, and one byte more is refused`() throws {
        let text = String(repeating: "a", count: Self.limit)
        let data = Data(repeating: 7, count: Self.limit)
        try realm.write {
            thing.string = text
            thing.datas.append(data)
            thing.any = .data(data)
        }
        #expect(thing.string.utf8.count == Self.limit)
        #expect(thing.datas.first == data)
        #expect(thing.any == .data(data))
        let refused: [(Thing) -> Void] = [
            { $0.string = text + "a" }, { $0.any = .string(text + "a") }, { $0.any = .data(data + [1]) },
            { $0.datas.append(data + [1]) }, { $0.strings["a"] = text + "a" },
            { $0.any = .fromArray([.data(data + [1])]) },
        ]
        for change in refused {
            expectError(.invalidInput) { try realm.write { change(thing) } }
        }
        #expect(thing.datas.count == 1)
        #expect(thing.strings.isEmpty)
    }
}
