import Firn
import TestSupport
import Testing

@Suite struct LimitTests {
    class Track: Object {
        @Persisted(primaryKey: true) var id = 0
        @Persisted(indexed: true) var plays = 0
        @Persisted var title = ""
        @Persisted var length = 0.0
    }

    class Album: Object {
        @Persisted(primaryKey: true) var id = 0
        @Persisted var tracks: List<Track>
        @Persisted var scores: List<Int>
    }

    private let directory: TemporaryRealm
    private let realm: Realm

    init() throws {
        directory = try TemporaryRealm()
        realm = try directory.open(Track.self, Album.self)
        try realm.write {
            for id in 0..<500 {
                realm.create(
                    Track.self, value: ["id": id, "plays": id * 7 % 100, "title": "t\(id)", "length": Double(id % 60)])
            }
            let album = realm.create(Album.self, value: ["id": 1])
            album.tracks.append(objectsIn: realm.objects(Track.self).filter("id < 10"))
            album.scores.append(objectsIn: [5, 3, 9, 1, 7])
        }
    }

    private var tracks: Results<Track> { realm.objects(Track.self) }
    private var album: Album { get throws { try #require(realm.object(ofType: Album.self, forPrimaryKey: 1)) } }

    @Test func `a page is what its positions hold of the whole`() throws {
        let all: [Results<Track>] = [
            tracks, tracks.sorted(byKeyPath: "plays"), tracks.sorted(byKeyPath: "length", ascending: false),
            tracks.filter("length > 30"), tracks.filter("length > 30").sorted(byKeyPath: "plays", ascending: false),
            tracks.distinct(by: ["length"]), try album.tracks.sorted(byKeyPath: "title", ascending: false),
            tracks.sorted(byKeyPath: "id", ascending: false),
        ]
        for results in all {
            let ids = results.map(\.id) as [Int]
            for (offset, limit) in [(0, 1), (0, 20), (7, 5), (3, 0), (490, 100), (1000, 3), (0, .max), (.max, .max)] {
                let page = results.limit(limit, offset: offset)
                let expected = Array(ids.dropFirst(offset).prefix(limit))
                #expect(page.count == expected.count)
                #expect(page.isEmpty == expected.isEmpty)
                #expect(page.first?.id == expected.first)
                #expect(page.last?.id == expected.last)
                #expect(Array(page.map(\.id)) == expected)
                #expect(page.reversed().map(\.id) == expected.reversed())
            }
        }
    }

    @Test func `a prefix is a page from the start`() {
        let best = tracks.sorted(byKeyPath: "plays", ascending: false).prefix(3)
        #expect(best.map(\.plays) == [99, 99, 99])
        #expect(best.count == 3)
        #expect(tracks.prefix(0).isEmpty)
    }

    @Test func `values are limited as objects are`() throws {
        let scores = try album.scores
        #expect(Array(scores.limit(2)) == [5, 3])
        #expect(Array(scores.sorted().limit(2, offset: 1)) == [3, 5])
        #expect(Array(scores.limit(3).sorted()) == [3, 5, 9])
        #expect(scores.limit(3).sorted()[1] == 5)
        #expect(scores.limit(3).max() == 9)
        #expect(scores.limit(2, offset: 3).sum() == 8)
    }

    @Test func `what is asked of a page is asked of its elements alone`() {
        let page = tracks.sorted(byKeyPath: "id", ascending: false).limit(10)
        #expect(Array(page.filter("id < 493").map(\.id)) == [492, 491, 490])
        #expect(Array(page.where { $0.id < 493 }.sorted(byKeyPath: "id").map(\.id)) == [490, 491, 492])
        #expect(Array(page.sorted(byKeyPath: "id").map(\.id)) == Array(490..<500))
        #expect(Array(page.limit(4, offset: 8).map(\.id)) == [491, 490])
        #expect(page.max(ofProperty: "id") == 499)
        #expect(page.sum(ofProperty: "id") as Int == (490..<500).reduce(0, +))
        #expect(page.index(matching: "id == 495") == 4)
        #expect(page.index(of: tracks[0]) == nil)
        #expect(page.distinct(by: ["length"]).count == 10)
    }

    @Test func `the first object of each value comes from an index, and is the one that a walk finds`() throws {
        for order in [nil, true, false] {
            let sorted = order.map { tracks.sorted(byKeyPath: "plays", ascending: $0) } ?? tracks
            func check() {
                var seen: Set<Int> = []
                let expected = sorted.filter { seen.insert($0.plays).inserted }.map(\.id)
                #expect(Array(sorted.distinct(by: ["plays"]).map(\.id)) == expected)
            }
            check()
            try realm.write {
                realm.delete(tracks.filter("plays == 7"))
                tracks[2].plays = 1000
                check()
                realm.cancelWrite()
            }
        }
        #expect(tracks.distinct(by: ["plays"]).limit(3).map(\.plays) == [0, 7, 14])
    }

    @Test func `a page follows changes`() throws {
        let page = tracks.sorted(byKeyPath: "plays", ascending: false).limit(2)
        let nested = page.filter("plays > 100")
        #expect(nested.isEmpty)
        try realm.write {
            tracks[3].plays = 1000
            #expect(page.first?.id == 3)
            #expect(nested.map(\.id) == [3])
        }
        #expect(page.map(\.plays) == [1000, 99])
        try realm.write { realm.delete(tracks.filter("plays >= 99")) }
        #expect(page.map(\.plays) == [98, 98])
        #expect(nested.isEmpty)
    }

    @Test func `a page goes to another thread`() throws {
        let reference = ThreadSafeReference(to: tracks.sorted(byKeyPath: "id").limit(5).filter("id > 2"))
        let configuration = directory.configuration([Track.self, Album.self])
        try onAnotherThread {
            let page = try #require(Realm(configuration: configuration).resolve(reference))
            #expect(Array(page.map(\.id)) == [3, 4])
        }
    }

    @Test func `a negative limit is told`() async {
        await #expect(processExitsWith: .failure) {
            let directory = try TemporaryRealm()
            _ = try directory.open(Track.self).objects(Track.self).limit(-1)
        }
    }

    // MARK: Plans

    @Test func `results tell how they are found`() throws {
        #expect(tracks.explain() == "scan the table")
        #expect(tracks.filter("id == 3").explain() == "look up primary key id = 3")
        #expect(
            tracks.filter("length > 3").sorted(byKeyPath: "plays").limit(20, offset: 40).explain()
                == "walk index plays, test length > 3, skip 40, take 20")
        #expect(
            tracks.filter("plays > 98").sorted(byKeyPath: "plays").explain()
                == "walk index plays: plays > 98")
        #expect(
            tracks.sorted(by: [SortDescriptor(keyPath: "length", ascending: false), "title"]).explain()
                == "scan the table, sort by length descending, title")
        #expect(
            tracks.sorted(byKeyPath: "plays").distinct(by: ["plays"]).explain()
                == "walk index plays, distinct by plays")
        let ofAlbum = try album.tracks.filter("plays > 3").sorted(byKeyPath: "title").explain()
        #expect(ofAlbum == "elements of LimitTests.Album.tracks, test plays > 3, sort by title")
        #expect(
            tracks.sorted(byKeyPath: "plays").limit(5).filter("id > 3").explain()
                == "walk index plays, take 5, test id > 3")
    }

    // MARK: Aggregates

    @Test func `aggregates are the same with an index, by a scan and one by one`() throws {
        for condition in ["TRUEPREDICATE", "length > 30", "plays > 50", "plays > 50 AND length < 10", "FALSEPREDICATE"]
        {
            let some = tracks.filter(condition)
            let plays = some.map(\.plays) as [Int]
            let lengths = some.map(\.length) as [Double]
            func check() {
                #expect(some.max(ofProperty: "plays") == plays.max())
                #expect(some.min(ofProperty: "plays") == plays.min())
                #expect(some.sum(ofProperty: "plays") == plays.reduce(0, +))
                #expect(some.max(of: \.length) == lengths.max())
                #expect(some.min(of: \.length) == lengths.min())
                #expect(some.sum(of: \.length) == lengths.reduce(0, +))
                #expect(
                    some.average(ofProperty: "plays")
                        == (plays.isEmpty ? nil : Double(plays.reduce(0, +)) / Double(plays.count)))
            }
            check()
            try realm.write {
                check()
                realm.cancelWrite()
            }
        }
    }
}
