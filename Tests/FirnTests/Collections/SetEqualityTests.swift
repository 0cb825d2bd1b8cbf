import Firn
import Foundation
import Testing

/// What is one element in a set that no realm has is one in a realm's, and the other way round.
@Suite struct SetEqualityTests {
    final class Holder: Object {
        @Persisted var doubles: MutableSet<Double>
        @Persisted var floats: MutableSet<Float?>
        @Persisted var decimals: MutableSet<Decimal128>
        @Persisted var texts: MutableSet<String>
        @Persisted var dates: MutableSet<Date?>
        @Persisted var anything: MutableSet<AnyRealmValue>
        @Persisted var initials: MutableSet<Initial>
        @Persisted var codes: MutableSet<Code>
    }

    /// All that begins alike is equal in Swift; what is stored is the whole.
    struct Initial: CustomPersistable {
        let text: String
        init(persistedValue: String) { text = persistedValue }
        var persistableValue: String { text }
        static func == (left: Initial, right: Initial) -> Bool { left.text.first == right.text.first }
        func hash(into hasher: inout Hasher) { hasher.combine(text.first) }
    }

    struct Code: PersistableCodable {
        var number = 0.0
    }

    private let directory: TemporaryRealm
    private let realm: Realm

    init() throws {
        directory = try TemporaryRealm()
        realm = try directory.open(Holder.self)
    }

    /// Gives elements to a set that no realm has, which is added, and to one of a realm.
    private func compare<Element: RealmCollectionValue>(
        _ path: KeyPath<Holder, MutableSet<Element>>, _ elements: [Element], count: Int,
        sourceLocation: SourceLocation = #_sourceLocation
    ) throws {
        let unmanaged = Holder()
        unmanaged[keyPath: path].insert(objectsIn: elements)
        #expect(unmanaged[keyPath: path].count == count, sourceLocation: sourceLocation)
        #expect(elements.allSatisfy { unmanaged[keyPath: path].contains($0) }, sourceLocation: sourceLocation)
        #expect(unmanaged[keyPath: path] == MutableSet(elements.reversed()), sourceLocation: sourceLocation)
        try realm.write {
            let managed = realm.create(Holder.self)
            managed[keyPath: path].insert(objectsIn: elements)
            realm.add(unmanaged)
            for holder in [managed, unmanaged] {
                let set = holder[keyPath: path]
                #expect(set.count == count, sourceLocation: sourceLocation)
                #expect(elements.allSatisfy { set.contains($0) }, sourceLocation: sourceLocation)
            }
        }
        let other = MutableSet(elements)
        for element in elements { other.remove(element) }
        #expect(other.isEmpty, sourceLocation: sourceLocation)
    }

    @Test func `NaN is itself, and zeros are one`() throws {
        try compare(\.doubles, [.nan, -.nan, .signalingNaN, 0, -0.0, .infinity, -.infinity], count: 4)
        try compare(\.floats, [.nan, -.nan, nil, nil, 0, -0.0, 1], count: 4)
        try compare(
            \.decimals,
            try ["NaN", "-NaN", "1", "1.00", "0", "-0"].map { try Decimal128(string: $0) }, count: 3)
    }

    @Test func `texts are one where their bytes are`() throws {
        try compare(\.texts, ["é", "e\u{301}", "", "a", "a"], count: 4)
    }

    @Test func `dates and nil are one where they are stored alike`() throws {
        let date = Date(timeIntervalSince1970: 1)
        try compare(\.dates, [nil, date, Date(timeIntervalSince1970: 1), nil], count: 2)
    }

    @Test func `values of any type are one where they are equal as numbers`() throws {
        try compare(
            \.anything,
            [
                .int(1), .double(1), .float(1), .decimal128(1), .bool(true), .string("1"), .double(.nan), .float(.nan),
                .none, .none, .double(0), .double(-0.0), .int(0),
            ], count: 6)
    }

    @Test func `values of own types are one where what is stored for them is`() throws {
        try compare(
            \.initials, ["ab", "ac", "ab"].map { Initial(persistedValue: $0) }, count: 2)
        try compare(\.codes, [Code(number: .nan), Code(number: .nan), Code(number: 1)], count: 2)
    }

    @Test func `algebra with NaN`() {
        let set: MutableSet<Double> = [.nan, 1, 2]
        #expect(set.isSubset(of: [2, 1, .nan, 3]))
        #expect(set.intersects([.nan]))
        set.formIntersection([.nan, 2])
        #expect(set.count == 2)
        set.subtract([.nan])
        #expect(Array(set) == [2])
        set.formIntersection(set)
        #expect(Array(set) == [2])
        set.subtract(set)
        #expect(set.isEmpty)
    }

    @Test func `objects are themselves`() {
        let first = Holder()
        let set: MutableSet<Holder> = [first, Holder(), first]
        #expect(set.count == 2)
        set.remove(first)
        #expect(set.count == 1)
    }
}
