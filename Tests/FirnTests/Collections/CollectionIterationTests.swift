import Firn
import Foundation
import TestSupport
import Testing

/// What a `for` loop yields when its collection changes meanwhile.
@Suite struct CollectionIterationTests {
    final class Holder: Object {
        @Persisted var numbers: List<Int>
        @Persisted var texts: List<String>
        @Persisted var dogs: List<Dog>
        @Persisted var dogSet: MutableSet<Dog>
        @Persisted var map: Map<String, Int>
    }

    final class Dog: Object {
        @Persisted var id: Int
    }

    private func makeHolder(_ directory: TemporaryRealm, count: Int = 600) throws -> (Realm, Holder) {
        let realm = try directory.open(Holder.self, Dog.self)
        let holder = try realm.write {
            let holder = realm.create(Holder.self)
            let dogs = (0..<count).map { Dog(value: ["id": $0]) }
            holder.numbers.append(objectsIn: 0..<count)
            holder.texts.append(objectsIn: (0..<count).map { String(repeating: "x", count: 1_100 + $0) })
            holder.dogs.append(objectsIn: dogs)
            holder.dogSet.insert(objectsIn: dogs)
            for number in 0..<count { holder.map[String(1_000 + number)] = number }
            return holder
        }
        return (realm, holder)
    }

    @Test func `a loop outside a write goes over everything in order`() throws {
        let directory = try TemporaryRealm()
        let (_, holder) = try makeHolder(directory)
        #expect(Array(holder.numbers) == Array(0..<600))
        #expect(holder.dogs.map(\.id) == Array(0..<600))
        #expect(holder.dogSet.map(\.id) == Array(0..<600))
        #expect(holder.map.map(\.value) == Array(0..<600))
        #expect(holder.texts.map(\.count) == Array(1_100..<1_700))
    }

    @Test func `a loop in a write goes over what was there at its start`() throws {
        let directory = try TemporaryRealm()
        let (realm, holder) = try makeHolder(directory)
        try realm.write {
            var seen: [Int] = []
            for number in holder.numbers {
                seen.append(number)
                holder.numbers.append(number)
                holder.numbers.remove(at: 0)
            }
            #expect(seen == Array(0..<600))
            for text in holder.texts {
                #expect(text.count >= 1_100)
                if !holder.texts.isEmpty { holder.texts.removeAll() }
            }
        }
        #expect(holder.numbers.count == 600)
    }

    @Test func `objects deleted in a loop come invalidated`() throws {
        let directory = try TemporaryRealm()
        let (realm, holder) = try makeHolder(directory)
        try realm.write {
            let dogs = Array(holder.dogs)
            var count = 0
            for dog in holder.dogs {
                #expect(dog.isInvalidated == !count.isMultiple(of: 2))
                if !dog.isInvalidated { realm.delete(dogs[count + 1]) }
                count += 1
            }
            #expect(count == 600)
            var living = 0
            for dog in holder.dogSet where !dog.isInvalidated {
                living += dog.id >= 0 ? 1 : 0
                realm.delete(realm.objects(Dog.self))
            }
            #expect(living == 1)
        }
    }

    @Test func `a loop that began before a write keeps to what was there then`() throws {
        let directory = try TemporaryRealm()
        let (realm, holder) = try makeHolder(directory)
        var numbers = holder.numbers.makeIterator()
        var texts = holder.texts.makeIterator()
        var dogs = holder.dogs.makeIterator()
        var set = holder.dogSet.makeIterator()
        #expect(numbers.next() == 0)
        #expect(texts.next()?.count == 1_100)
        #expect(dogs.next()?.id == 0)
        #expect(set.next()?.id == 0)
        let untouched = holder.numbers.makeIterator()
        try realm.write {
            realm.delete(realm.objects(Dog.self))
            holder.numbers.removeAll()
            holder.texts.removeAll()
        }
        #expect(Array(IteratorSequence(numbers)) == Array(1..<600))
        #expect(Array(IteratorSequence(texts)).map(\.count) == Array(1_101..<1_700))
        #expect(Array(IteratorSequence(untouched)) == Array(0..<600))
        let deleted = Array(IteratorSequence(dogs))
        #expect(deleted.count == 599 && deleted.allSatisfy(\.isInvalidated))
        #expect(Array(IteratorSequence(set)).count == 599)
        #expect(holder.dogs.isEmpty)
    }

    @Test func `a loop that another realm overtakes keeps to what was there at its start`() throws {
        let directory = try TemporaryRealm()
        let (realm, holder) = try makeHolder(directory)
        let configuration = realm.configuration
        var numbers = holder.numbers.makeIterator()
        _ = numbers.next()
        try onAnotherThread {
            let other = try Realm(configuration: configuration)
            try other.write { other.objects(Holder.self).first?.numbers.removeAll() }
        }
        realm.refresh()
        #expect(holder.numbers.isEmpty)
        #expect(Array(IteratorSequence(numbers)).count == 599)
    }

    @Test func `a loop over a map reads each value when its turn comes, and ends where a key is gone`() throws {
        let directory = try TemporaryRealm()
        let (realm, holder) = try makeHolder(directory)
        var entries = holder.map.makeIterator()
        #expect(entries.next()?.value == 0)
        try realm.write {
            holder.map["1001"] = -1
            #expect(entries.next()?.value == -1)
            holder.map["1003"] = nil
            holder.map["0"] = 5
        }
        #expect(entries.next()?.key == "1002")
        #expect(entries.next() == nil)
        #expect(entries.next() == nil)
        try realm.write {
            var count = 0
            for entry in holder.map {
                count += 1
                holder.map[entry.key] = nil
                holder.map["new \(count)"] = count
            }
            #expect(count == 600)
        }
    }

    @Test func `a loop over an unmanaged collection goes over a copy`() {
        let list = List(0..<10)
        for number in list { list.append(number) }
        #expect(list.count == 20)
        let set = MutableSet(0..<10)
        for number in set { set.insert(number + 10) }
        #expect(set.count == 20)
        let map: Map<String, Int> = ["a": 1, "b": 2]
        for entry in map { map[entry.key + "!"] = entry.value }
        #expect(map.count == 4)
    }
}
