import Firn
import Foundation
import Testing

/// The members of List, unmanaged and in a write.
@Suite struct ListTests {
    final class Holder: Object {
        @Persisted var numbers: List<Int>
        @Persisted var names: List<String?>
        @Persisted var dogs: List<Dog>
    }

    final class Dog: Object {
        @Persisted var name = ""
    }

    enum State: CaseIterable { case unmanaged, managed }

    /// Calls `body` with a list of numbers in a state.
    private func withNumbers(_ numbers: [Int], _ state: State, _ body: (List<Int>) throws -> Void) throws {
        guard state == .managed else { return try body(List(numbers)) }
        let directory = try TemporaryRealm()
        let realm = try directory.open(Holder.self, Dog.self)
        try realm.write {
            let holder = realm.create(Holder.self, value: ["numbers": numbers])
            try body(holder.numbers)
        }
    }

    @Test(arguments: State.allCases)
    func `elements are appended and inserted where they are told to be`(_ state: State) throws {
        try withNumbers([], state) { list in
            #expect(list.isEmpty)
            list.append(2)
            list.append(objectsIn: [4, 5])
            list.insert(1, at: 0)
            list.insert(contentsOf: [3], at: 2)
            list.insert(6, at: 5)
            list.append(objectsIn: [])
            #expect(Array(list) == [1, 2, 3, 4, 5, 6])
            #expect(list.count == 6)
            #expect(list.first == 1)
            #expect(list.last == 6)
        }
    }

    @Test(arguments: State.allCases)
    func `elements are removed one by one, by number, in ranges and by offsets`(_ state: State) throws {
        try withNumbers(Array(0..<20), state) { list in
            list.remove(at: 3)
            list.removeFirst()
            list.removeFirst(2)
            list.removeLast()
            list.removeLast(2)
            #expect(Array(list) == Array(4..<17))
            list.removeSubrange(0..<2)
            list.removeSubrange(...1)
            list.removeSubrange(7...)
            #expect(Array(list) == Array(8..<15))
            list.removeSubrange(2..<2)
            list.remove(atOffsets: [0, 2, 3, 6])
            #expect(Array(list) == [9, 12, 13])
            list.removeFirst(0)
            list.removeLast(0)
            list.remove(atOffsets: [])
            list.removeAll()
            #expect(list.isEmpty)
            list.removeAll()
        }
    }

    @Test(arguments: State.allCases)
    func `elements are replaced one by one and in ranges`(_ state: State) throws {
        try withNumbers([1, 2, 3, 4], state) { list in
            list.replace(index: 0, object: 10)
            list[1] = 20
            #expect(Array(list) == [10, 20, 3, 4])
            list.replaceSubrange(1..<3, with: [5, 6, 7])
            #expect(Array(list) == [10, 5, 6, 7, 4])
            list.replaceSubrange(0..<0, with: [0])
            list.replaceSubrange(4..., with: [])
            #expect(Array(list) == [0, 10, 5, 6])
        }
    }

    @Test(arguments: State.allCases)
    func `elements are moved and exchanged`(_ state: State) throws {
        try withNumbers([0, 1, 2, 3, 4], state) { list in
            list.move(from: 0, to: 3)
            #expect(Array(list) == [1, 2, 3, 0, 4])
            list.move(from: 4, to: 0)
            #expect(Array(list) == [4, 1, 2, 3, 0])
            list.move(from: 2, to: 2)
            list.swapAt(0, 4)
            list.swapAt(1, 1)
            #expect(Array(list) == [0, 1, 2, 3, 4])
        }
    }

    /// The rule is that of SwiftUI's `move(fromOffsets:toOffset:)`: the destination counts in the list as it is before.
    @Test(arguments: State.allCases)
    func `several elements are moved before the one at the destination`(_ state: State) throws {
        try withNumbers([], state) { list in
            for destination in 0...6 {
                for bits in 0..<64 {
                    let offsets = IndexSet((0..<6).filter { bits & 1 << $0 != 0 })
                    list.removeAll()
                    list.append(objectsIn: 0..<6)
                    list.move(fromOffsets: offsets, toOffset: destination)
                    let before = (0..<destination).filter { !offsets.contains($0) }
                    let behind = (destination..<6).filter { !offsets.contains($0) }
                    #expect(Array(list) == before + Array(offsets) + behind)
                }
            }
        }
    }

    @Test(arguments: State.allCases)
    func `a list is a random access collection that algorithms can change`(_ state: State) throws {
        try withNumbers([3, 1, 2], state) { numbers in
            var list = numbers
            #expect(list.map { $0 * 2 } == [6, 2, 4])
            #expect(list.contains(2))
            #expect(list.firstIndex(of: 2) == 2)
            #expect(list[1..<3].elementsEqual([1, 2]))
            #expect(list.reversed() == [2, 1, 3])
            list.sort()
            #expect(Array(numbers) == [1, 2, 3])
            list.reverse()
            #expect(Array(numbers) == [3, 2, 1])
            #expect(Array(list.lazy.filter { $0 > 1 }) == [3, 2])
            #expect(list.max() == 3)
        }
    }

    @Test(arguments: State.allCases)
    func `a position is found by value`(_ state: State) throws {
        try withNumbers([5, 6, 5], state) { list in
            #expect(list.index(of: 5) == 0)
            #expect(list.index(of: 6) == 1)
            #expect(list.index(of: 7) == nil)
        }
    }

    @Test(arguments: State.allCases)
    func `what is inserted may come from the list itself`(_ state: State) throws {
        try withNumbers([1, 2, 3], state) { list in
            list.append(objectsIn: list)
            list.insert(contentsOf: list.lazy.map { $0 * 10 }, at: 0)
            #expect(Array(list) == [10, 20, 30, 10, 20, 30, 1, 2, 3, 1, 2, 3])
            list.replaceSubrange(0..<11, with: list.lazy.filter { $0 > 20 })
            #expect(Array(list) == [30, 30, 3])
        }
    }

    @Test func `nil elements stay apart from empty ones`() throws {
        let directory = try TemporaryRealm()
        let realm = try directory.open(Holder.self, Dog.self)
        try realm.write {
            let holder = realm.create(Holder.self)
            holder.names.append(objectsIn: ["a", nil, ""])
            #expect(Array(holder.names) == ["a", nil, ""])
            #expect(holder.names.index(of: nil) == 1)
            #expect(holder.names.index(of: "") == 2)
            holder.names[0] = nil
            #expect(holder.names.index(of: nil) == 0)
        }
        #expect(realm.objects(Holder.self).first.map { Array($0.names) } == [nil, nil, ""])
    }

    @Test func `unmanaged objects are added to the realm with the list`() throws {
        let directory = try TemporaryRealm()
        let realm = try directory.open(Holder.self, Dog.self)
        let holder = Holder()
        let dogs = holder.dogs
        let rex = Dog(value: ["name": "Rex"])
        dogs.append(rex)
        #expect(dogs.index(of: rex) == 0)
        try realm.write {
            realm.add(holder)
            // The instance that the unmanaged object had is the live list now.
            #expect(dogs == holder.dogs)
            dogs.append(Dog(value: ["name": "Max"]))
            holder.dogs.insert(rex, at: 0)
        }
        #expect(rex.realm != nil)
        #expect(dogs.realm != nil)
        #expect(holder.dogs.map(\.name) == ["Rex", "Rex", "Max"])
        #expect(realm.objects(Dog.self).count == 2)
        #expect(holder.dogs.index(of: rex) == 0)
        #expect(holder.dogs.index(of: Dog()) == nil)
        try realm.write { realm.delete(rex) }
        #expect(dogs.map(\.name) == ["Max"])
    }

    @Test func `lists are equal by what they are, or by what they hold`() throws {
        #expect(List([1, 2]) == List([1, 2]))
        #expect(List([1, 2]) != List([2, 1]))
        #expect(List([1, 2]).hashValue == List([1, 2]).hashValue)
        let directory = try TemporaryRealm()
        let realm = try directory.open(Holder.self, Dog.self)
        let holders = try realm.write {
            [[1, 2], [1, 2]].map { realm.create(Holder.self, value: ["numbers": $0]) }
        }
        #expect(holders[0].numbers == holders[0].numbers)
        #expect(holders[0].numbers == realm.objects(Holder.self).first?.numbers)
        #expect(Set([holders[0].numbers, holders[0].numbers]).count == 1)
        #expect(holders[0].numbers != holders[1].numbers)
        #expect(holders[0].numbers != List([1, 2]))
        #expect(List([1, 2]) != holders[0].numbers)
    }

    @Test func `a list is made from a sequence or a literal`() {
        #expect(Array(List(1...3)) == [1, 2, 3])
        let list: List<String> = ["a", "b"]
        #expect(list.count == 2)
        #expect(List<Int>().isEmpty)
    }

    @Test func `values found by position are the first that are equal`() throws {
        final class Values: Object {
            @Persisted var doubles: List<Double>
            @Persisted var decimals: List<Decimal128>
            @Persisted var dates: List<Date>
            @Persisted var data: List<Data>
        }
        let directory = try TemporaryRealm()
        let realm = try directory.open(Values.self)
        let date = Date()
        let large = Data(repeating: 7, count: 5_000)
        let values = try realm.write {
            let values = realm.create(Values.self)
            values.doubles.append(objectsIn: [1, -0.0, .nan])
            values.decimals.append(objectsIn: [2, try Decimal128(string: "1.00")])
            values.dates.append(objectsIn: [.distantPast, date])
            values.data.append(objectsIn: [Data(), large])
            return values
        }
        #expect(values.doubles.index(of: 0) == 1)
        #expect(values.doubles.index(of: .nan) == nil)
        #expect(values.decimals.index(of: 1) == 1)
        #expect(values.dates.index(of: date) == 1)
        #expect(values.data.index(of: large) == 1)
        #expect(values.data.index(of: Data()) == 0)
    }
}
