import Foundation
import TestSupport
import Testing

@testable import Firn

/// What apps ask of many objects: by which plan it is answered, and with what.
@Suite struct LargeResultsTests {
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

    private static let count = 600

    private let directory: TemporaryRealm
    private let realm: Realm

    init() throws {
        directory = try TemporaryRealm()
        realm = try directory.open(Note.self, Label.self)
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

    @Test func `an order that an index has needs no sorting, before and after changes of other properties`() throws {
        let sorted = notes.sorted(byKeyPath: "rank")
        #expect(sorted.explain() == "walk index rank")
        let ids = Array(sorted.map(\.id))
        #expect(ids == (0..<Self.count).sorted { ($0 * 11 % 200, $0) < ($1 * 11 % 200, $1) })
        try realm.write { for note in notes.limit(50) { note.text = "changed" } }
        #expect(Array(sorted.map(\.id)) == ids)
        try realm.write { notes[0].rank = 1_000 }
        #expect(sorted.last?.id == 0)
    }

    @Test func `the first of a sorted search by prefix is where the index has the prefix`() {
        let found = notes.filter("title BEGINSWITH 'title 14'").sorted(byKeyPath: "title")
        #expect(found.limit(1).explain() == "walk index title: title BEGINSWITH \"title 14\", take 1")
        #expect(found.first?.title == "title 14")
        #expect(found.count == 11)
    }

    @Test func `a page of a sorted list is read without the objects behind it`() {
        let sorted = notes.sorted(byKeyPath: "rank", ascending: false)
        let page = sorted.limit(10, offset: 20)
        #expect(page.explain() == "walk index rank backwards, skip 20, take 10")
        #expect(page.map(\.rank) == Array(sorted.map(\.rank))[20..<30].map { $0 })
        #expect(notes.filter("rank >= 0").sorted(byKeyPath: "rank").limit(5).explain().hasPrefix("walk index rank"))
    }

    @Test func `what is asked of many linked objects starts at these where an index finds them`() {
        let found = notes.filter("ANY labels.name == 'label 30'").sorted(byKeyPath: "day")
        #expect(
            found.explain()
                == "look up index name: ANY labels.name == \"label 30\", then links by LargeResultsTests.Note.labels, "
                + "sort by day")
        #expect(
            found.map(\.id)
                == (0..<Self.count).filter { $0 % 60 == 30 }.sorted { $0 * 13 % Self.count < $1 * 13 % Self.count })
        let others = notes.filter("ANY labels.name != 'label 0'").sorted(byKeyPath: "day")
        #expect(others.count == (0..<Self.count).count { $0 % 60 != 0 || $0 % 7 != 0 })
    }

    @Test func `distinct values of every type are found, nil among them`() {
        #expect(notes.distinct(by: ["kind"]).map(\.kind) == [nil, 1, 2, 3, 4, 5, 6, 7, 8, 9])
        #expect(notes.distinct(by: ["title"]).count == Self.count)
        #expect(notes.distinct(by: ["rank"]).count == 200)
        #expect(notes.sorted(byKeyPath: "kind", ascending: false).distinct(by: ["kind"]).map(\.kind).first == 9)
        #expect(notes.distinct(by: ["day", "kind"]).count == Self.count)
        #expect(notes.filter("kind > 7").distinct(by: ["kind"]).map(\.id) == [8, 9])
    }

    @Test func `lists that stay empty take no room of their own`() throws {
        func size(_ type: (some Object).Type) throws -> Int {
            let directory = try TemporaryRealm()
            let realm = try directory.open(type)
            try realm.write { for number in 0..<3_000 { realm.create(type, value: ["number": number]) } }
            return try directory.fileURL.resourceValues(forKeys: [.fileSizeKey]).fileSize ?? 0
        }
        let bare = try size(Bare.self)
        #expect(try size(Listed.self) <= bare + bare / 2)
    }

    @Test func `objects that point at each other are let go when nothing holds them`() throws {
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
}
