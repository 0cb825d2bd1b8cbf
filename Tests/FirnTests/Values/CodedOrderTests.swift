import Foundation
import Testing

@testable import Firn

/// Equal values are stored as equal bytes, whatever order hashes give their sets and dictionaries.
@Suite struct CodedOrderTests {
    /// Hands its encoder to a set.
    struct Words: PersistableCodable {
        var words: Set<String>

        init(_ words: Set<String>) { self.words = words }
        init(from decoder: any Decoder) throws { words = try Set(from: decoder) }
        func encode(to encoder: any Encoder) throws { try words.encode(to: encoder) }
    }

    /// Hands its encoder to a dictionary that is no keyed value.
    struct Counts: PersistableCodable {
        var counts: [UUID: Int]

        init(_ counts: [UUID: Int]) { self.counts = counts }
        init(from decoder: any Decoder) throws { counts = try [UUID: Int](from: decoder) }
        func encode(to encoder: any Encoder) throws { try counts.encode(to: encoder) }
    }

    /// Walks its set itself, in a container within its own, and has another one there.
    struct Nested: PersistableCodable {
        var name: String
        var words: Set<String>
        var numbers: Set<Int>

        enum Keys: CodingKey { case name, words, numbers }

        init(_ words: Set<String>, _ numbers: Set<Int>) {
            name = "n"
            self.words = words
            self.numbers = numbers
        }
        init(from decoder: any Decoder) throws {
            let container = try decoder.container(keyedBy: Keys.self)
            name = try container.decode(String.self, forKey: .name)
            words = try container.decode(Set<String>.self, forKey: .words)
            numbers = try container.decode(Set<Int>.self, forKey: .numbers)
        }
        func encode(to encoder: any Encoder) throws {
            var container = encoder.container(keyedBy: Keys.self)
            try container.encode(name, forKey: .name)
            var words = container.nestedUnkeyedContainer(forKey: .words)
            for word in self.words { try words.encode(word) }
            try numbers.encode(to: container.superEncoder(forKey: .numbers))
        }
    }

    enum Case: PersistableCodable {
        case words(Set<String>, Int)

        init(from decoder: any Decoder) throws { self = .words(try Set(from: decoder), 0) }
        func encode(to encoder: any Encoder) throws {
            if case .words(let words, _) = self { try words.encode(to: encoder) }
        }
    }

    /// Keeps an order, and a set beside it only to look up in.
    struct Ordered: PersistableCodable {
        var elements: [String]
        var known: Set<String>

        init(_ elements: [String], known: Set<String>) {
            self.elements = elements
            self.known = known
        }
        init(from decoder: any Decoder) throws {
            elements = try [String](from: decoder)
            known = Set(elements)
        }
        func encode(to encoder: any Encoder) throws { try elements.encode(to: encoder) }
    }

    final class Holder: Object {
        @Persisted(primaryKey: true) var id: Int
        @Persisted var words: Words?
        @Persisted var counts: Counts?
        @Persisted var nested: Nested?
        @Persisted var single: Case?
        @Persisted var all: MutableSet<Words>
    }

    private static let words = (0..<30).map { "word \($0)" }

    /// Values that are equal in every process; `capacity` makes the order of hashes another one within one.
    private static func values(capacity: Int) -> Holder {
        var words = Set<String>(minimumCapacity: capacity)
        var numbers = Set<Int>(minimumCapacity: capacity)
        var counts = [UUID: Int](minimumCapacity: capacity)
        for (number, word) in Self.words.enumerated() {
            words.insert(word)
            numbers.insert(number)
            counts[UUID(uuid: (UInt8(number), 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0))] = number
        }
        let holder = Holder()
        holder.id = 1
        holder.words = Words(words)
        holder.counts = Counts(counts)
        holder.nested = Nested(words, numbers)
        holder.single = .words(words, 0)
        holder.all.insert(Words(words))
        return holder
    }

    private static func write(_ holder: Holder, to realm: Realm) throws {
        try realm.write { realm.add(holder, update: .modified) }
    }

    @Test func `the order of a set's hashes makes no difference`() throws {
        #expect(Array(Set<String>(Self.words)) != Self.words)
        let realm = try TemporaryRealm().open(Holder.self)
        try Self.write(Self.values(capacity: 0), to: realm)
        let version = realm.context.connection.version
        for capacity in [100, 1000] {
            let orders = [0, capacity].map { Array(Self.values(capacity: $0).words?.words ?? []) }
            #expect(orders[0] != orders[1])
            try Self.write(Self.values(capacity: capacity), to: realm)
            let holder = try #require(realm.objects(Holder.self).first)
            #expect(holder.all.count == 1)
            #expect(holder.words == Words(Set(Self.words)))
            #expect(holder.nested == Nested(Set(Self.words), Set(0..<30)))
            #expect(holder.counts?.counts.count == 30)
        }
        #expect(realm.context.connection.version == version)
    }

    @Test func `nor do other hashes of another process`() async throws {
        let directory = try TemporaryRealm()
        try autoreleasepool { try Self.write(Self.values(capacity: 0), to: try directory.open(Holder.self)) }
        let path = directory.fileURL.path
        await #expect(processExitsWith: .success) { [path = path as String] in
            var configuration = Realm.Configuration(fileURL: URL(fileURLWithPath: path), objectTypes: [Holder.self])
            configuration.reservationInBytes = 1 << 34
            let realm = try Realm(configuration: configuration)
            let version = realm.context.connection.version
            try Self.write(Self.values(capacity: 0), to: realm)
            try #require(realm.context.connection.version == version)
        }
    }

    @Test func `an order that means something is kept`() throws {
        for count in 2..<10 {
            let known = Set(Self.words.prefix(count))
            // This looks like the set's own order.
            let elements = Array(known)
            let value = Ordered(elements, known: known)
            let bytes = try CodedEncoder.encode(value)
            #expect(try CodedDecoder.decode(Ordered.self, from: bytes) == value)
            #expect(try CodedDecoder.decode([String].self, from: bytes) == elements)
        }
    }
}
