import FirnQuery
import Foundation
import TestSupport
import Testing

@testable import Firn

/// Indexes over every type that has an order: what is found through them is what is found without.
@Suite struct IndexedTypesTests {
    enum Size: String, PersistableEnum, CaseIterable {
        case small, medium, large
    }

    struct Celsius: CustomPersistable, Equatable {
        typealias PersistedType = Double
        let degrees: Double
        init(persistedValue: Double) { degrees = persistedValue }
        var persistableValue: Double { degrees }
    }

    /// Each property twice, with an index and without.
    final class Sample: Object {
        @Persisted(indexed: true) var bool: Bool?
        @Persisted var plainBool: Bool?
        @Persisted(indexed: true) var int: Int
        @Persisted var plainInt: Int
        @Persisted(indexed: true) var float: Float
        @Persisted var plainFloat: Float
        @Persisted(indexed: true) var optionalFloat: Float?
        @Persisted var plainOptionalFloat: Float?
        @Persisted(indexed: true) var double: Double
        @Persisted var plainDouble: Double
        @Persisted(indexed: true) var optionalDouble: Double?
        @Persisted var plainOptionalDouble: Double?
        @Persisted(indexed: true) var decimal: Decimal128
        @Persisted var plainDecimal: Decimal128
        @Persisted(indexed: true) var optionalDecimal: Decimal128?
        @Persisted var plainOptionalDecimal: Decimal128?
        @Persisted(indexed: true) var date: Date
        @Persisted var plainDate: Date
        @Persisted(indexed: true) var optionalDate: Date?
        @Persisted var plainOptionalDate: Date?
        @Persisted(indexed: true) var string: String?
        @Persisted var plainString: String?
        @Persisted(indexed: true) var data: Data
        @Persisted var plainData: Data
        @Persisted(indexed: true) var optionalData: Data?
        @Persisted var plainOptionalData: Data?
        @Persisted(indexed: true) var size: Size
        @Persisted var plainSize: Size
        @Persisted(indexed: true) var optionalSize: Size?
        @Persisted var plainOptionalSize: Size?
        @Persisted(indexed: true) var celsius: Celsius
        @Persisted var plainCelsius: Celsius
        @Persisted(indexed: true) var objectId: ObjectId?
        @Persisted var plainObjectId: ObjectId?
        @Persisted(indexed: true) var uuid: UUID?
        @Persisted var plainUuid: UUID?
        @Persisted var extra: AnyRealmValue
        @Persisted var plainExtra: AnyRealmValue
        override class func indexedProperties() -> [String] { ["extra"] }
    }

    private let temporary: TemporaryRealm
    private let realm: Realm

    init() throws {
        temporary = try TemporaryRealm()
        realm = try temporary.open(Sample.self)
    }

    /// Gives a property and its plain twin each of the values, all in random order and twice, and asks for each value and all
    /// others in every way, with and without the index.
    private func check(_ name: String, _ values: [Any], hasOrder: Bool = true) throws {
        var random = SeededGenerator(seed: 5)
        let plain = "plain" + name.prefix(1).uppercased() + name.dropFirst()
        try realm.write {
            realm.deleteAll()
            for value in (values + values).shuffled(using: &random) {
                realm.add(Sample(value: [name: value, plain: value]))
            }
        }
        let samples = realm.objects(Sample.self)
        func compare(_ condition: String, _ arguments: [Any], uses isUsed: Bool = true) throws {
            let predicate = NSPredicate(format: "\(name) \(condition)", argumentArray: arguments)
            let twin = NSPredicate(format: "\(plain) \(condition)", argumentArray: arguments)
            let found = Array(samples.filter(predicate)).map(\.int)
            #expect(found == Array(samples.filter(twin)).map(\.int), "\(name) \(condition) \(arguments)")
            #expect(samples.filter(predicate).count == found.count)
            let plan = try explain(predicate)
            #expect(!isUsed || plan.hasPrefix("look up index \(name)") || plan == "nothing can match", "\(plan)")
        }
        for value in values {
            let isNumber = !isNotANumber(value)
            try compare("== %@", [value], uses: isNumber)
            try compare("IN {%@, %@}", [value, values[0]], uses: isNumber && !isNotANumber(values[0]))
            guard hasOrder, !(value is NSNull) else { continue }
            for operation in ["<", "<=", ">", ">="] { try compare("\(operation) %@", [value], uses: isNumber) }
            if !(value is String), !(value is Data) {
                for other in values where !(other is NSNull) && !isNotANumber(other) && isNumber {
                    try compare("BETWEEN {%@, %@}", [value, other])
                }
            }
        }
        expectIntact(realm)
    }

    private func isNotANumber(_ value: Any) -> Bool {
        switch value {
        case let value as Double: value.isNaN
        case let value as Float: value.isNaN
        case let value as Decimal128: value.isNaN
        default: false
        }
    }

    private func explain(_ predicate: NSPredicate) throws -> String {
        let condition = try #require(realm.objects(Sample.self).filter(predicate).source.query.condition)
        let context = realm.context
        let bound = try BoundPredicate(
            condition, table: context.binding(for: Sample.self).table, in: context.queryCatalog)
        return bound.explanation(in: context.connection)
    }

    private static let doubles: [Double] = [
        0, -0.0, 1, 1.5, -1, .infinity, -.infinity, .nan, .greatestFiniteMagnitude, .leastNonzeroMagnitude,
    ]
    private static let decimals: [Decimal128] = [
        0, "-0", 1, "1.0", "1.5", "-3.25", "1E+20", "Infinity", "-Infinity", "NaN",
    ]
    private static let days = [0, 1, -1, 86_400.5, -86_400.5, 4e9].map { Date(timeIntervalSince1970: $0) }
    private static let datas = ["", "a", "a\0", "ab", "b"].map { Data($0.utf8) }

    @Test func `numbers`() throws {
        try check("bool", [true, false, NSNull()], hasOrder: false)
        try check("int", [0, 1, -1, Int.max, Int.min])
        let floats = Self.doubles.map { Float($0.isFinite ? max(-1e30, min($0, 1e30)) : $0) }
        try check("float", floats)
        try check("optionalFloat", floats + [NSNull()] as [Any])
        try check("double", Self.doubles)
        try check("optionalDouble", Self.doubles + [NSNull()] as [Any])
    }

    @Test func `decimals`() throws {
        try check("decimal", Self.decimals)
        try check("optionalDecimal", Self.decimals + [NSNull()] as [Any])
    }

    @Test func `dates, texts and data`() throws {
        try check("date", Self.days)
        try check("optionalDate", Self.days + [NSNull()] as [Any])
        try check("string", ["", "a", "ä", String(repeating: "a", count: 2000), NSNull()])
        try check("data", Self.datas)
        try check("optionalData", Self.datas + [NSNull()] as [Any])
    }

    @Test func `ids, enums and types of one's own`() throws {
        try check("objectId", [ObjectId.generate(), ObjectId.generate(), NSNull()])
        try check("uuid", [UUID(), UUID(), NSNull()])
        try check("size", Size.allCases.map(\.rawValue))
        try check("optionalSize", Size.allCases.map(\.rawValue) + [NSNull()] as [Any])
        try check("celsius", Self.doubles)
    }

    @Test func `values of any type, among which 1 is 1.0`() throws {
        try check("extra", [1, 1.0, Decimal128(1), 1.5, -0.0, 0], hasOrder: true)
        try check(
            "extra", [true, 1, "1", Data([1]), Date(timeIntervalSince1970: 1), NSNull(), UUID()], hasOrder: false)
        #expect(realm.objects(Sample.self).filter("extra == 1").count == 2)
    }
}
