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

    @Test(arguments: MatrixRow.scalars) func `a type is stored in every place, and read again as it was`(
        _ row: MatrixRow
    )
        throws
    {
        #expect(try row.check() == [])
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
    let check: @Sendable () throws -> [String]

    init<Value: MatrixValue>(_ type: Value.Type) {
        testDescription = "\(type)"
        check = {
            let directory = try TemporaryRealm()
            let configuration = directory.configuration([TypeMatrixTests.Places<Value>.self])
            try onAnotherThread {
                let unmanaged = TypeMatrixTests.Places<Value>()
                unmanaged.fill()
                #expect(unmanaged.faults() == [], "unmanaged")
                let realm = try Realm(configuration: configuration)
                let managed = TypeMatrixTests.Places<Value>()
                // Not every type has a default.
                managed.property = Value.samples[1]
                try realm.write {
                    realm.add(unmanaged)
                    realm.add(managed)
                    managed.fill()
                    #expect(managed.faults() == [], "in a write")
                }
                #expect(unmanaged.faults() == [], "added")
                #expect(managed.faults() == [], "managed")
            }
            let reopened = try Realm(configuration: configuration).objects(TypeMatrixTests.Places<Value>.self)
            return reopened.flatMap { $0.faults() } + (reopened.count == 2 ? [] : ["objects"])
        }
    }

    static let scalars = [
        MatrixRow(Bool.self), MatrixRow(Int.self), MatrixRow(Int8.self), MatrixRow(Int16.self), MatrixRow(Int32.self),
        MatrixRow(Int64.self), MatrixRow(Float.self), MatrixRow(Double.self), MatrixRow(String.self),
        MatrixRow(Data.self), MatrixRow(Date.self), MatrixRow(Decimal128.self), MatrixRow(ObjectId.self),
        MatrixRow(UUID.self), MatrixRow(MatrixEnum.self), MatrixRow(MatrixProjection.self),
        MatrixRow(MatrixCodable.self),
    ]
}

enum MatrixEnum: String, PersistableEnum { case first, second }

struct MatrixProjection: CustomPersistable, Hashable {
    var text: String
    typealias PersistedType = String
    init(persistedValue: String) { text = persistedValue }
    var persistableValue: String { text }
}

enum MatrixCodable: PersistableCodable {
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
extension MatrixEnum: MatrixValue {
    static var samples: [MatrixEnum] { [.second, .first] }
    var inAny: AnyRealmValue? { nil }
}
extension MatrixProjection: MatrixValue {
    static var samples: [MatrixProjection] { [.init(persistedValue: "a"), .init(persistedValue: "")] }
    var inAny: AnyRealmValue? { nil }
}
extension MatrixCodable: MatrixValue {
    static var samples: [MatrixCodable] {
        [.named(name: "Ann", age: nil), .dated(Date(timeIntervalSinceReferenceDate: 0.25)), .bare]
    }
    var inAny: AnyRealmValue? { nil }
}
