// The names are the article's.
// swift-format-ignore-file: AlwaysUseLowerCamelCase

import Foundation
import RealmSwift
import TestSupport
import Testing

/// The programs of the article "Saving Swift's enums in Realm".
@Suite struct EnumArticleTests {
    // MARK: A simple enum

    enum Simple {
        class TODOTag: Object, Identifiable {
            @Persisted var id: UUID = UUID()
            @Persisted var type: TagType

            public enum TagType: String, RawRepresentable, PersistableEnum {
                case Priority, DueDate
            }
        }
    }

    @Test func `a simple enum is stored with no conversion of one's own`() throws {
        let directory = try TemporaryRealm()
        let configuration = directory.configuration([Simple.TODOTag.self])
        let id = UUID()
        try onAnotherThread {
            let realm = try Realm(configuration: configuration)
            let tag = Simple.TODOTag(value: ["id": id])
            #expect(tag.type == .Priority)
            tag.type = .DueDate
            try realm.write { realm.add(tag) }
        }
        let tag = try #require(try Realm(configuration: configuration).objects(Simple.TODOTag.self).first)
        #expect(tag.id == id)
        #expect(tag.type == .DueDate)
    }

    enum Numbered {
        enum Level: Int, PersistableEnum {
            case low = 1
            case high
        }
        enum Fraction: Double, PersistableEnum {
            case half = 0.5
            case whole = 1
        }

        class Tag: Object {
            @Persisted var level: Level
            @Persisted var fraction: Fraction?
            @Persisted var levels: List<Level>
        }
    }

    @Test func `an enum may have integers for raw values, and others`() throws {
        let realm = try TemporaryRealm().open(Numbered.Tag.self)
        let tag = Numbered.Tag(value: ["level": 2, "fraction": 0.5, "levels": [2, 1]])
        try realm.write { realm.add(tag) }
        #expect(tag.level == .high)
        #expect(tag.fraction == .half)
        #expect(Array(tag.levels) == [.high, .low])
    }

    // MARK: An enum with associated values, taken apart

    @Test func `an AnyRealmValue is set by the case of its type`() throws {
        class Holder: Object {
            @Persisted var anyObject: AnyRealmValue
            override class func shouldIncludeInDefaultSchema() -> Bool { false }
        }
        let holder = Holder()
        holder.anyObject = .string("Hello world")
        #expect(holder.anyObject.stringValue == "Hello world")
        #expect(holder.anyObject.dateValue == nil)
    }

    @Test func `the enum with associated values is made again from its parts`() throws {
        let directory = try TemporaryRealm()
        let configuration = directory.configuration([TODOTag.self])
        let due = Date(timeIntervalSince1970: 1_640_000_000)
        try onAnotherThread {
            let realm = try Realm(configuration: configuration)
            let first = TODOTag()
            let second = TODOTag()
            try realm.write {
                realm.add([first, second])
                first.priority = .High
                second.dueDate = due
            }
        }
        let tags = try Realm(configuration: configuration).objects(TODOTag.self)
        let infos = tags.map(\.tagInfo)
        guard case .Priority(value: .High) = infos.first ?? nil, case .DueDate(let read) = infos.last ?? nil else {
            Issue.record("the tags are \(infos)")
            return
        }
        #expect(read == due)
        #expect(tags.first?.dueDate == nil)
        #expect(tags.last?.priority == nil)
    }

    // MARK: What the article really wants

    enum Wanted {
        class TODOTag: Object {
            @Persisted var id: UUID = UUID()
            @Persisted var info: TagInfoType
            @Persisted var before: TagInfoType?
            @Persisted var history: List<TagInfoType>
            @Persisted var byName: Map<String, TagInfoType>

            enum TagInfoType: PersistableCodable {
                case Priority(value: EnumArticleTests.Wanted.Priority)
                case DueDate(date: Date)
            }
        }

        enum Priority: String, Codable {
            case High, Mid, Low
        }
    }

    @Test func `an enum with associated values is stored as it is`() throws {
        let directory = try TemporaryRealm()
        let configuration = directory.configuration([Wanted.TODOTag.self])
        let due = Wanted.TODOTag.TagInfoType.DueDate(date: Date(timeIntervalSince1970: 1_640_000_000))
        try onAnotherThread {
            let realm = try Realm(configuration: configuration)
            let tag = Wanted.TODOTag()
            tag.info = .Priority(value: .High)
            try realm.write {
                realm.add(tag)
                tag.before = due
                tag.history.append(objectsIn: [due, .Priority(value: .Low)])
                tag.byName["due"] = due
            }
        }
        let tag = try #require(try Realm(configuration: configuration).objects(Wanted.TODOTag.self).first)
        #expect(tag.info == .Priority(value: .High))
        #expect(tag.before == due)
        #expect(Array(tag.history) == [due, .Priority(value: .Low)])
        #expect(tag.byName["due"] == due)
    }

    @Test func `a tag without its info is refused, not stored half`() throws {
        let realm = try TemporaryRealm().open(Wanted.TODOTag.self)
        #expect(throws: Realm.Error.self) {
            try realm.write { realm.add(Wanted.TODOTag()) }
        }
        #expect(realm.isEmpty)
    }

    @Test func `info that was never set traps when it is read`() async {
        await #expect(processExitsWith: .failure) {
            _ = Wanted.TODOTag().info
        }
    }
}

// The article's final program, as it stands.

public enum TODOTagInfo {
    case Priority(value: Priority)
    case DueDate(due: Date)
}

public enum Priority: String, RawRepresentable {
    case High, Mid, Low
    public init?(rawValue: String) {
        switch rawValue {
        case Priority.High.rawValue:
            self = .High
        case Priority.Mid.rawValue:
            self = .Mid
        case Priority.Low.rawValue:
            self = .Low
        default:
            return nil
        }
    }
}

class TODOTag: Object, Identifiable {
    @Persisted var id: UUID = UUID()
    @Persisted var type: TagType
    @Persisted var typeValue: AnyRealmValue

    public enum TagType: String, RawRepresentable, PersistableEnum {
        case Priority, DueDate
    }

    var tagInfo: TODOTagInfo? {
        switch self.type {
        case .Priority:
            if let prio = self.priority {
                return TODOTagInfo.Priority(value: prio)
            }
        case .DueDate:
            if let due = self.dueDate {
                return TODOTagInfo.DueDate(due: due)
            }
        }
        return nil
    }

    var priority: Priority? {
        get {
            guard type == .Priority else { return nil }
            if let strValue = self.typeValue.stringValue {
                return Priority.init(rawValue: strValue)
            }
            return nil
        }
        set(newValue) {
            type = .Priority
            self.typeValue = .string(newValue?.rawValue ?? Priority.Mid.rawValue)
        }
    }

    var dueDate: Date? {
        get {
            typeValue.dateValue
        }
        set(newValue) {
            self.type = .DueDate
            if let newDate = newValue {
                self.typeValue = .date(newDate)
            }
        }
    }
}
