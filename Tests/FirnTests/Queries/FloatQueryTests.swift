import Firn
import Foundation
import Testing

/// Constants compared with what is a `Float`: they were compared as doubles where the other side was no plain property, and
/// 0.1 was no `Float`.
@Suite struct FloatQueryTests {
    final class Thing: Object {
        @Persisted(primaryKey: true) var id: Int
        @Persisted var float: Float
        @Persisted var optional: Float?
        @Persisted var double = 0.1
        @Persisted var floats: List<Float>
        @Persisted var optionals: MutableSet<Float?>
        @Persisted var doubles: List<Double>
        @Persisted var any: AnyRealmValue
        @Persisted var next: Thing?
    }

    private let directory: TemporaryRealm
    private let realm: Realm

    init() throws {
        directory = try TemporaryRealm()
        let realm = try directory.open(Thing.self)
        self.realm = realm
        try realm.write {
            let thing = Thing(value: ["id": 1, "float": Float(0.1), "optional": Float(0.1)] as [String: Any])
            thing.floats.append(objectsIn: [0.1, 0.1])
            thing.optionals.insert(objectsIn: [nil, 0.1])
            thing.doubles.append(0.1)
            thing.any = .float(0.1)
            realm.add(thing)
            realm.add(Thing(value: ["id": 2, "float": Float(7), "next": thing] as [String: Any]))
        }
    }

    private func ids(_ text: String) -> [Int] { realm.objects(Thing.self).filter(text).map(\.id) }

    @Test(arguments: [
        "float == 0.1", "next.float == 0.1", "ANY floats == 0.1", "float IN {0.1, 3}", "float BETWEEN {0.1, 0.1}",
        // A path among other operands.
        "0.1 IN {float, 3}", "float IN {optional, 3}",
        "optional BETWEEN {0.1, float}", "float BETWEEN {0.1, optional}",
        // The smallest and the largest.
        "floats.@max == 0.1", "floats.@min == 0.1", "optionals.@max == 0.1", "0.1 == floats.@min",
        "floats.@max IN {0.1, 3}", "floats.@max BETWEEN {0.1, 0.1}", "floats.@max <= 0.1", "floats.@min >= 0.1",
        "NOT floats.@max > 0.1 AND id == 1", "NOT floats.@min != 0.1",
        "floats.@max == float",
    ])
    func `a constant compared with a Float is one`(text: String) {
        #expect(ids(text) == (text.hasPrefix("next") ? [2] : [1]))
    }

    @Test func `so is the constant beside it`() {
        #expect(ids("0.1 IN {float, 0.1}") == [1, 2])
    }

    @Test(arguments: [
        "double == 0.1", "doubles.@max == 0.1", "double IN {0.1, float}", "0.1 IN {double, 3}",
        "float != double", "floats.@max != doubles.@max", "floats.@max > 0.1 + 0", "floats.@max < 1e300",
        "floats.@max != 1e300", "floats.@min > -1e300", "floats.@sum > 0.2 AND floats.@sum < 0.21",
        "floats.@max == 0.1 AND floats.@avg > 0.1",
    ])
    func `with doubles, sums and numbers that no Float has, it is a Double`(text: String) {
        #expect(ids(text + " AND id == 1") == [1])
    }

    @Test func `typed queries find the same`() {
        let things = realm.objects(Thing.self)
        #expect(things.where { $0.floats.max == 0.1 }.map(\.id) == [1])
        #expect(things.where { $0.floats.min == 0.1 }.map(\.id) == [1])
        #expect(things.where { $0.float == 0.1 }.map(\.id) == [1])
    }
}
