import CSQLite
import FirnQuery
import FirnStore

/// The objects of a `RandomTable` in a database of SQLite's, in memory, which is asked what Firn is asked.
final class SQLiteOracle {
    struct Failure: Error, CustomStringConvertible {
        let description: String
    }

    /// What SQLite stores and compares.
    enum Value {
        case null
        case number(Double)
        case text(String)
    }

    private let handle: OpaquePointer

    init(_ random: RandomTable) throws {
        var opened: OpaquePointer?
        guard sqlite3_open_v2(":memory:", &opened, SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE, nil) == SQLITE_OK,
            let opened
        else {
            sqlite3_close_v2(opened)
            throw Failure(description: "SQLite: no database in memory")
        }
        handle = opened
        let names = try random.fixture.table.columns.map(\.name)
        let columns = names.map { ", \"\($0)\"" }.joined()
        // Without types, so that values stay as they are.
        _ = try run("CREATE TABLE Row (key INTEGER PRIMARY KEY\(columns))", [])
        let places = String(repeating: ", ?", count: names.count)
        _ = try run("BEGIN", [])
        for (key, row) in random.model.objects["Row"] ?? [:] {
            _ = try run("INSERT INTO Row VALUES (\(key)\(places))", names.map { Value(row[$0] ?? .null) })
        }
        _ = try run("COMMIT", [])
    }

    deinit { sqlite3_close_v2(handle) }

    /// The keys that a query gives.
    func keys(_ query: SQLQuery, limit: Int) throws -> [ObjectKey] {
        try run("\(query.text) LIMIT \(limit)", query.values).map { ObjectKey(bitPattern: $0) }
    }

    /// Runs a statement; the rows' first columns.
    private func run(_ text: String, _ values: [Value]) throws -> [Int64] {
        var statement: OpaquePointer?
        try check(sqlite3_prepare_v2(handle, text, -1, &statement, nil), text)
        defer { sqlite3_finalize(statement) }
        for (number, value) in values.enumerated() {
            let place = Int32(number + 1)
            switch value {
            case .null: try check(sqlite3_bind_null(statement, place), text)
            case .number(let number): try check(sqlite3_bind_double(statement, place, number), text)
            case .text(let string):
                // SQLite makes a copy: -1 is SQLITE_TRANSIENT, which no importer knows.
                let copies = unsafeBitCast(-1, to: sqlite3_destructor_type.self)
                try check(sqlite3_bind_text(statement, place, string, -1, copies), text)
            }
        }
        var rows: [Int64] = []
        while true {
            let code = sqlite3_step(statement)
            if code == SQLITE_DONE { return rows }
            guard code == SQLITE_ROW else { throw failure(text) }
            rows.append(sqlite3_column_int64(statement, 0))
        }
    }

    private func check(_ code: Int32, _ text: String) throws {
        if code != SQLITE_OK { throw failure(text) }
    }

    private func failure(_ text: String) -> Failure {
        Failure(description: "SQLite: \(String(cString: sqlite3_errmsg(handle))) in \(text)")
    }
}

extension SQLiteOracle.Value {
    init(_ value: GraphModel.Value) {
        switch value {
        case .bool(let value): self = .number(value ? 1 : 0)
        case .number(let value): self = .number(value)
        case .text(let text): self = .text(text)
        case .object(_, let key): self = .number(Double(key))
        default: self = .null
        }
    }

    /// Nil for a constant that has no counterpart.
    init?(_ constant: Constant) {
        switch constant {
        case .null: self = .null
        case .bool(let value): self = .number(value ? 1 : 0)
        case .int(let value): self = .number(Double(value))
        case .double(let value): self = .number(value)
        case .decimal(let bits): self.init(GraphModel.Value.decimal(bits))
        case .date(let seconds, 0): self = .number(Double(seconds))
        case .string(let text): self = .text(text)
        case .uuid(let value): self = .text(value.uuidString)
        case .link(_, let key): self = .number(Double(key))
        default: return nil
        }
    }
}
