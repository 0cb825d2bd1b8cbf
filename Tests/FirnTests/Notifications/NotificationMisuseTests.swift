import Firn
import Foundation
import TestSupport
import Testing

/// What must not be observed, by what the message says. An exit test runs in a process of its own.
@Suite struct NotificationMisuseTests {
    typealias Item = NotificationModel.Item
    typealias Box = NotificationModel.Box

    private static func makeRealm() throws -> Realm {
        let realm = try Realm(
            configuration: Realm.Configuration(
                inMemoryIdentifier: UUID().uuidString, objectTypes: NotificationModel.types))
        try NotificationModel.fill(realm)
        return realm
    }

    @Test func `an unknown key path traps and names the properties`() async {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            _ = try NotificationMisuseTests.makeRealm().objects(Item.self).observe(keyPaths: ["friend.size"]) { _ in }
        }
        expect(result, says: "along 'friend.size'", "has no property 'size'", "rank", "boxes")
    }

    @Test func `a key path through a value traps`() async {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            _ = try NotificationMisuseTests.makeRealm().objects(Item.self).observe(keyPaths: ["rank.name"]) { _ in }
        }
        expect(result, says: "along 'rank.name'", "what stands before 'name' has no properties")
    }

    @Test func `values have no key paths`() async {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            let realm = try NotificationMisuseTests.makeRealm()
            _ = realm.objects(Box.self)[0].numbers.observe(keyPaths: ["self"]) { _ in }
        }
        expect(result, says: "Values were observed along key paths")
    }

    @Test func `what is frozen or unmanaged cannot be observed`() async {
        let frozen = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            _ = try NotificationMisuseTests.makeRealm().objects(Item.self).freeze().observe { _ in }
        }
        expect(frozen, says: "A collection is frozen, and never changes", "thaw()")
        let unmanaged = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            _ = List<Int>().observe { _ in }
        }
        expect(unmanaged, says: "An unmanaged collection was observed")
        let object = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            _ = Item().observe { _ in }
        }
        expect(object, says: "An unmanaged object was observed")
    }

    @Test func `a token of another realm cannot be passed over`() async {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            let realm = try NotificationMisuseTests.makeRealm()
            let token = realm.objects(Item.self).observe { _ in }
            let other = try NotificationMisuseTests.makeRealm()
            try other.write(withoutNotifying: [token]) {}
        }
        expect(result, says: "a token of another realm")
    }

    @Test func `collections of different realms are no group`() async {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            let realm = try NotificationMisuseTests.makeRealm()
            let other = try NotificationMisuseTests.makeRealm()
            _ = NotificationGroup.observe(realm.objects(Item.self), other.objects(Item.self)) { _, _ in }
        }
        expect(result, says: "Collections of different realms were observed together")
    }
}
