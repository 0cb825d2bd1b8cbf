import Foundation

/// SQLite with prepared statements and the same indexes.
///
/// It reads through a memory map, and keeps a write-ahead log as programs do that read while others write. The log is
/// empty and the planner has its statistics before anything is asked. Outside `BEGIN` a statement is a read transaction
/// of its own.
final class SQLiteQueryEngine: QueryEngine {
    private let database: SQLiteDatabase
    /// For each wanted object the bytes of its values.
    private let wantedKeys: [QueryKey: [[UInt8]]]
    private let statements: Statements

    private struct Statements {
        static func scoreText(by key: QueryKey) -> String {
            switch key {
            case .code: "SELECT score FROM items WHERE code = ?1"
            case .objectID: "SELECT score FROM items WHERE object_id = ?1"
            case .uuid: "SELECT score FROM items WHERE uuid = ?1"
            }
        }

        let scoreByKey: [QueryKey: SQLiteStatement]
        let ageCount, scoresByAge, activeCount, nameCount, scoreSum, agesByScore, activeAgesByCode: SQLiteStatement

        init(_ database: SQLiteDatabase) throws {
            scoreByKey = [
                .code: try database.prepare(Self.scoreText(by: .code)),
                .objectID: try database.prepare(Self.scoreText(by: .objectID)),
                .uuid: try database.prepare(Self.scoreText(by: .uuid)),
            ]
            ageCount = try database.prepare("SELECT count(*) FROM items WHERE age = ?1")
            scoresByAge = try database.prepare("SELECT score FROM items WHERE age = ?1")
            activeCount = try database.prepare("SELECT count(*) FROM items WHERE score > ?1 AND active")
            nameCount = try database.prepare("SELECT count(*) FROM items WHERE instr(name, ?1) > 0")
            scoreSum = try database.prepare("SELECT sum(score) FROM items")
            agesByScore = try database.prepare("SELECT age FROM items ORDER BY score, id LIMIT ?1")
            activeAgesByCode = try database.prepare("SELECT age FROM items WHERE active ORDER BY code LIMIT ?1")
        }
    }

    init(path: String, _ dataset: QueryDataset) throws {
        let database = try SQLiteDatabase(path: path)
        try database.execute(
            """
            PRAGMA journal_mode = WAL;
            PRAGMA synchronous = NORMAL;
            PRAGMA mmap_size = 2147418112;
            PRAGMA cache_size = -262144;
            CREATE TABLE items (
                id INTEGER PRIMARY KEY, code TEXT NOT NULL, object_id BLOB NOT NULL, uuid BLOB NOT NULL,
                age INTEGER NOT NULL, score REAL NOT NULL, active INTEGER NOT NULL, name TEXT NOT NULL);
            CREATE INDEX by_code ON items (code);
            CREATE INDEX by_object_id ON items (object_id);
            CREATE INDEX by_uuid ON items (uuid);
            CREATE INDEX by_age ON items (age);
            """)
        let insert = try database.prepare("INSERT INTO items VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8)")
        try dataset.forEachBatch { rows in
            try database.execute("BEGIN")
            for row in rows { try insert.run(row) }
            try database.execute("COMMIT")
        }
        try database.execute("ANALYZE; PRAGMA wal_checkpoint(TRUNCATE)")
        self.database = database
        wantedKeys = [
            .code: dataset.wanted.map { Array($0.code.utf8) },
            .objectID: dataset.wanted.map(\.objectID),
            .uuid: dataset.wanted.map { row in withUnsafeBytes(of: row.uuid.uuid) { Array($0) } },
        ]
        statements = try Statements(database)
    }

    func sumScores(by key: QueryKey) throws -> Double {
        guard let statement = statements.scoreByKey[key] else { return 0 }
        return try sumScores(by: key) { statement }
    }

    func sumScoresFromText(by key: QueryKey) throws -> Double {
        let text = Statements.scoreText(by: key)
        return try sumScores(by: key) { try database.prepare(text, isKept: false) }
    }

    private func sumScores(by key: QueryKey, _ statement: () throws -> SQLiteStatement) throws -> Double {
        var sum = 0.0
        try database.execute("BEGIN")
        for _ in 0..<QueryDataset.lookUpRepeats {
            for bytes in wantedKeys[key] ?? [] {
                let statement = try statement()
                try bytes.withUnsafeBytes { bytes in
                    try statement.bind(bytes, asText: key == .code, at: 1)
                    if try statement.step() { sum += statement.double(0) }
                    try statement.reset()
                }
            }
        }
        try database.execute("COMMIT")
        return sum
    }

    func countAges() throws -> Int {
        var sum = 0
        for _ in 0..<QueryDataset.ageRepeats {
            for age in 0..<QueryDataset.ageCount {
                try statements.ageCount.bind(age, at: 1)
                try statements.ageCount.forEachRow { sum += $0.int(0) * age }
            }
        }
        return sum
    }

    func sumScoresByAge() throws -> Double {
        var sum = 0.0
        for age in 0..<QueryDataset.ageCount {
            var scores = 0.0
            try statements.scoresByAge.bind(age, at: 1)
            try statements.scoresByAge.forEachRow { scores += $0.double(0) }
            sum += scores * Double(age)
        }
        return sum
    }

    func countActive(scoreAbove bound: Double) throws -> Int {
        try statements.activeCount.bind(bound, at: 1)
        return try statements.activeCount.ints().first ?? 0
    }

    func count(nameContaining part: String) throws -> Int {
        try Array(part.utf8).withUnsafeBytes { bytes in
            try statements.nameCount.bind(bytes, asText: true, at: 1)
            return try statements.nameCount.ints().first ?? 0
        }
    }

    func sumScores() throws -> Double {
        var sum = 0.0
        try statements.scoreSum.forEachRow { sum = $0.double(0) }
        return sum
    }

    func agesByScore(first limit: Int) throws -> [Int] {
        try statements.agesByScore.bind(limit, at: 1)
        return try statements.agesByScore.ints()
    }

    func activeAgesByCode(first limit: Int) throws -> [Int] {
        try statements.activeAgesByCode.bind(limit, at: 1)
        return try statements.activeAgesByCode.ints()
    }
}

extension SQLiteStatement {
    fileprivate func forEachRow(_ body: (SQLiteStatement) -> Void) throws {
        while try step() { body(self) }
    }

    /// The first column of all rows.
    fileprivate func ints() throws -> [Int] {
        var values: [Int] = []
        try forEachRow { values.append($0.int(0)) }
        return values
    }

    /// Inserts one object.
    fileprivate func run(_ row: QueryRow) throws {
        try bind(row.id, at: 1)
        try bind(row.age, at: 5)
        try bind(row.score, at: 6)
        try bind(row.active ? 1 : 0, at: 7)
        let code = Array(row.code.utf8)
        let name = Array(row.name.utf8)
        try code.withUnsafeBytes { code in
            try row.objectID.withUnsafeBytes { objectID in
                try withUnsafeBytes(of: row.uuid.uuid) { uuid in
                    try name.withUnsafeBytes { name in
                        try bind(code, asText: true, at: 2)
                        try bind(objectID, asText: false, at: 3)
                        try bind(uuid, asText: false, at: 4)
                        try bind(name, asText: true, at: 8)
                        while try step() {}
                    }
                }
            }
        }
    }
}
