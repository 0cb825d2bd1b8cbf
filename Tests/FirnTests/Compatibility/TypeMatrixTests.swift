import Firn
import Foundation
import TestSupport
import Testing

/// Each type that is stored, in each place that holds values, unmanaged, managed and read from a file opened again.
///
/// The table of docs/realm-compatibility.md is what this test prints; the test fails where they differ.
@Suite struct TypeMatrixTests {
    /// A class with `Value` in every place.
    final class Places<Value: MatrixValue>: Object {
        @Persisted var property: Value
        @Persisted var optional: Value?
        @Persisted var list: List<Value>
        @Persisted var optionalList: List<Value?>
        @Persisted var set: MutableSet<Value>
        @Persisted var optionalSet: MutableSet<Value?>
        @Persisted var map: Map<String, Value>
        @Persisted var optionalMap: Map<String, Value?>
        @Persisted var any: AnyRealmValue

        override class func className() -> String { "Places of \(Value.self)" }
        override class func shouldIncludeInDefaultSchema() -> Bool { false }

        func fill() {
            let values = Value.samples
            property = values[0]
            optional = values[1]
            list.append(objectsIn: values)
            optionalList.append(objectsIn: [values[0], nil])
            set.insert(objectsIn: values + values)
            optionalSet.insert(objectsIn: [values[0], nil, nil])
            for (index, value) in values.enumerated() { map["key \(index)"] = value }
            optionalMap["value"] = .some(values[0])
            optionalMap.updateValue(nil, forKey: "nil")
            if let wrapped = values[0].inAny { any = wrapped }
        }

        /// The places that do not hold what `fill` put there.
        func faults() -> [String] {
            let values = Value.samples
            var faults: [String] = []
            func check(_ place: String, _ isRight: Bool) {
                if !isRight { faults.append(place) }
            }
            check("property", property == values[0])
            check("optional", optional == values[1])
            check("list", Array(list) == values)
            check("list of optionals", Array(optionalList) == [values[0], nil])
            check("set", set.count == values.count && Set(set) == Set(values) && values.allSatisfy { set.contains($0) })
            check("set of optionals", optionalSet.count == 2 && Set(optionalSet) == [values[0], nil])
            check("map", values.indices.allSatisfy { map["key \($0)"] == values[$0] } && map.count == values.count)
            check("map of optionals", optionalMap["value"] == .some(.some(values[0])))
            check("map of optionals", optionalMap["nil"] == .some(.none) && optionalMap.count == 2)
            if let wrapped = values[0].inAny { check("AnyRealmValue", any == wrapped) }
            return faults
        }
    }

    /// A class with objects in every place that takes some.
    final class ObjectPlaces: Object {
        @Persisted var name = ""
        @Persisted var link: ObjectPlaces?
        @Persisted var list: List<ObjectPlaces>
        @Persisted var set: MutableSet<ObjectPlaces>
        @Persisted var map: Map<String, ObjectPlaces?>
        @Persisted var any: AnyRealmValue

        func fill() {
            let other = ObjectPlaces(value: ["name": "other"])
            link = other
            list.append(objectsIn: [other, other])
            set.insert(objectsIn: [other, other])
            map["value"] = other
            map.updateValue(nil, forKey: "nil")
            any = .object(other)
        }

        func faults() -> [String] {
            var faults: [String] = []
            if link?.name != "other" { faults.append("optional") }
            if list.map(\.name) != ["other", "other"] { faults.append("list") }
            if set.map(\.name) != ["other"] { faults.append("set") }
            if map["value"]??.name != "other" || map.count != 2 || map["nil"] != .some(.none) { faults.append("map") }
            if any.object(ObjectPlaces.self)?.name != "other" { faults.append("AnyRealmValue") }
            return faults
        }
    }

    final class Embedded: EmbeddedObject {
        @Persisted var name = ""
    }

    /// A class with embedded objects in every place that takes some.
    final class EmbeddedPlaces: Object {
        @Persisted var embedded: Embedded?
        @Persisted var list: List<Embedded>
        @Persisted var map: Map<String, Embedded?>

        func fill() {
            embedded = Embedded(value: ["a"])
            list.append(objectsIn: [Embedded(value: ["b"]), Embedded(value: ["c"])])
            map["value"] = Embedded(value: ["d"])
            map.updateValue(nil, forKey: "nil")
        }

        func faults() -> [String] {
            var faults: [String] = []
            if embedded?.name != "a" { faults.append("optional") }
            if list.map(\.name) != ["b", "c"] { faults.append("list") }
            if map["value"]??.name != "d" || map.count != 2 || map["nil"] != .some(.none) { faults.append("map") }
            return faults
        }
    }

    /// A class with values of any type in every place that takes some.
    final class AnyPlaces: Object {
        @Persisted var property: AnyRealmValue
        @Persisted var list: List<AnyRealmValue>
        @Persisted var set: MutableSet<AnyRealmValue>
        @Persisted var map: Map<String, AnyRealmValue>
        @Persisted var nested: AnyRealmValue

        private static var samples: [AnyRealmValue] {
            [.none, .int(1), .string("a"), .data(Data([1])), .bool(false)]
        }

        func fill() {
            property = Self.samples[1]
            list.append(objectsIn: Self.samples)
            set.insert(objectsIn: Self.samples + Self.samples)
            for (index, value) in Self.samples.enumerated() { map["key \(index)"] = value }
            let inner = Map<String, AnyRealmValue>()
            inner["list"] = .list(List(Self.samples))
            nested = .list(List([.dictionary(inner), .none]))
        }

        func faults() -> [String] {
            var faults: [String] = []
            if property != Self.samples[1] { faults.append("property") }
            if Array(list) != Self.samples { faults.append("list") }
            if Set(set) != Set(Self.samples) || set.count != Self.samples.count { faults.append("set") }
            if !Self.samples.indices.allSatisfy({ map["key \($0)"] == Self.samples[$0] }) { faults.append("map") }
            let inner = nested.listValue?.first?.dictionaryValue?["list"]?.listValue
            if inner.map(Array.init) != Self.samples { faults.append("AnyRealmValue") }
            return faults
        }
    }

    @Test(arguments: MatrixRow.all) func `a type is stored in every place, and read again as it was`(
        _ row: MatrixRow
    )
        throws
    {
        #expect(try row.check() == [])
    }

    @Test func `the table that users read is the one that is tested`() throws {
        let table = (MatrixRow.head + MatrixRow.all.map(\.line)).joined(separator: "\n")
        let page = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
            .appendingPathComponent("../../../docs/realm-compatibility.md").standardized
        let text = try String(contentsOf: page, encoding: .utf8)
        #expect(text.contains(table), "docs/realm-compatibility.md must hold:\n\(table)")
    }
}

/// A type of the matrix, with values to store.
protocol MatrixValue: SendableMetatype, _Persistable, _OptionalPersistable, RealmCollectionValue {
    /// Two or more different values, the more unusual the better.
    static var samples: [Self] { get }
    /// The value in an AnyRealmValue; nil where that has no case for the type.
    var inAny: AnyRealmValue? { get }
}

/// One row of the matrix.
struct MatrixRow: CustomTestStringConvertible, Sendable {
    let testDescription: String
    /// What stands in the table: property, optional, list, set, map, AnyRealmValue.
    let cells: [String]
    /// The places that do not hold what was put there, unmanaged, managed and read from a file opened again.
    let check: @Sendable () throws -> [String]

    var line: String { "| \(testDescription) | \(cells.joined(separator: " | ")) |" }

    static let head = [
        "| type | property | optional | List | MutableSet | Map | AnyRealmValue |", "|---|---|---|---|---|---|---|",
    ]

    private init<Model: MatrixModel>(
        _ name: String, _ model: Model.Type, _ cells: [String], others: [ObjectBase.Type] = []
    ) {
        testDescription = name
        self.cells = cells
        check = {
            let directory = try TemporaryRealm()
            let configuration = directory.configuration([Model.self] + others)
            try onAnotherThread {
                let unmanaged = Model()
                unmanaged.fill()
                #expect(unmanaged.faults() == [], "unmanaged")
                let realm = try Realm(configuration: configuration)
                let managed = Model()
                managed.prepare()
                try realm.write {
                    realm.add(unmanaged)
                    realm.add(managed)
                    managed.fill()
                    #expect(managed.faults() == [], "in a write")
                }
                #expect(unmanaged.faults() == [], "added")
                #expect(managed.faults() == [], "managed")
            }
            let reopened = try Realm(configuration: configuration).objects(Model.self)
            let filled = reopened.filter { !$0.isTarget }
            return filled.flatMap { $0.faults() } + (filled.count == 2 ? [] : ["objects"])
        }
    }

    private init<Value: MatrixValue>(_ type: Value.Type) {
        let inAny = Value.samples[0].inAny == nil ? "no" : "yes"
        self.init(
            "\(type)", TypeMatrixTests.Places<Value>.self,
            ["yes", "yes", "yes, also of optionals", "yes, also of optionals", "yes, also of optionals", inAny])
    }

    static let all = [
        MatrixRow(Bool.self), MatrixRow(Int.self), MatrixRow(Int8.self), MatrixRow(Int16.self), MatrixRow(Int32.self),
        MatrixRow(Int64.self), MatrixRow(Float.self), MatrixRow(Double.self), MatrixRow(String.self),
        MatrixRow(Data.self), MatrixRow(Date.self), MatrixRow(Decimal128.self), MatrixRow(ObjectId.self),
        MatrixRow(UUID.self), MatrixRow(PersistableEnumSample.self), MatrixRow(CustomPersistableSample.self),
        MatrixRow(PersistableCodableSample.self),
        MatrixRow(
            "Object", TypeMatrixTests.ObjectPlaces.self, ["no", "yes", "yes", "yes", "yes, of optionals", "yes"]),
        MatrixRow(
            "EmbeddedObject", TypeMatrixTests.EmbeddedPlaces.self,
            ["no", "yes", "yes", "no", "yes, of optionals", "no"], others: [TypeMatrixTests.Embedded.self]),
        MatrixRow(
            "AnyRealmValue", TypeMatrixTests.AnyPlaces.self,
            ["yes", "no", "yes", "yes", "yes", "in lists and maps"]),
    ]
}

/// A class of the matrix.
protocol MatrixModel: Object {
    /// Puts a value in every place.
    func fill()
    /// The places that do not hold what `fill` put there.
    func faults() -> [String]
    /// Sets what an object needs to be added.
    func prepare()
    /// Whether the object is only what others link to.
    var isTarget: Bool { get }
}

extension MatrixModel {
    func prepare() {}
    var isTarget: Bool { false }
}

extension TypeMatrixTests.Places: MatrixModel {
    // Not every type has a default.
    func prepare() { property = Value.samples[1] }
}
extension TypeMatrixTests.ObjectPlaces: MatrixModel {
    var isTarget: Bool { name == "other" }
}
extension TypeMatrixTests.EmbeddedPlaces: MatrixModel {}
extension TypeMatrixTests.AnyPlaces: MatrixModel {}

enum PersistableEnumSample: String, PersistableEnum { case first, second }

struct CustomPersistableSample: CustomPersistable, Hashable {
    var text: String
    typealias PersistedType = String
    init(persistedValue: String) { text = persistedValue }
    var persistableValue: String { text }
}

enum PersistableCodableSample: PersistableCodable {
    case named(name: String, age: Int?)
    case dated(Date)
    case bare
}

extension Bool: MatrixValue {
    static var samples: [Bool] { [true, false] }
    var inAny: AnyRealmValue? { .bool(self) }
}
extension Int: MatrixValue {
    static var samples: [Int] { [.min, -1, 0, 1, .max] }
    var inAny: AnyRealmValue? { .int(self) }
}
extension Int8: MatrixValue {
    static var samples: [Int8] { [.min, 0, .max] }
    var inAny: AnyRealmValue? { .int(Int(self)) }
}
extension Int16: MatrixValue {
    static var samples: [Int16] { [.min, 0, .max] }
    var inAny: AnyRealmValue? { .int(Int(self)) }
}
extension Int32: MatrixValue {
    static var samples: [Int32] { [.min, 0, .max] }
    var inAny: AnyRealmValue? { .int(Int(self)) }
}
extension Int64: MatrixValue {
    static var samples: [Int64] { [.min, 0, .max] }
    var inAny: AnyRealmValue? { .int(Int(self)) }
}
extension Float: MatrixValue {
    static var samples: [Float] { [1.5, -.infinity, .leastNonzeroMagnitude] }
    var inAny: AnyRealmValue? { .float(self) }
}
extension Double: MatrixValue {
    static var samples: [Double] { [0.1, .infinity, -.greatestFiniteMagnitude] }
    var inAny: AnyRealmValue? { .double(self) }
}
extension String: MatrixValue {
    static var samples: [String] { ["", "a\0b", "naïve 🐕‍🦺", String(repeating: "long ", count: 1000)] }
    var inAny: AnyRealmValue? { .string(self) }
}
extension Data: MatrixValue {
    static var samples: [Data] { [Data(), Data([0, 255]), Data(repeating: 7, count: 5000)] }
    var inAny: AnyRealmValue? { .data(self) }
}
extension Date: MatrixValue {
    static var samples: [Date] { [Date(timeIntervalSince1970: -1.5), Date(timeIntervalSinceReferenceDate: 1e9)] }
    var inAny: AnyRealmValue? { .date(self) }
}
extension Decimal128: MatrixValue {
    static var samples: [Decimal128] { [1.5, -1_234_567_890_123_456_789, 0] }
    var inAny: AnyRealmValue? { .decimal128(self) }
}
extension ObjectId: MatrixValue {
    static let samples = [ObjectId.generate(), ObjectId()]
    var inAny: AnyRealmValue? { .objectId(self) }
}
extension UUID: MatrixValue {
    static let samples = [UUID(), UUID(uuid: (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0))]
    var inAny: AnyRealmValue? { .uuid(self) }
}
extension PersistableEnumSample: MatrixValue {
    static var samples: [PersistableEnumSample] { [.second, .first] }
    var inAny: AnyRealmValue? { nil }
}
extension CustomPersistableSample: MatrixValue {
    static var samples: [CustomPersistableSample] { [.init(persistedValue: "a"), .init(persistedValue: "")] }
    var inAny: AnyRealmValue? { nil }
}
extension PersistableCodableSample: MatrixValue {
    static var samples: [PersistableCodableSample] {
        [.named(name: "Ann", age: nil), .dated(Date(timeIntervalSinceReferenceDate: 0.25)), .bare]
    }
    var inAny: AnyRealmValue? { nil }
}
