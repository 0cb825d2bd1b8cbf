import Firn
import Foundation

/// The samples of the article on threads, as they stand there, but for what its "…" leave out. That they compile is half of
/// the test.
enum ThreadsArticle {
    final class Person: Object {
        @Persisted(primaryKey: true) var id = 0
        @Persisted var name = ""
        @Persisted var age = 0
        @Persisted var address: Address?
    }

    final class Address: EmbeddedObject {
        @Persisted var street = ""
    }

    struct Row: Sendable {
        let title: String
    }

    // MARK: Actors

    final class Book: Object {
        @Persisted(primaryKey: true) var id: UUID
        @Persisted var title: String
    }

    actor Library {
        private var realm: Realm!

        init() async throws {
            realm = try await Realm(actor: self)
        }

        func add(_ title: String) async throws {
            try await realm.asyncWrite {
                realm.add(Book(value: ["title": title]))
            }
        }
    }

    // MARK: Writing in the background

    static func add(_ title: String) async throws -> UUID {
        let books = try Repository<Book>()
        let id = try await books.performWrite { books in
            let book = Book(value: ["title": title])
            try books.add(book)
            return book.id
        }
        return id
    }

    static func add(_ rows: [Row]) async throws {
        let books = try Repository<Book>()
        try await books.performWrite(forEach: rows, batchSize: 1_000) { books, row in
            try books.add(Book(value: ["title": row.title]))
        }
    }

    // MARK: Frozen

    static func readAtOnce(_ realm: Realm, _ count: @escaping @Sendable (Person) -> Void) {
        let people = Frozen(realm.objects(Person.self).filter("age > 30"))
        DispatchQueue.concurrentPerform(iterations: 4) { part in
            for person in people.value where person.name.hasPrefix("A") { count(person) }
        }
    }

    static func grow(_ frozen: Person) throws {
        guard let live = frozen.thaw() else { return }
        try live.realm?.write { live.age += 1 }
    }

    // MARK: References

    static func growElsewhere(_ realm: Realm, _ queue: DispatchQueue) {
        let person = ThreadSafe(wrappedValue: realm.objects(Person.self).first)
        queue.async {
            guard let person = person.wrappedValue else { return }
            try? person.realm?.write { person.age += 1 }
        }
    }

    // MARK: Copies

    static func move(_ person: Person, _ realm: Realm) throws {
        let draft = person.detached()
        draft.address?.street = "Elm"
        try realm.write { realm.add(draft, update: .modified) }
    }

    // MARK: Closing

    static func close(_ configuration: Realm.Configuration) async throws {
        try await Realm.close(for: configuration)
        try Realm.deleteFiles(for: configuration)
    }
}

// MARK: The article itself

extension ThreadsArticle {
    /// The samples, each as its lines without their indentation.
    static func samples() throws -> [[String]] {
        let root = URL(fileURLWithPath: #filePath).appendingPathComponent("../../../..").standardizedFileURL
        let url = root.appendingPathComponent("Sources/Firn/Firn.docc/Threads.md")
        var samples: [[String]] = []
        var isIn = false
        for line in lines(try String(contentsOf: url, encoding: .utf8)) {
            if line.hasPrefix("```") {
                isIn = line == "```swift"
                if isIn { samples.append([]) }
            } else if isIn {
                samples[samples.count - 1].append(line)
            }
        }
        return samples
    }

    /// Whether this file has a sample, line by line.
    static func has(_ sample: [String]) throws -> Bool {
        let own = lines(try text())
        return own.indices.contains { start in
            own[start...].count >= sample.count && zip(own[start...], sample).allSatisfy { isAlike($0, $1) }
        }
    }

    /// This file.
    static func text() throws -> String { try String(contentsOfFile: #filePath, encoding: .utf8) }

    private static func lines(_ text: String) -> [String] {
        text.split(separator: "\n").map { $0.trimmingCharacters(in: .whitespaces) }.filter { !$0.isEmpty }
    }

    private static func isAlike(_ own: String, _ sample: String) -> Bool {
        let parts = sample.split(separator: "…", maxSplits: 1)
        return parts.count == 2 ? own.hasPrefix(parts[0]) && own.hasSuffix(parts[1]) : own == sample
    }
}
