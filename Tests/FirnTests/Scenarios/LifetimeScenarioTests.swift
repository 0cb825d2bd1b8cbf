import Firn
import Foundation
import TestSupport
import Testing

/// Deleted, frozen and detached objects: what users of such databases have met, played through.
@Suite struct LifetimeScenarioTests {
    final class Artist: Object {
        @Persisted(primaryKey: true) var id = 0
        @Persisted var name = ""
        @Persisted var albums: List<Album>
    }

    final class Album: Object {
        @Persisted(primaryKey: true) var id = 0
        @Persisted var title = ""
        @Persisted var tracks: List<Track>
        @Persisted var hits: MutableSet<Track>
        @Persisted var bySide: Map<String, Track?>
        @Persisted(originProperty: "albums") var artists: LinkingObjects<Artist>
    }

    final class Track: Object {
        @Persisted(primaryKey: true) var id = 0
        @Persisted var title = ""
        @Persisted var length: Int?
        @Persisted(originProperty: "tracks") var albums: LinkingObjects<Album>

        var initial: String { String(title.prefix(1)) }
    }

    /// Known by nothing but its row.
    final class Play: Object {
        @Persisted var title = ""
    }

    private static let types: [ObjectBase.Type] = [Artist.self, Album.self, Track.self, Play.self]

    private let directory: TemporaryRealm
    private let realm: Realm

    init() throws {
        directory = try TemporaryRealm()
        realm = try Realm(configuration: directory.configuration(Self.types))
        try Self.fill(realm)
    }

    /// An artist with an album of six tracks.
    private static func fill(_ realm: Realm) throws {
        try realm.write {
            let artist = Artist(value: ["id": 1, "name": "Ann"])
            let album = Album(value: ["id": 1, "title": "First"])
            artist.albums.append(album)
            for (id, title) in ["Air", "Ash", "Bay", "Bee", "Cat", "Cod"].enumerated() {
                album.tracks.append(Track(value: ["id": id, "title": title]))
            }
            album.hits.insert(objectsIn: [album.tracks[1], album.tracks[2]])
            album.bySide["A"] = album.tracks[1]
            realm.add(artist)
        }
    }

    private static func makeRealm() throws -> Realm {
        let realm = try Realm(
            configuration: Realm.Configuration(inMemoryIdentifier: UUID().uuidString, objectTypes: types))
        try fill(realm)
        return realm
    }

    private func album() throws -> Album { try #require(realm.object(ofType: Album.self, forPrimaryKey: 1)) }
    private func track(_ id: Int) -> Track? { realm.object(ofType: Track.self, forPrimaryKey: id) }

    // MARK: C1

    @Test func `C1: a row that is deleted while a view shows it is invalid, and no collection hands it out again`()
        throws
    {
        let rows = realm.objects(Track.self).sorted(byKeyPath: "title")
        let album = try album()
        // What the view keeps of the row that it shows.
        let position = 1
        let shown = rows[position]
        let (inList, inSet, inMap) = (album.tracks[1], album.hits.filter("id == 1").first, album.bySide["A"] ?? nil)
        try realm.write {
            realm.delete(shown)
            // The view draws at once.
            #expect(shown.isInvalidated && rows.map(\.title) == ["Air", "Bay", "Bee", "Cat", "Cod"])
        }
        for object in [shown, inList, inSet, inMap] {
            #expect(object?.isInvalidated == true)
        }
        #expect(rows[position].title == "Bay")
        #expect(album.tracks.map(\.id) == [0, 2, 3, 4, 5] && album.hits.map(\.id) == [2])
        #expect(album.bySide.keys == ["A"] && album.bySide["A"] == .some(nil))
        #expect(track(1) == nil)
        #expect(rows.allSatisfy { !$0.isInvalidated && $0.albums.count == 1 })
    }

    @Test func `C1: a property of a deleted row ends the program, and the message names what to ask first`() async {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            let realm = try LifetimeScenarioTests.makeRealm()
            let shown = realm.objects(Track.self)[1]
            try realm.write { realm.delete(shown) }
            _ = shown.title
        }
        expect(
            result, says: "'LifetimeScenarioTests.Track' (primary key 1) has been deleted", "ask `isInvalidated` before"
        )
    }

    // MARK: C2

    @Test func `C2: what one screen holds while another clears the store is invalid, and its copy can be added again`()
        throws
    {
        let artist = try #require(realm.objects(Artist.self).first)
        let albums = artist.albums
        let copy = artist.detached()
        try realm.write { realm.deleteAll() }
        #expect(artist.isInvalidated && albums.isInvalidated)
        #expect(copy.name == "Ann" && copy.albums[0].tracks.count == 6)

        try realm.write { realm.add(copy) }
        // It has become the live object; the old one stays what it was.
        #expect(copy.realm == realm && !copy.isInvalidated && artist.isInvalidated && albums.isInvalidated)
        #expect(
            realm.objects(Artist.self).first?.albums.first?.tracks.map(\.title) == [
                "Air", "Ash", "Bay", "Bee", "Cat", "Cod",
            ])
        #expect(try album().bySide["A"]??.id == 1 && album().hits.count == 2)
        expectIntact(realm)
    }

    @Test func `C2: reading what was cleared ends the program, and the message names isInvalidated`() async {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            let realm = try LifetimeScenarioTests.makeRealm()
            let artist = try #require(realm.objects(Artist.self).first)
            let configuration = realm.configuration
            // The other screen has a thread of its own.
            try onAnotherThread {
                let realm = try Realm(configuration: configuration)
                try realm.write { realm.deleteAll() }
            }
            guard artist.name == "Ann", realm.refresh() else { return }
            _ = artist.name
        }
        expect(result, says: "'LifetimeScenarioTests.Artist' (primary key 1) has been deleted", "isInvalidated")
    }

    // MARK: C3

    @Test func `C3: sections that a view was given stay as they are while their rows are deleted`() throws {
        let live = realm.objects(Track.self).sectioned(by: \.initial)
        let shown = live.freeze()
        var titles: [String] = []
        for section in shown.indices {
            for item in shown[section].indices {
                let track = shown[section][item]
                titles.append(shown[section].key + track.title)
                // The rest of the section goes with it.
                try realm.write { realm.delete(realm.objects(Track.self).filter("title BEGINSWITH %@", track.initial)) }
                #expect(!live.allKeys.contains(shown[section].key))
            }
        }
        #expect(titles == ["AAir", "AAsh", "BBay", "BBee", "CCat", "CCod"])
        #expect(shown.allKeys == ["A", "B", "C"] && live.isEmpty)
    }

    @Test func `C3: a loop over live sections goes over what was there when it began`() throws {
        var keys: [String] = []
        var areInvalidated: [Bool] = []
        for section in realm.objects(Track.self).sectioned(by: \.initial) {
            keys.append(section.key)
            for track in section {
                areInvalidated.append(track.isInvalidated)
                try realm.write { realm.delete(realm.objects(Track.self).filter("title BEGINSWITH %@", section.key)) }
            }
        }
        #expect(keys == ["A", "B", "C"])
        #expect(areInvalidated == [false, true, false, true, false, true])
    }

    // MARK: C4, C5

    @Test func `C4: what was frozen on one thread is live again on another, where it is edited`() async throws {
        let frozen = try frozenTrack()
        try await onNewThread {
            #expect(frozen.value.isFrozen && frozen.value.title == "Bay")
            let live = try #require(frozen.value.thaw())
            #expect(!live.isFrozen)
            try #require(live.realm).write { live.title = "Box" }
            #expect(live.title == "Box" && frozen.value.title == "Bay")
        }
        let configuration = directory.configuration(Self.types)
        let title = try await onNewThread {
            try Realm(configuration: configuration).object(ofType: Track.self, forPrimaryKey: 2)?.title
        }
        #expect(title == "Box")
    }

    /// Freezes a track in a realm of the calling thread.
    private func frozenTrack() throws -> Frozen<Track> {
        let realm = try Realm(configuration: directory.configuration(Self.types))
        return Frozen(try #require(realm.object(ofType: Track.self, forPrimaryKey: 2)))
    }

    @Test func `C5: thawing what is gone gives nil, whatever it is`() throws {
        let album = try album()
        let (frozenAlbum, frozenTrack) = (album.freeze(), album.tracks[0].freeze())
        let rows = realm.objects(Track.self).filter("id < 3").freeze()
        try realm.write { realm.deleteAll() }
        #expect(frozenAlbum.thaw() == nil && frozenTrack.thaw() == nil)
        #expect(frozenAlbum.tracks.thaw() == nil && frozenAlbum.hits.thaw() == nil && frozenAlbum.bySide.thaw() == nil)
        #expect(frozenTrack.albums.thaw() == nil && rows[1].thaw() == nil)
        // There are no rows any more; what asks for them is there still.
        #expect(rows.thaw()?.count == 0)
        #expect(frozenAlbum.title == "First" && frozenAlbum.tracks.count == 6 && rows.count == 3)
    }

    // MARK: C6

    @Test func `C6: a frozen object says so, and its links and backlinks are of its version`() throws {
        let frozen = try #require(track(1)).freeze()
        try realm.write {
            try album().tracks.removeAll()
            try album().title = "Second"
            realm.delete(realm.objects(Artist.self))
        }
        let owner = try #require(frozen.albums.first)
        let artist = try #require(owner.artists.first)
        #expect(frozen.isFrozen && owner.isFrozen && artist.isFrozen)
        #expect(frozen.albums.isFrozen && owner.tracks.isFrozen && owner.hits.isFrozen && owner.bySide.isFrozen)
        #expect(frozen.albums.count == 1 && owner.title == "First" && artist.name == "Ann")
        #expect(owner.tracks.map(\.id) == Array(0..<6) && owner.tracks[1] == frozen && artist.albums[0] == owner)
        #expect(frozen.realm?.objects(Artist.self).filter("ANY albums.tracks.title == 'Ash'").count == 1)
    }

    // MARK: C9

    @Test func `C9: what is added after a clearing is never taken for what was there before`() throws {
        let old = try realm.write { (0..<3).map { realm.create(Play.self, value: ["title": "old \($0)"]) } }
        let frozen = old.map { $0.freeze() }
        let references = old.map { ThreadSafeReference(to: $0) }
        for _ in 0..<3 {
            try realm.write {
                realm.deleteAll()
                for number in 0..<3 { realm.create(Play.self, value: ["title": "new \(number)"]) }
            }
        }
        #expect(realm.objects(Play.self).map(\.title) == ["new 0", "new 1", "new 2"])
        #expect(old.allSatisfy { $0.isInvalidated } && frozen.allSatisfy { $0.thaw() == nil })
        for reference in references { #expect(realm.resolve(reference) == nil) }
        // An integer primary key is its own identity; who was seen to be deleted stays so.
        let track = Track(value: ["id": 2, "title": "made anew"])
        let live = try realm.write { realm.create(Track.self, value: ["id": 2, "title": "Bay"]) }
        let wasFrozen = live.freeze()
        try realm.write {
            realm.delete(live)
            realm.add(track)
        }
        #expect(live.isInvalidated && wasFrozen.title == "Bay" && wasFrozen.thaw() == track)
    }

    @Test func `C9: nor by another process that begins where this one has cleared the store`() async throws {
        let held = try clearedPlay()
        await #expect(processExitsWith: .success) { [url = directory.fileURL as URL] in
            var configuration = Realm.Configuration(fileURL: url, objectTypes: LifetimeScenarioTests.types)
            configuration.reservationInBytes = 1 << 34
            let realm = try Realm(configuration: configuration)
            try realm.write { for number in 0..<3 { realm.create(Play.self, value: ["title": "new \(number)"]) } }
        }
        try await onNewThread {
            let realm = try #require(held.value.realm).thaw()
            #expect(realm.objects(Play.self).map(\.title) == ["new 0", "new 1", "new 2"])
            #expect(held.value.title == "old" && held.value.thaw() == nil)
        }
    }

    /// Adds something in a realm of the calling thread, freezes it, and clears the store.
    private func clearedPlay() throws -> Frozen<Play> {
        let realm = try Realm(configuration: directory.configuration(Self.types))
        let play = try realm.write { realm.create(Play.self, value: ["title": "old"]) }
        let frozen = Frozen(play)
        try realm.write { realm.deleteAll() }
        return frozen
    }

    // MARK: C10

    @Test func `C10: a copy of a graph is edited freely, and saved as an upsert when the user says so`() throws {
        let artist = try #require(realm.objects(Artist.self).first)
        let draft = artist.detached()
        #expect(draft.realm == nil && draft.albums[0].realm == nil && draft.albums[0].tracks[5].realm == nil)
        // No write is open, and other threads see nothing of it.
        draft.name = "Anna"
        draft.albums[0].title = "First, again"
        draft.albums[0].tracks[0].length = 180
        draft.albums[0].tracks.removeLast()
        draft.albums[0].tracks.append(Track(value: ["id": 6, "title": "Dew"]))
        #expect(
            artist.name == "Ann" && artist.albums[0].title == "First"
                && artist.albums[0].tracks.map(\.id) == Array(0..<6))

        // Meanwhile somebody else adds what the draft does not know.
        try realm.write { realm.add(Artist(value: ["id": 2, "name": "Bob"])) }
        try realm.write { realm.add(draft, update: .modified) }
        #expect(artist.name == "Anna" && artist.albums[0].title == "First, again" && track(0)?.length == 180)
        #expect(artist.albums[0].tracks.map(\.id) == [0, 1, 2, 3, 4, 6] && artist.albums[0].hits.count == 2)
        #expect(realm.objects(Artist.self).count == 2 && realm.objects(Album.self).count == 1)
        expectIntact(realm)
    }

    @Test func `C10: a copy can be cut off at a depth`() throws {
        let artist = try #require(realm.objects(Artist.self).first)
        let shallow = artist.detached(depth: 1)
        #expect(shallow.albums.map(\.title) == ["First"] && shallow.albums[0].tracks.isEmpty)
        #expect(artist.detached(depth: 0).albums.isEmpty)
    }
}
