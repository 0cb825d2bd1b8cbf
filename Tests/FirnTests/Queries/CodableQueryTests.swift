import Firn
import Foundation
import Testing

/// `Codable` values compared with values in queries: their bytes are, which are equal where the values are.
@Suite struct CodableQueryTests {
    enum Topic: PersistableCodable, Equatable, Hashable {
        case draft
        case topic(String, weight: Int)
        case large(Data)
    }

    class Post: Object {
        @Persisted(primaryKey: true) var id: Int
        @Persisted var topic: Topic = .draft
        @Persisted var other: Topic?
        @Persisted var topics: List<Topic>
        @Persisted var byName: Map<String, Topic>
        @Persisted var next: Post?
    }

    private let directory: TemporaryRealm
    private let posts: Results<Post>
    private static let large = Topic.large(Data(repeating: 7, count: 100_000))

    /// Six posts: the topics are draft, a/1, a/2, large, draft, a/1; others are those of the post behind; each links to that.
    init() throws {
        directory = try TemporaryRealm()
        let realm = try directory.open(Post.self)
        let topics: [Topic] = [
            .draft, .topic("a", weight: 1), .topic("a", weight: 2), Self.large, .draft, .topic("a", weight: 1),
        ]
        try realm.write {
            var next: Post?
            for (id, topic) in topics.enumerated().reversed() {
                let post = Post()
                post.id = id
                post.topic = topic
                post.other = next?.topic
                post.topics.append(objectsIn: topics.prefix(id))
                post.byName["k"] = topic
                post.next = next
                realm.add(post)
                next = post
            }
        }
        posts = realm.objects(Post.self)
    }

    private func ids(_ results: Results<Post>) -> [Int] { results.map(\.id) }

    @Test func `text and where compare with a value`() {
        #expect(ids(posts.where { $0.topic == .draft }) == [0, 4])
        #expect(ids(posts.where { $0.topic == .topic("a", weight: 1) }) == [1, 5])
        #expect(ids(posts.where { $0.topic != .topic("a", weight: 1) }) == [0, 2, 3, 4])
        #expect(ids(posts.where { $0.topic == Self.large }) == [3])
        #expect(ids(posts.where { $0.topic != Self.large }) == [0, 1, 2, 4, 5])
        #expect(ids(posts.where { $0.topic.in([.draft, .topic("a", weight: 2)]) }) == [0, 2, 4])
        let several: [Topic] = [
            .draft, .topic("a", weight: 2), .topic("b", weight: 2), .topic("c", weight: 2), Self.large,
        ]
        #expect(ids(posts.filter("topic IN %@", several)) == [0, 2, 3, 4])
        #expect(ids(posts.filter("topic == %@", Topic.draft)) == [0, 4])
        #expect(ids(posts.filter("NOT topic == %@", Topic.draft)) == [1, 2, 3, 5])
        #expect(ids(posts.filter("next.topic == %@", Topic.draft)) == [3])
    }

    @Test func `nil differs from every value`() {
        #expect(ids(posts.where { $0.other == .draft }) == [3])
        #expect(ids(posts.where { $0.other != .draft }) == [0, 1, 2, 4, 5])
        #expect(ids(posts.where { $0.other == nil }) == [5])
        #expect(ids(posts.where { $0.other.in([nil, .draft]) }) == [3, 5])
    }

    @Test func `collections have any element that equals a value`() {
        #expect(ids(posts.where { $0.topics.contains(.topic("a", weight: 2)) }) == [3, 4, 5])
        #expect(ids(posts.filter("ANY topics == %@", Self.large)) == [4, 5])
        #expect(ids(posts.filter("NONE topics == %@", Topic.draft)) == [0])
        #expect(ids(posts.where { $0.byName["k"] == .draft }) == [0, 4])
        #expect(ids(posts.where { $0.byName.values == Self.large }) == [3])
    }

    @Test func `predicates as values, of Foundation and in a repository do too`() throws {
        let isDraft = try ObjectPredicate<Post>("topic == %@", Topic.draft)
        #expect(ids(posts.filter(isDraft)) == [0, 4])
        #expect(isDraft == (try ObjectPredicate<Post> { $0.topic == .draft }))
        #expect(isDraft != (try ObjectPredicate<Post> { $0.topic == Self.large }))
        let topic = Topic.topic("a", weight: 1)
        #expect(ids(try posts.filter(#Predicate { $0.topic == topic })) == [1, 5])
        let repository = Repository<Post>(realm: try #require(posts.realm))
        #expect(try repository.find(\.topic, equals: .draft).count == 2)
    }

    @Test func `what has no order is not asked for one`() throws {
        for text in ["topic < %@", "topic BETWEEN {%@, %@}", "topic CONTAINS %@"] {
            let arguments = Array(repeating: Topic.draft, count: text.split(separator: "%").count - 1)
            let error = #expect(throws: Realm.Error.self) {
                try ObjectPredicate<Post>(format: text, argumentArray: arguments)
            }
            #expect(error?.message.contains("Post.topic is a Codable value") == true, "\(error?.message ?? "")")
        }
        let error = #expect(throws: Realm.Error.self) { try ObjectPredicate<Post>("topic == 'draft'") }
        #expect(error?.message.contains("a value of its type") == true, "\(error?.message ?? "")")
    }

    @Test func `sorting by one traps`() async {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            let realm = try Realm(configuration: .init(inMemoryIdentifier: "sorted", objectTypes: [Post.self]))
            _ = realm.objects(Post.self).sorted(byKeyPath: "topic")
        }
        expect(result, says: "cannot be sorted by 'topic': a Codable value has no order")
    }
}
