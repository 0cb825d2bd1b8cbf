import Firn
import Testing

/// Searching as people write: without accents, in small letters, in their script.
@Suite struct SearchTests {
    final class Place: Object {
        @Persisted(primaryKey: true) var name = ""
        @Persisted(indexed: true) var alias: String?
    }

    private let directory: TemporaryRealm
    private let realm: Realm

    init() throws {
        directory = try TemporaryRealm()
        realm = try directory.open(Place.self)
        try realm.write {
            for name in ["a", "A", "á", "Á", "à", "b", "Москва", "МОСТ", "Омск", "Straße", "Ähre"] {
                realm.create(Place.self, value: ["name": name, "alias": name])
            }
        }
    }

    private func names(_ text: String) -> Set<String> { Set(realm.objects(Place.self).filter(text).map(\.name)) }

    @Test func `a letter is found with every accent, in both cases, as the options say`() {
        #expect(names("name == 'a'") == ["a"])
        #expect(names("name ==[d] 'a'") == ["a", "á", "à"])
        #expect(names("name ==[c] 'á'") == ["á", "Á"])
        #expect(names("name ==[cd] 'a'") == ["a", "A", "á", "Á", "à"])
        #expect(names("alias BEGINSWITH[cd] 'ä'") == ["a", "A", "á", "Á", "à", "Ähre"])
    }

    @Test func `case and accents are overlooked together in Swift too`() {
        let found = realm.objects(Place.self).where {
            $0.name.equals("a", options: [.caseInsensitive, .diacriticInsensitive])
        }
        #expect(Set(found.map(\.name)) == ["a", "A", "á", "Á", "à"])
        let containing = realm.objects(Place.self).where {
            $0.alias.contains("AS", options: [.caseInsensitive, .diacriticInsensitive])
        }
        #expect(Set(containing.map(\.name)) == ["Straße"])
    }

    @Test func `case is overlooked in every script`() {
        #expect(names("name BEGINSWITH[c] 'мос'") == ["Москва", "МОСТ"])
        #expect(names("name CONTAINS[c] 'ОМСК'") == ["Омск"])
        #expect(names("alias ==[c] 'STRASSE'") == ["Straße"])
    }
}
