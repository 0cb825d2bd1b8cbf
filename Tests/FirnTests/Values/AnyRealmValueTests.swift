import Firn
import Foundation
import Testing

@Suite struct AnyRealmValueTests {
    class Dog: Object {
        @Persisted(primaryKey: true) var id: Int
        @Persisted(indexed: true) var companion: AnyRealmValue
        @Persisted var toys: List<AnyRealmValue>
        @Persisted var notes: Map<String, AnyRealmValue>
        @Persisted var tags: MutableSet<AnyRealmValue>
    }

    private let directory: TemporaryRealm
    private let realm: Realm

    private let scalars: [AnyRealmValue] = [
        .none, .int(.min), .int(1), .bool(true), .float(1.5), .double(-0.0), .double(.infinity), .string(""),
        .string("a\0b"), .data(Data()), .data(Data(repeating: 7, count: 5000)),
        .date(Date(timeIntervalSince1970: 1_700_000_000.125)), .objectId(ObjectId("0102030405060708090a0b0c")),
        .decimal128(Decimal128(15)), .uuid(UUID(uuid: (1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16))),
        .string(String(repeating: "é", count: 3000)),
    ]

    init() throws {
        directory = try TemporaryRealm()
        realm = try directory.open(Dog.self)
    }

    private func addDog(_ id: Int) throws -> Dog {
        try realm.write { realm.create(Dog.self, value: ["id": id]) }
    }

    @Test func `a value comes back as the case it was`() throws {
        for (id, value) in scalars.enumerated() {
            let dog = Dog(value: ["id": id, "companion": value])
            dog.toys.append(value)
            dog.notes["a"] = value
            try realm.write { realm.add(dog) }
            #expect(dog.companion == value)
            #expect(Array(dog.toys) == [value])
            #expect(dog.notes["a"] == value)
            try realm.write {
                dog.companion = .none
                dog.companion = value
                dog.tags.insert(value)
            }
            #expect(dog.companion == value)
            #expect(Array(dog.tags) == [value])
        }
    }

    @Test func `accessors answer for their own case only`() {
        #expect(AnyRealmValue() == .none)
        #expect(AnyRealmValue.int(1).intValue == 1)
        #expect(AnyRealmValue.int(1).doubleValue == nil)
        #expect(AnyRealmValue.bool(true).boolValue == true)
        #expect(AnyRealmValue.bool(true).intValue == nil)
        #expect(AnyRealmValue.float(1).floatValue == 1)
        #expect(AnyRealmValue.double(1).doubleValue == 1)
        #expect(AnyRealmValue.string("a").stringValue == "a")
        #expect(AnyRealmValue.data(Data([1])).dataValue == Data([1]))
        #expect(AnyRealmValue.date(Date(timeIntervalSince1970: 1)).dateValue == Date(timeIntervalSince1970: 1))
        #expect(AnyRealmValue.decimal128(1).decimal128Value == 1)
        let dog = Dog()
        #expect(AnyRealmValue.object(dog).object(Dog.self) === dog)
        #expect(AnyRealmValue.fromArray([.int(1)]).listValue?.count == 1)
        #expect(AnyRealmValue.fromDictionary(["a": .int(1)]).dictionaryValue?["a"] == .int(1))
    }

    @Test func `cases of one number are different values`() throws {
        #expect(AnyRealmValue.int(1) != .double(1))
        #expect(AnyRealmValue.float(1) != .double(1))
        let dog = try addDog(1)
        try realm.write {
            dog.companion = .int(1)
            dog.companion = .double(1)
        }
        #expect(dog.companion == .double(1))
        try realm.write { dog.tags.insert(objectsIn: [.int(1), .double(1), .bool(true)]) }
        #expect(dog.tags.count == 2)
    }

    @Test func `lists and maps within each other are live`() throws {
        let dog = Dog(value: ["id": 1, "companion": ["a": [1, "b", ["c": nil]]]])
        try realm.write { realm.add(dog) }
        let map = try #require(dog.companion.dictionaryValue)
        let list = try #require(map["a"]?.listValue)
        #expect(list[0] == .int(1))
        #expect(list[1] == .string("b"))
        #expect(list[2].dictionaryValue?["c"] == AnyRealmValue.none)
        try realm.write {
            list.append(.fromArray([.int(7)]))
            list[3].listValue?.append(.int(8))
        }
        let inner = try #require(dog.companion.dictionaryValue?["a"]?.listValue?[3].listValue)
        #expect(Array(inner) == [.int(7), .int(8)])
        try realm.write { dog.companion = .int(5) }
        #expect(list.isInvalidated)
        #expect(inner.isInvalidated)
    }

    @Test func `nesting goes a hundred levels deep and no further`() throws {
        func nested(_ levels: Int) -> AnyRealmValue { (0..<levels).reduce(.int(1)) { value, _ in .fromArray([value]) } }
        let dog = try addDog(1)
        try realm.write { dog.companion = nested(100) }
        var value = dog.companion
        for _ in 0..<100 { value = try #require(value.listValue?.first) }
        #expect(value == .int(1))
        expectError(.invalidInput) { try realm.write { dog.companion = nested(101) } }
        expectError(.invalidInput) { try realm.write { realm.add(Dog(value: ["id": 2, "companion": nested(101)])) } }
    }

    @Test func `links are added, come back, and become none when their object goes`() throws {
        let friend = Dog(value: ["id": 2])
        let dog = Dog(value: ["id": 1])
        dog.companion = .object(friend)
        dog.toys.append(.fromArray([.object(friend)]))
        friend.companion = .object(dog)
        try realm.write { realm.add(dog) }
        #expect(dog.companion.object(Dog.self) == friend)
        #expect(friend.companion.object(Dog.self) == dog)
        #expect(dog["companion"] as? Dog == friend)
        try realm.write { realm.delete(friend) }
        #expect(dog.companion == .none)
        #expect(dog.toys.first?.listValue?.first == AnyRealmValue.none)
    }

    @Test func `untyped values become the case that fits`() throws {
        let dog = try addDog(1)
        let cases: [(Any?, AnyRealmValue)] = [
            (nil, .none), (NSNull(), .none), (true, .bool(true)), (UInt8(3), .int(3)), (Float(1.5), .float(1.5)),
            (1.5, .double(1.5)), (NSNumber(value: 2), .int(2)), (NSNumber(value: 2.5), .double(2.5)),
            (NSNumber(value: true), .bool(true)), (Decimal(3), .decimal128(3)), ("a", .string("a")),
            (Data([1]), .data(Data([1]))), (AnyRealmValue.int(4), .int(4)),
        ]
        for (untyped, value) in cases {
            try realm.write { dog["companion"] = untyped }
            #expect(dog.companion == value, "\(String(describing: untyped))")
        }
        expectError(.invalidInput) { try realm.write { dog["companion"] = UInt.max } }
        expectError(.invalidInput) { try realm.write { dog["companion"] = Calendar(identifier: .gregorian) } }
    }

    @Test func `a value is encoded with its case and decoded as that`() throws {
        let values = scalars + [.fromArray([.int(1), .fromDictionary(["a": .none])])]
        let encoder = JSONEncoder()
        encoder.nonConformingFloatEncodingStrategy = .convertToString(
            positiveInfinity: "inf", negativeInfinity: "-inf", nan: "nan")
        let decoder = JSONDecoder()
        decoder.nonConformingFloatDecodingStrategy = .convertFromString(
            positiveInfinity: "inf", negativeInfinity: "-inf", nan: "nan")
        let decoded = try decoder.decode([AnyRealmValue].self, from: encoder.encode(values))
        #expect(decoded == values)
        #expect(String(decoding: try encoder.encode(AnyRealmValue.int(5)), as: UTF8.self) == #"{"int":5}"#)
        #expect(throws: EncodingError.self) { try encoder.encode(AnyRealmValue.object(Dog())) }
        #expect(throws: DecodingError.self) { try decoder.decode(AnyRealmValue.self, from: Data(#"{"a":5}"#.utf8)) }
    }
}
