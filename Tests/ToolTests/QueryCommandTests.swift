import FirnStore
import FirnTool
import Foundation
import LMDB
import TestSupport
import Testing

/// `firn query` on a file with a value of every type.
@Suite struct QueryCommandTests {
    private let directory = TemporaryDirectory()
    private var path: String { directory.path("query.firn") }

    private static let tables = [
        TableDefinition(
            name: "Dog", primaryKey: "id",
            columns: [
                ColumnDefinition(name: "id", type: .int),
                ColumnDefinition(name: "name", type: .string, isIndexed: true),
                ColumnDefinition(name: "weight", type: .double, isOptional: true),
                ColumnDefinition(name: "owner", type: .link, isOptional: true, target: "Person"),
            ]),
        TableDefinition(
            name: "Person", primaryKey: "name", columns: [ColumnDefinition(name: "name", type: .string)]),
        TableDefinition(
            name: "Part", isEmbedded: true, columns: [ColumnDefinition(name: "size", type: .float)]),
        TableDefinition(
            name: "All",
            columns: [
                ColumnDefinition(name: "flag", type: .bool), ColumnDefinition(name: "real", type: .double),
                ColumnDefinition(name: "exact", type: .decimal), ColumnDefinition(name: "date", type: .date),
                ColumnDefinition(name: "text", type: .string, isOptional: true),
                ColumnDefinition(name: "bytes", type: .data),
                ColumnDefinition(name: "oid", type: .objectID), ColumnDefinition(name: "uuid", type: .uuid),
                ColumnDefinition(name: "extra", type: .any),
                ColumnDefinition(name: "part", type: .link, isOptional: true, target: "Part"),
                ColumnDefinition(name: "numbers", type: .int, collection: .list),
                ColumnDefinition(name: "words", type: .string, collection: .set),
                ColumnDefinition(name: "map", type: .any, collection: .map),
            ]),
    ]

    init() throws {
        let connection = try Connection(store: Store.open(StoreOptions(path: path, reservation: 1 << 34)))
        try connection.prepare(Self.tables, schemaVersion: 0, policy: .migrate)
        try connection.beginWrite(WriteRequest(holder: WriterDescription(text: "test")))
        let (dog, person) = (try #require(connection.schema["Dog"]), try #require(connection.schema["Person"]))
        let ann = try connection.insert(person.id) { $0.addString("Ann") }
        let bob = try connection.insert(person.id) { $0.addString("Bob, \"B\"") }
        for (id, name, weight, owner) in [
            (1, "Rex", 30.5, bob), (2, "Laika", 6, ann), (3, "a\nb\u{301}", nil, nil), (4, "Rex", 7.25, ann),
        ] as [(Int64, String, Double?, ObjectKey?)] {
            try connection.insert(dog.id) { writer in
                writer.addInt(id)
                writer.addString(name)
                writer.add(weight.map { .double($0) } ?? .null)
                writer.add(owner.map { .link($0) } ?? .null)
            }
        }
        try Self.addAll(to: connection, ann, person)
        try connection.commit()
    }

    private static func addAll(to connection: Connection, _ ann: ObjectKey, _ person: StoredTable) throws {
        let (all, part) = (try #require(connection.schema["All"]), try #require(connection.schema["Part"]))
        let partKey = try connection.insert(part.id) { $0.add(.float(0.1)) }
        let values: [StoredValue] = [
            .bool(true), .double(-.infinity), .decimal(DecimalParts(coefficient: 150, exponent: -2).bits),
            .date(seconds: 0, nanoseconds: -500_000_000), .null, .data(Data([1, 2, 255])),
            .objectID(ObjectIDBytes(high: 1, low: 2)),
            .uuid(UUID(uuid: (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 7))),
            .typedLink(table: person.id.rawValue, key: ann), .link(partKey), .null, .null, .null,
        ]
        let key = try connection.insert(all.id) { writer in for value in values { writer.add(value) } }
        let places = all.columns.map { CollectionPlace(row: RowID(table: all.id, key: key), slot: $0.slot) }
        try connection.listInsert(places[10], [.int(3), .int(-1)], at: 0)
        for word in ["b", "a\"", "\u{1}"] { try connection.setInsert(places[11], .string(word)) }
        try connection.mapSet(places[12], "k", .bool(false))
        try connection.mapSet(places[12], "n", .null)
    }

    private func query(_ words: String...) throws -> ToolRun {
        let (className, rest) = (words[0], words.dropFirst())
        return try ToolRun(arguments: ["query", path, className] + rest)
    }

    @Test func `a table has aligned columns and as many lines as objects`() throws {
        let run = try query("Dog")
        #expect(run.ending == .exited(0))
        #expect(run.errors == "")
        #expect(
            run.rows == [
                "id  name   weight  owner", " 1  Rex      30.5  Bob, \"B\"", " 2  Laika     6.0  Ann",
                " 3  a\\nb\u{301}      nil  nil", " 4  Rex      7.25  Ann", "(4 objects)",
            ])
        #expect(try query("Dog", "id == 9").rows == ["id  name  weight  owner", "(0 objects)"])
    }

    @Test func `objects are found, sorted, skipped and counted`() throws {
        #expect(
            try query("Dog", "owner.name == 'Ann'", "--csv").rows == [
                "id,name,weight,owner", "2,Laika,6.0,Ann", "4,Rex,7.25,Ann",
            ])
        func ids(_ words: String...) throws -> [Substring] {
            let run = try ToolRun(arguments: ["query", path, "Dog", "--csv"] + words)
            return run.rows.dropFirst().compactMap { $0.split(separator: ",").first }.filter { $0.count == 1 }
        }
        #expect(try ids("--sort", "name,id:desc", "id != 3") == ["2", "4", "1"])
        #expect(try ids("--sort", "weight:desc", "id != 3") == ["1", "4", "2"])
        #expect(try ids("--sort", "owner.name:desc,id", "id != 3") == ["1", "2", "4"])
        #expect(try ids("--sort", "id:desc", "--offset", "1", "--limit", "1", "id != 3") == ["2"])
        #expect(try query("Dog", "id > 1", "--count").output == "3\n")
        #expect(try query("Dog", "--count", "--offset", "1", "--limit", "2").output == "2\n")
        #expect(try query("Dog", "--limit", "1").rows.last == "(1 of 4 objects)")
        // The columns are as wide as what is printed needs, not as what is left out.
        #expect(
            try query("Dog", "--offset", "1", "--limit", "1").rows == [
                "id  name   weight  owner", " 2  Laika     6.0  Ann", "(1 of 4 objects)",
            ])
    }

    @Test func `the plan is shown instead`() throws {
        #expect(
            try query("Dog", "name == 'Rex' AND weight > 3", "--explain", "--sort", "weight:desc").output
                == "look up index name: name == \"Rex\", test weight > 3, sort by weight descending\n")
    }

    @Test func `JSON has each type as documented, and can be read`() throws {
        let run = try query("All", "--json")
        let parsed = try #require(
            try JSONSerialization.jsonObject(with: Data(run.output.utf8)) as? [[String: Any]])
        let object = try #require(parsed.first)
        #expect(object["flag"] as? Bool == true)
        #expect(object["real"] as? String == "-inf")
        #expect(object["exact"] as? String == "150E-2")
        #expect(object["date"] as? String == "1969-12-31T23:59:59.5Z")
        #expect(object["text"] is NSNull)
        #expect(object["bytes"] as? String == "AQL/")
        #expect(object["oid"] as? String == "000000000000000100000002")
        #expect(object["uuid"] as? String == "00000000-0000-0000-0000-000000000007")
        #expect(object["extra"] as? [String: String] == ["class": "Person", "object": "Ann"])
        #expect((object["part"] as? [String: Double])?["size"] == 0.1)
        #expect(object["numbers"] as? [Int] == [3, -1])
        #expect(object["words"] as? [String] == ["\u{1}", "a\"", "b"])
        #expect((object["map"] as? [String: Any])?["k"] as? Bool == false)
        #expect((object["map"] as? [String: Any])?["n"] is NSNull)
        #expect(try query("All", "flag == FALSE", "--json").output == "[]\n")
        #expect(try query("Dog", "--json").rows.count == 6)
        let some = try query("Dog", "--json", "--offset", "1", "--limit", "2", "--sort", "id:desc", "id != 3")
        #expect(
            some.rows == [
                "[", #"  {"id": 2, "name": "Laika", "weight": 6.0, "owner": "Ann"},"#,
                #"  {"id": 1, "name": "Rex", "weight": 30.5, "owner": "Bob, \"B\""}"#, "]",
            ])
        #expect(try query("Dog", "--json", "--offset", "4").output == "[]\n")
    }

    @Test func `CSV quotes what it must, lines within a field too`() throws {
        let run = try query("Dog", "--csv", "id IN {1, 3}")
        #expect(run.output == "id,name,weight,owner\n1,Rex,30.5,\"Bob, \"\"B\"\"\"\n3,\"a\nb\u{301}\",,\n")
    }

    @Test(arguments: [
        (["Dog", "name = = 'x'"], "firn: ", "  name = = 'x'\n         ^\n"),
        (["Dog", "id > 1 AND nmae == 'x'"], "Dog has no property “nmae”; did you mean name?", "\n             ^\n"),
        (["Cat"], "there is no class 'Cat'; the file has the classes All, Dog, Part, Person", ""),
        (["Dog", "--sort", "nmae"], "Dog has no property “nmae”; it has id, name, weight, owner", ""),
        (["Dog", "--sort", "owner"], "", ""),
        (["Dog", "--sort", "name.x"], "Dog.name is no link to one object", ""),
        (["Dog", "id == %@"], "takes 1 argument", ""),
        (["Dog", "--json", "--csv"], "--json and --csv exclude each other", ""),
    ])
    func `what cannot be answered is explained, and where`(words: [String], message: String, marked: String) throws {
        let run = try ToolRun(arguments: ["query", path] + words)
        guard !message.isEmpty else {
            #expect(run.ending == .exited(0), "\(run.errors)")
            return
        }
        #expect(run.ending == .exited(2))
        #expect(run.output == "")
        #expect(run.errors.contains(message), "\(run.errors)")
        #expect(run.errors.hasSuffix(marked) || marked.isEmpty, "\(run.errors)")
    }

    @Test func `a file is left as it is, and one that is none is an error`() throws {
        let before = try Data(contentsOf: URL(fileURLWithPath: path))
        _ = try query("Dog", "--sort", "name")
        #expect(try Data(contentsOf: URL(fileURLWithPath: path)) == before)
        let run = try ToolRun("query", directory.path("none.firn"), "Dog")
        #expect(run.ending == .exited(2))
        #expect(run.errors.hasPrefix("firn: cannot query "))
    }
}

extension ToolRun {
    /// The lines that it printed.
    fileprivate var rows: [String] { Array(lines.dropLast()) }
}
