import Foundation
import LMDB
import TestSupport
import Testing

@testable import Firn

/// What apps ask of many objects, and what must be unique: what users of such databases have met, played through. How fast it is the
/// benchmark says; here it is by which plan it is answered, and with how many calls of LMDB.
@Suite struct QueryScenarioTests {
    final class Label: Object {
        @Persisted(indexed: true) var name = ""
        @Persisted(originProperty: "labels") var notes: LinkingObjects<Note>
    }

    final class Note: Object {
        @Persisted(primaryKey: true) var id = 0
        @Persisted(indexed: true) var title = ""
        @Persisted(indexed: true) var rank = 0
        @Persisted(indexed: true) var kind: Int?
        @Persisted var text = ""
        @Persisted var day = Date(timeIntervalSince1970: 0)
        @Persisted var labels: List<Label>
    }

    final class Bare: Object {
        @Persisted var number = 0
    }

    final class Listed: Object {
        @Persisted var number = 0
        @Persisted var numbers: List<Int>
        @Persisted var tags: MutableSet<String>
    }

    final class Word: Object {
        @Persisted(primaryKey: true) var id = 0
        @Persisted var text = ""
    }

    final class Seat: Object {
        @Persisted(primaryKey: true) var id = 0
        @Persisted var row = ""
        @Persisted var number: Int?
        @Persisted(unique: true) var serverID: String?

        override static var indexes: [ObjectIndex] { [ObjectIndex("row", "number", unique: true)] }
    }

    private static let count = 600

    private let directory: TemporaryRealm
    private let realm: Realm

    init() throws {
        directory = try TemporaryRealm()
        realm = try directory.open(Note.self, Label.self, Word.self, Seat.self)
        try realm.write {
            let labels = (0..<60).map { realm.create(Label.self, value: ["name": "label \($0)"]) }
            for id in 0..<Self.count {
                let note = realm.create(
                    Note.self,
                    value: [
                        "id": id, "title": "title \(id * 7 % Self.count)", "rank": id * 11 % 200, "text": "text \(id)",
                    ])
                note.kind = id % 10 == 0 ? nil : id % 10
                note.day = Date(timeIntervalSince1970: Double(id * 13 % Self.count))
                note.labels.append(objectsIn: [labels[id % 60], labels[id % 7]])
            }
        }
    }

    private var notes: Results<Note> { realm.objects(Note.self) }

    @Test func `F1: an order that an index has needs no sorting, before and after changes of other properties`() throws
    {
        let sorted = notes.sorted(byKeyPath: "rank")
        #expect(sorted.explain() == "walk index rank")
        let ids = Array(sorted.map(\.id))
        #expect(ids == (0..<Self.count).sorted { ($0 * 11 % 200, $0) < ($1 * 11 % 200, $1) })
        try realm.write { for note in notes.limit(50) { note.text = "changed" } }
        let calls = Faults.callCount { _ = sorted.count }
        #expect(calls == 0)
        #expect(Array(sorted.map(\.id)) == ids)
        try realm.write { notes[0].rank = 1_000 }
        #expect(sorted.last?.id == 0)
    }

    @Test func `F2: the first of a sorted search by prefix is where the index has the prefix`() {
        let found = notes.filter("title BEGINSWITH 'title 14'").sorted(byKeyPath: "title")
        #expect(found.limit(1).explain() == "walk index title: title BEGINSWITH \"title 14\", take 1")
        #expect(found.first?.title == "title 14")
        #expect(found.count == 11)
    }

    @Test func `F3: a page of a sorted list is read without the objects behind it`() {
        let sorted = notes.sorted(byKeyPath: "rank", ascending: false)
        let page = sorted.limit(10, offset: 20)
        #expect(page.explain() == "walk index rank backwards, skip 20, take 10")
        #expect(page.map(\.rank) == Array(sorted.map(\.rank))[20..<30].map { $0 })
        #expect(notes.filter("rank >= 0").sorted(byKeyPath: "rank").limit(5).explain().hasPrefix("walk index rank"))
    }

    @Test func `F4: what is asked of many linked objects starts at these where an index finds them`() {
        let found = notes.filter("ANY labels.name == 'label 30'").sorted(byKeyPath: "day")
        #expect(
            found.explain()
                == "look up index name: ANY labels.name == \"label 30\", then links by QueryScenarioTests.Note.labels, "
                + "sort by day")
        #expect(
            found.map(\.id)
                == (0..<Self.count).filter { $0 % 60 == 30 }.sorted { $0 * 13 % Self.count < $1 * 13 % Self.count })
        let others = notes.filter("ANY labels.name != 'label 0'").sorted(byKeyPath: "day")
        #expect(others.count == (0..<Self.count).count { $0 % 60 != 0 || $0 % 7 != 0 })
    }

    @Test func `F14: distinct values of every type are found, nil among them`() {
        #expect(notes.distinct(by: ["kind"]).map(\.kind) == [nil, 1, 2, 3, 4, 5, 6, 7, 8, 9])
        #expect(notes.distinct(by: ["title"]).count == Self.count)
        #expect(notes.distinct(by: ["rank"]).count == 200)
        #expect(notes.sorted(byKeyPath: "kind", ascending: false).distinct(by: ["kind"]).map(\.kind).first == 9)
        #expect(notes.distinct(by: ["day", "kind"]).count == Self.count)
        #expect(notes.filter("kind > 7").distinct(by: ["kind"]).map(\.id) == [8, 9])
    }

    @Test func `F6: lists that stay empty take no room of their own`() throws {
        func size(_ type: (some Object).Type) throws -> Int {
            let directory = try TemporaryRealm()
            let realm = try directory.open(type)
            try realm.write { for number in 0..<3_000 { realm.create(type, value: ["number": number]) } }
            return try directory.fileURL.resourceValues(forKeys: [.fileSizeKey]).fileSize ?? 0
        }
        let bare = try size(Bare.self)
        #expect(try size(Listed.self) <= bare + bare / 2)
    }

    @Test func `F9, F10: case and marks are overlooked, each and both, in text and in Swift`() throws {
        try realm.write {
            for (number, name) in ["a", "A", "á", "À", "b"].enumerated() {
                realm.create(Word.self, value: ["id": number, "text": name])
            }
        }
        let words = realm.objects(Word.self)
        #expect(words.filter("text == 'a'").map(\.id) == [0])
        #expect(words.filter("text ==[d] 'a'").map(\.id) == [0, 2])
        #expect(words.filter("text ==[c] 'a'").map(\.id) == [0, 1])
        #expect(words.filter("text CONTAINS[cd] 'a'").map(\.id) == [0, 1, 2, 3])
        #expect(words.where { $0.text.equals("A", options: [.diacriticInsensitive]) }.map(\.id) == [1, 3])
        #expect(
            words.where { $0.text.contains("Á", options: [.caseInsensitive, .diacriticInsensitive]) }.map(\.id)
                == [0, 1, 2, 3])
    }

    @Test func `F11: case is that of every script`() throws {
        try realm.write {
            for (number, name) in ["Москва", "Αθήνα", "ÁRBOL", "Zürich"].enumerated() {
                realm.create(Word.self, value: ["id": number, "text": name])
            }
        }
        let words = realm.objects(Word.self)
        for (number, part) in ["мос", "ΑΘΉ", "árb", "ZÜR"].enumerated() {
            #expect(words.filter("text BEGINSWITH[c] %@", part).map(\.id) == [number])
            #expect(words.where { $0.text.starts(with: part, options: .caseInsensitive) }.map(\.id) == [number])
        }
    }

    @Test func `F19: the distinct values of an index are read without the objects between them`() throws {
        let ranks = notes.sorted(byKeyPath: "rank").distinct(by: ["rank"])
        #expect(ranks.explain() == "walk index rank, distinct by rank")
        #expect(ranks.map(\.rank) == Array(0..<200))
        // Ten times the objects with the same values.
        let before = Faults.callCount { #expect(notes.sorted(byKeyPath: "kind").distinct(by: ["kind"]).count == 10) }
        try realm.write {
            for id in Self.count..<10 * Self.count {
                let note = realm.create(Note.self, value: ["id": id, "title": "title \(id)"])
                note.kind = id % 10 == 0 ? nil : id % 10
            }
        }
        let after = Faults.callCount { #expect(notes.sorted(byKeyPath: "kind").distinct(by: ["kind"]).count == 10) }
        #expect(after <= before + 40, "\(before), \(after)")
    }

    @Test func `F18: objects that point at each other are let go when nothing holds them`() throws {
        weak var kept: Note?
        weak var keptLabel: Label?
        try realm.write {
            for number in 0..<300 {
                let note = Note(value: ["id": Self.count + number])
                for index in 0..<5 { note.labels.append(Label(value: ["name": "new \(number) \(index)"])) }
                realm.add(note)
                if number == 0 {
                    let label = try #require(note.labels.first)
                    #expect(label.notes.first?.id == note.id)
                    kept = note
                    keptLabel = label
                }
            }
        }
        #expect(kept == nil && keptLabel == nil)
        #expect(notes.count == Self.count + 300)
    }

    // MARK: Unique values

    @Test func `G4: two properties are unique together, but for nil, and the error names both with their values`()
        throws
    {
        try realm.write {
            realm.create(Seat.self, value: ["id": 1, "row": "A", "number": 1])
            realm.create(Seat.self, value: ["id": 2, "row": "A", "number": 2])
            realm.create(Seat.self, value: ["id": 3, "row": "B", "number": 1])
        }
        let seats = realm.objects(Seat.self)
        #expect(seats.filter("row == 'A' AND number == 2").explain().hasPrefix("look up index row, number"))
        let insertion = #expect(throws: Realm.Error.self) {
            try realm.write { realm.create(Seat.self, value: ["id": 4, "row": "B", "number": 1]) }
        }
        let update = #expect(throws: Realm.Error.self) {
            try realm.write { seats.filter("id == 2").first?.number = 1 }
        }
        for (error, row) in [(insertion, "B"), (update, "A")] {
            #expect(error?.code == .duplicateValue)
            #expect(error?.message.contains("row = \"\(row)\", number = 1") == true, "\(error?.message ?? "")")
        }
        #expect(seats.map(\.id) == [1, 2, 3] && seats.map(\.number) == [1, 2, 1])
        try realm.write {
            for id in 5...6 { realm.create(Seat.self, value: ["id": id, "row": "C"]) }
        }
        #expect(seats.filter("number == nil").count == 2)
    }

    @Test func `G5: a property besides the primary key is unique`() throws {
        try realm.write { realm.create(Seat.self, value: ["id": 1, "serverID": "s1"]) }
        let error = #expect(throws: Realm.Error.self) {
            try realm.write { realm.create(Seat.self, value: ["id": 2, "serverID": "s1"]) }
        }
        #expect(error?.code == .duplicateValue)
        #expect(error?.message.contains("serverID = \"s1\"") == true, "\(error?.message ?? "")")
        #expect(realm.objects(Seat.self).count == 1)
        #expect(realm.objects(Seat.self).filter("serverID == 's1'").explain().hasPrefix("look up index serverID"))
    }
}
