import Firn
import Foundation
import Testing

@Suite struct ManagedObjectTests {
    enum Mood: String, PersistableEnum { case calm, wild }
    enum Level: Int8, PersistableEnum {
        case low = 1
        case high = 9
    }

    final class Everything: Object {
        @Persisted(primaryKey: true) var id: Int
        @Persisted var bool: Bool
        @Persisted var int8: Int8
        @Persisted var int16: Int16
        @Persisted var int32: Int32
        @Persisted var int64: Int64
        @Persisted var float: Float
        @Persisted var double: Double
        @Persisted(indexed: true) var string: String
        @Persisted var data: Data
        @Persisted(indexed: true) var date: Date
        @Persisted var decimal: Decimal128
        @Persisted(indexed: true) var objectId: ObjectId
        @Persisted(indexed: true) var uuid: UUID
        @Persisted var mood: Mood
        @Persisted var level: Level
        @Persisted var link: Everything?
        @Persisted var optBool: Bool?
        @Persisted var optInt: Int?
        @Persisted var optInt8: Int8?
        @Persisted var optFloat: Float?
        @Persisted var optDouble: Double?
        @Persisted var optString: String?
        @Persisted var optData: Data?
        @Persisted var optDate: Date?
        @Persisted var optDecimal: Decimal128?
        @Persisted var optObjectId: ObjectId?
        @Persisted var optUuid: UUID?
        @Persisted var optMood: Mood?
        @Persisted var optLevel: Level?
    }

    @Test func `every type comes back as it was added`() throws {
        let directory = try TemporaryRealm()
        let realm = try directory.open(Everything.self)
        let object = Everything()
        object.id = -5
        object.bool = true
        object.int8 = -128
        object.int16 = 32_767
        object.int32 = .min
        object.int64 = .max
        object.float = 1.5
        object.double = -2.25
        object.string = "caffè"
        object.data = Data([1, 2, 3])
        object.date = Date(timeIntervalSince1970: 1_700_000_000.25)
        object.decimal = "12.50"
        object.objectId = ObjectId("0123456789abcdef01234567")
        let uuid = UUID()
        object.uuid = uuid
        object.mood = .wild
        object.level = .high
        object.link = object
        object.optBool = false
        object.optInt = 7
        object.optInt8 = 8
        object.optFloat = 0.5
        object.optDouble = 0.25
        object.optString = ""
        object.optData = Data()
        object.optDate = Date(timeIntervalSinceReferenceDate: -0.5)
        object.optDecimal = "1E+3"
        object.optObjectId = object.objectId
        object.optUuid = uuid
        object.optMood = .calm
        object.optLevel = .low
        try realm.write { realm.add(object) }

        let found = try #require(realm.object(ofType: Everything.self, forPrimaryKey: -5))
        for each in [object, found] {
            #expect(each.realm == realm)
            #expect(each.id == -5)
            #expect(each.bool)
            #expect(each.int8 == -128)
            #expect(each.int16 == 32_767)
            #expect(each.int32 == .min)
            #expect(each.int64 == .max)
            #expect(each.float == 1.5)
            #expect(each.double == -2.25)
            #expect(each.string == "caffè")
            #expect(each.data == Data([1, 2, 3]))
            #expect(each.date == Date(timeIntervalSince1970: 1_700_000_000.25))
            #expect(each.decimal == "12.50")
            #expect(each.objectId == ObjectId("0123456789abcdef01234567"))
            #expect(each.uuid == uuid)
            #expect(each.mood == .wild)
            #expect(each.level == .high)
            #expect(each.link == object)
            #expect(each.optBool == false)
            #expect(each.optInt == 7)
            #expect(each.optInt8 == 8)
            #expect(each.optFloat == 0.5)
            #expect(each.optDouble == 0.25)
            #expect(each.optString == "")
            #expect(each.optData == Data())
            #expect(each.optDate == Date(timeIntervalSinceReferenceDate: -0.5))
            #expect(each.optDecimal == 1000)
            #expect(each.optObjectId == object.objectId)
            #expect(each.optUuid == uuid)
            #expect(each.optMood == .calm)
            #expect(each.optLevel == .low)
        }
        try realm.write {
            found.optBool = nil
            found.optInt = nil
            found.optInt8 = nil
            found.optFloat = nil
            found.optDouble = nil
            found.optString = nil
            found.optData = nil
            found.optDate = nil
            found.optDecimal = nil
            found.optObjectId = nil
            found.optUuid = nil
            found.optMood = nil
            found.optLevel = nil
            found.link = nil
            found.string = String(repeating: "x", count: 5000)
        }
        #expect(object.optBool == nil)
        #expect(object.optInt == nil)
        #expect(object.optInt8 == nil)
        #expect(object.optFloat == nil)
        #expect(object.optDouble == nil)
        #expect(object.optString == nil)
        #expect(object.optData == nil)
        #expect(object.optDate == nil)
        #expect(object.optDecimal == nil)
        #expect(object.optObjectId == nil)
        #expect(object.optUuid == nil)
        #expect(object.optMood == nil)
        #expect(object.optLevel == nil)
        #expect(object.link == nil)
        #expect(object.string.count == 5000)
    }

    // Int8 was called Int, and an enum by its raw type: "is of type Int and cannot hold 1000 of type Int".
    @Test(
        arguments: [
            ("int8", 1000, "Everything.int8 is of type Int8 and cannot hold 1000 of type Int"),
            ("optInt8", -129, "Everything.optInt8 is of type Int8? and cannot hold -129 of type Int"),
            ("mood", "angry", "Everything.mood is of type Mood and cannot hold \"angry\" of type String"),
            ("optLevel", 2, "Everything.optLevel is of type Level? and cannot hold 2 of type Int"),
        ] as [(String, any Sendable, String)])
    func `a value that does not fit is refused with the type as it is declared`(
        name: String, value: any Sendable, message: String
    ) throws {
        let directory = try TemporaryRealm()
        let realm = try directory.open(Everything.self)
        let refusal = expectError(.invalidInput) {
            try realm.write { _ = realm.create(Everything.self, value: ["id": 1, name: value]) }
        }
        #expect(refusal.hasSuffix(message))
        #expect(realm.objects(Everything.self).isEmpty)
    }

    @Test func `defaults of types are Realm's, and are fixed at the first read or at add`() throws {
        let object = Everything()
        #expect(object.id == 0)
        #expect(!object.bool)
        #expect(object.string == "")
        #expect(object.data == Data())
        #expect(object.decimal == 0)
        #expect(object.mood == .calm)
        #expect(object.level == .low)
        #expect(object.link == nil)
        #expect(object.optInt == nil)
        #expect(abs(object.date.timeIntervalSinceNow) < 60)
        #expect(object.uuid == object.uuid)
        #expect(object.objectId == object.objectId)
        #expect(Everything().uuid != object.uuid)

        let directory = try TemporaryRealm()
        let realm = try directory.open(Everything.self)
        let (uuid, objectId) = (object.uuid, object.objectId)
        let other = Everything()
        other.id = 1
        try realm.write { realm.add([object, other]) }
        #expect(object.uuid == uuid)
        #expect(object.objectId == objectId)
        #expect(other.uuid == realm.objects(Everything.self).last?.uuid)
    }

    final class Counted: Object {
        nonisolated(unsafe) static var evaluations = 0
        @Persisted var value = evaluate()
        static func evaluate() -> Int {
            evaluations += 1
            return evaluations
        }
    }

    @Test func `a declared default is evaluated once, and never for an object of a realm`() throws {
        let directory = try TemporaryRealm()
        let realm = try directory.open(Counted.self)
        let before = Counted.evaluations
        let object = Counted()
        #expect(Counted.evaluations == before)
        let value = object.value
        #expect(object.value == value)
        try realm.write { realm.add(object) }
        #expect(Counted.evaluations == before + 1)
        #expect(realm.objects(Counted.self).map(\.value) == [value])
        #expect(Counted.evaluations == before + 1)
    }

    final class Node: Object {
        @Persisted var name = ""
        @Persisted var next: Node?
    }

    @Test func `a cycle of objects is added through one of them`() throws {
        let directory = try TemporaryRealm()
        let realm = try directory.open(Node.self)
        let nodes = (0..<3).map { index in
            let node = Node()
            node.name = "\(index)"
            return node
        }
        for (index, node) in nodes.enumerated() { node.next = nodes[(index + 1) % 3] }
        try realm.write { realm.add(nodes[1]) }
        #expect(realm.objects(Node.self).count == 3)
        #expect(nodes.allSatisfy { $0.realm != nil })
        let start = try #require(realm.objects(Node.self).first { $0.name == "0" })
        #expect(start.next?.name == "1")
        #expect(start.next?.next?.name == "2")
        #expect(start.next?.next?.next?.isSameObject(as: start) == true)
    }

    @Test func `a chain of a hundred thousand objects is added through its first`() throws {
        let directory = try TemporaryRealm()
        let realm = try directory.open(Node.self)
        var nodes = [Node()]
        for _ in 1..<100_000 {
            let node = Node()
            node.next = nodes.last
            nodes.append(node)
        }
        try realm.write { realm.add(nodes[99_999]) }
        #expect(realm.objects(Node.self).count == 100_000)
    }

    @Test func `an unmanaged object that is assigned to a link is added`() throws {
        let directory = try TemporaryRealm()
        let realm = try directory.open(Node.self)
        let first = Node()
        try realm.write {
            realm.add(first)
            first.next = Node(value: ["name": "second"])
        }
        #expect(first.next?.name == "second")
        #expect(realm.objects(Node.self).count == 2)
        let second = try #require(first.next)
        try realm.write { realm.delete(second) }
        #expect(first.next == nil)
        #expect(second.isInvalidated)
        #expect(second.realm == nil)
    }

    @Test func `equality follows the primary key, or else the instance`() throws {
        let directory = try TemporaryRealm()
        let realm = try directory.open(Node.self, Everything.self)
        let keyed = Everything()
        let plain = Node()
        try realm.write {
            realm.add(keyed)
            realm.add(plain)
        }
        let keyedAgain = try #require(realm.objects(Everything.self).first)
        let plainAgain = try #require(realm.objects(Node.self).first)
        #expect(keyed == keyedAgain)
        #expect(keyed.hashValue == keyedAgain.hashValue)
        #expect(plain != plainAgain)
        #expect(plain.isSameObject(as: plainAgain))
        #expect(Everything() != Everything())
        #expect(Everything().hashValue == Everything().hashValue)
    }

    // Equal objects had different hash values where one of them had been deleted by a write that was rolled back.
    @Test func `an invalidated object equals itself alone, and keeps the hash value of an integer key`() throws {
        struct Stop: Error {}
        let directory = try TemporaryRealm()
        let realm = try directory.open(Node.self, Everything.self)
        let deleted = Everything()
        try realm.write { realm.add(deleted) }
        let hash = deleted.hashValue
        let key = deleted.id
        let other = try #require(realm.object(ofType: Everything.self, forPrimaryKey: key))
        #expect(other == deleted)
        #expect(throws: Stop.self) {
            try realm.write {
                realm.delete(deleted)
                throw Stop()
            }
        }
        let fresh = try #require(realm.object(ofType: Everything.self, forPrimaryKey: key))
        #expect(deleted.isInvalidated && !fresh.isInvalidated)
        #expect(deleted != fresh && fresh != deleted && deleted == deleted)
        #expect(other.isInvalidated && other != deleted)
        #expect(deleted.hashValue == hash && fresh.hashValue == hash)
    }

    @Test func `a date that is not a number can be described`() {
        let object = Everything()
        object.date = Date(timeIntervalSince1970: .nan)
        #expect(object.description.contains("date = nan"))
    }

    @Test func `a description shows the class, its properties and linked objects to a depth of five`() throws {
        let node = Node(value: ["name": "a", "next": ["name": "b"]])
        #expect(
            node.description == """
                ManagedObjectTests.Node {
                	name = a;
                	next = ManagedObjectTests.Node {
                		name = b;
                		next = nil;
                	};
                }
                """)
        node.next = node
        #expect(node.description.contains("<Maximum depth exceeded>"))
        node.next = nil
    }

    @Test func `properties are read and set by name`() throws {
        let directory = try TemporaryRealm()
        let realm = try directory.open(Node.self, Everything.self)
        let object = Everything()
        object["string"] = "x"
        object.setValue(3 as Int16, forKey: "optInt")
        #expect(object.value(forKey: "string") as? String == "x")
        #expect(object["optInt"] as? Int == 3)
        try realm.write {
            realm.add(object)
            object["mood"] = "wild"
            object["optInt"] = nil
        }
        #expect(object.mood == .wild)
        #expect(object["optInt"] == nil)
        #expect(throws: Realm.Error.self) {
            try realm.write { object["bool"] = "yes" }
        }
    }

    final class TODOTag: Object, Identifiable, Codable {
        @Persisted var id: UUID = UUID()
        @Persisted var type: TagType
        @Persisted var note: String?
        enum TagType: String, RawRepresentable, PersistableEnum, Codable {
            // swift-format-ignore: AlwaysUseLowerCamelCase
            case Priority, DueDate
        }
    }

    @Test func `an object is encoded, and decoded to an unmanaged one`() throws {
        let tag = TODOTag()
        tag.type = .DueDate
        let id = tag.id
        let json = try JSONEncoder().encode(tag)
        let copy = try JSONDecoder().decode(TODOTag.self, from: json)
        #expect(copy.id == id)
        #expect(copy.type == .DueDate)
        #expect(copy.note == nil)
        let partial = Data(#"{"id": "\#(tag.id)", "type": "Priority"}"#.utf8)
        #expect(try JSONDecoder().decode(TODOTag.self, from: partial).note == nil)
        let directory = try TemporaryRealm()
        let realm = try directory.open(TODOTag.self)
        try realm.write { realm.add(tag) }
        #expect(try JSONDecoder().decode(TODOTag.self, from: JSONEncoder().encode(tag)).id == id)
    }
}
