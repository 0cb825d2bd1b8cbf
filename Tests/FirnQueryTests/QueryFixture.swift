import FirnQuery
import FirnStore
import Foundation
import LMDB
import TestSupport
import Testing

/// A store with one table, in a directory of its own.
struct QueryFixture {
    let directory = TemporaryDirectory()
    let connection: Connection
    let tableName: String

    var table: StoredTable {
        get throws { try #require(connection.schema[tableName]) }
    }

    init(_ definition: TableDefinition) throws {
        let store = try Store.open(StoreOptions(path: directory.path("a.firn"), durability: .relaxed))
        connection = try Connection(store: store)
        tableName = definition.name
        try connection.prepare([definition], schemaVersion: 0, policy: .migrate)
    }

    func begin() throws {
        try connection.beginWrite(WriteRequest(holder: WriterDescription(text: "test")))
    }

    @discardableResult
    func insert(_ values: [StoredValue]) throws -> ObjectKey {
        try connection.insert(table.id) { writer in
            for value in values { writer.add(value) }
        }
    }

    /// The predicate of a text whose arguments are constants.
    func predicate(_ text: String, _ arguments: Constant...) throws -> BoundPredicate {
        let expression = try PredicateTemplate(text).expression(arguments: arguments) { argument in
            .constant(try #require(argument as? Constant))
        }
        return try BoundPredicate(expression, table: table, in: QueryCatalog(connection.schema))
    }

    /// The keys that match a text, which all ways of executing it must agree on.
    func keys(_ text: String, _ arguments: Constant...) throws -> [ObjectKey] {
        let expression = try PredicateTemplate(text).expression(arguments: arguments) { argument in
            .constant(try #require(argument as? Constant))
        }
        return try keys(BoundPredicate(expression, table: table, in: QueryCatalog(connection.schema)))
    }

    func keys(_ predicate: BoundPredicate) throws -> [ObjectKey] {
        let keys = predicate.keys(in: connection)
        try #require(predicate.count(in: connection) == keys.count, "\(predicate.explanation(in: connection))")
        try #require(predicate.firstKey(in: connection) == keys.first, "\(predicate.explanation(in: connection))")
        let scanned = try predicate.matching(connection.keys(in: table.id), in: connection)
        try #require(scanned == keys, "\(predicate.explanation(in: connection))")
        return keys
    }
}
