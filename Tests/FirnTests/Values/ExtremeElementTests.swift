import Firn
import Foundation
import TestSupport
import Testing

/// Extreme values as elements of sets and as keys of maps: unmanaged, added, in the write that fills them, in the next
/// one, and in another thread's realm.
@Suite struct ExtremeElementTests {
    final class Holder: Object {
        @Persisted var doubles: MutableSet<Double>
        @Persisted var floats: MutableSet<Float?>
        @Persisted var integers: MutableSet<Int>
        @Persisted var dates: MutableSet<Date>
        @Persisted var texts: MutableSet<String>
        @Persisted var datas: MutableSet<Data>
        @Persisted var values: MutableSet<AnyRealmValue>
        @Persisted var named: Map<String, String>
    }

    /// Empty, with zero bytes, about as long as a key of LMDB and as the part of it that the store uses, and very long.
    private static let texts: [String] =
        ["", "\0", "\0\0", "a\0", "a\0b", "\u{10FFFF}"]
        + [470, 479, 480, 481, 510, 511, 512, 513, 1 << 20].map { String(repeating: "k", count: $0) }
        + [String(repeating: "\0", count: 240), String(repeating: "\0", count: 512)]
        + [String(repeating: "k", count: 511) + "\0", String(repeating: "k", count: 1 << 20) + "\0"]

    private static let absentTexts = [
        "a", "\0\0\0", String(repeating: "k", count: 509), String(repeating: "k", count: 1 << 20) + "a",
        String(repeating: "\0", count: 511),
    ]

    /// Calls `check` with a holder that `fill` filled, in every state that it goes through, and `empty` at the end.
    private func inEveryState(
        fill: (Holder) -> Void, check: @escaping (Holder) throws -> Void, empty: (Holder) throws -> Void
    ) throws {
        let directory = try TemporaryRealm()
        let configuration = directory.configuration([Holder.self])
        let realm = try Realm(configuration: configuration)
        let added = Holder()
        fill(added)
        try check(added)
        try realm.write {
            realm.add(added)
            try check(added)
            let holder = realm.create(Holder.self)
            fill(holder)
            try check(holder)
            fill(holder)
            try check(holder)
        }
        expectIntact(realm)
        nonisolated(unsafe) let check = check
        try onAnotherThread {
            for holder in try Realm(configuration: configuration).objects(Holder.self) { try check(holder) }
        }
        for holder in realm.objects(Holder.self) {
            try check(holder)
            try realm.write {
                fill(holder)
                try check(holder)
                try empty(holder)
                fill(holder)
                try check(holder)
            }
            try realm.write { try empty(holder) }
            expectIntact(realm)
        }
    }

    /// Expects that a set holds `elements` and not what is `absent`, and takes those that are `equal` for what it has.
    private func expectSet<Element, ID: Hashable>(
        _ path: KeyPath<Holder, MutableSet<Element>>, _ elements: [Element], equal: [Element] = [], absent: [Element],
        isInOrder: Bool = true, by id: @escaping (Element) -> ID
    ) throws {
        try inEveryState { holder in
            holder[keyPath: path].insert(objectsIn: elements + equal)
        } check: { holder in
            let set = holder[keyPath: path]
            #expect(set.count == elements.count)
            #expect(Set(set.map(id)) == Set(elements.map(id)))
            #expect(!absent.contains { set.contains($0) })
            #expect((elements + equal).allSatisfy { set.contains($0) })
            if holder.realm != nil { #expect(!isInOrder || set.map(id) == elements.map(id)) }
        } empty: { holder in
            let set = holder[keyPath: path]
            for element in absent { set.remove(element) }
            #expect(set.count == elements.count)
            for element in equal.reversed() + elements { set.remove(element) }
            #expect(set.isEmpty)
        }
    }

    @Test func `sets hold each number, NaN once and zero with the sign that came first`() throws {
        let doubles: [Double] = [
            .nan, -.infinity, -.greatestFiniteMagnitude, -.leastNonzeroMagnitude, -0.0, .leastNonzeroMagnitude,
            1.nextUp, .greatestFiniteMagnitude, .infinity,
        ]
        try expectSet(
            \.doubles, doubles, equal: [.signalingNaN, -.nan, 0.0], absent: [1, .leastNormalMagnitude],
            by: \.bitPattern)
        let floats: [Float?] = [
            nil, .nan, -.infinity, -.leastNonzeroMagnitude, 0.0, .greatestFiniteMagnitude, .infinity,
        ]
        try expectSet(
            \.floats, floats, equal: [-.nan, -0.0], absent: [-1, .leastNonzeroMagnitude], by: { $0?.bitPattern })
        try expectSet(\.integers, [.min, .min + 1, -1, 0, .max], absent: [1, .max - 1], by: \.self)
    }

    @Test func `sets hold dates far out, and those further out as the nearest`() throws {
        let dates = [-9e18, Date.distantPast.timeIntervalSinceReferenceDate, -978_307_200, -0.5, 0, 0.5, 9e18]
            .map { Date(timeIntervalSinceReferenceDate: $0) }
        try expectSet(
            \.dates, dates,
            equal: [.nan, .infinity, -.infinity, 1e300].map { Date(timeIntervalSinceReferenceDate: $0) },
            absent: [.distantFuture, Date(timeIntervalSinceReferenceDate: 0.25)], by: \.self)
    }

    @Test func `sets hold strings and data of any bytes and lengths`() throws {
        try expectSet(\.texts, Self.texts, absent: Self.absentTexts, isInOrder: false, by: \.self)
        try expectSet(
            \.datas, Self.texts.map { Data($0.utf8) } + [Data([0xFF, 0, 0xFE])],
            absent: Self.absentTexts.map { Data($0.utf8) }, isInOrder: false, by: \.self)
    }

    @Test func `sets of any value hold extreme ones of all types`() throws {
        let values: [AnyRealmValue] = [
            .none, .bool(false), .double(.nan), .double(-.infinity), .int(.min), .double(-0.0),
            .double(.leastNonzeroMagnitude), .int(.max), .float(.infinity), .string(""), .string("\0"), .data(Data()),
            .data(Data([0])), .date(.distantPast), .date(.distantFuture),
        ]
        try expectSet(
            \.values, values, equal: [.float(.nan), .int(0), .float(-.infinity), .double(.infinity)],
            absent: [.bool(true), .int(.max - 1), .double(9.3e18), .string("0"), .date(Date())],
            by: { value in
                if case .double(let number) = value { AnyHashable(number.bitPattern) } else { AnyHashable(value) }
            })
        let long = Self.texts.filter { $0.utf8.count > 400 }
        try expectSet(
            \.values, long.map { .string($0) } + long.map { .data(Data($0.utf8)) },
            absent: Self.absentTexts.flatMap { [.string($0), .data(Data($0.utf8))] }, isInOrder: false, by: \.self)
    }

    @Test func `maps have keys and values of any bytes and lengths`() throws {
        try inEveryState { holder in
            for text in Self.texts { holder.named[text] = text }
        } check: { holder in
            #expect(holder.named.count == Self.texts.count)
            #expect(Set(holder.named.keys) == Set(Self.texts))
            #expect(holder.named.allSatisfy { $0.key == $0.value })
            #expect(Self.texts.allSatisfy { holder.named[$0] == $0 })
            #expect(Self.absentTexts.allSatisfy { holder.named[$0] == nil })
        } empty: { holder in
            for text in Self.absentTexts { holder.named[text] = nil }
            #expect(holder.named.count == Self.texts.count)
            for text in Self.texts { holder.named[text] = nil }
            #expect(holder.named.isEmpty)
        }
    }
}
