import FirnQuery
import FirnStore
import Foundation
import LMDB
import TestSupport

/// A store with columns of all types, and few objects.
///
/// Each object leads to one other at most by whatever link, so that no path, however long, leads to many.
final class PredicateWorld {
    let connection: Connection
    let catalog: QueryCatalog
    let row: StoredTable
    private let directory = TemporaryDirectory()

    init() throws {
        let store = try Store.open(
            StoreOptions(path: directory.path("a.firn"), durability: .relaxed, reservation: 1 << 30))
        connection = try Connection(store: store)
        try connection.prepare([Self.row, Self.place], schemaVersion: 0, policy: .migrate)
        guard let row = connection.schema["Row"], let place = connection.schema["Place"], let link = row["link"] else {
            throw FuzzFinding("the schema lacks a table")
        }
        self.row = row
        catalog = QueryCatalog(
            connection.schema,
            names: [row.id: ["origins": .links(from: row.id, column: link.id), "名": .column("int")]])
        try connection.beginWrite(WriteRequest(holder: WriterDescription(text: "fuzzing")))
        let placeKey = try connection.insert(place.id) { writer in
            writer.add(.string("Point"))
            writer.add(.null)
        }
        let coordinates = CollectionPlace(row: RowID(table: place.id, key: placeKey), slot: 1)
        try connection.listInsert(coordinates, [.double(1.5), .double(-2)], at: 0)
        var last: ObjectKey?
        for number in 0..<4 as Range<Int64> { last = try insert(number, linkedTo: last, place: placeKey) }
        try connection.commit()
    }

    // MARK: Schema

    private static let row: TableDefinition = {
        var columns = [ColumnDefinition(name: "id", type: .int)]
        for type in ColumnType.allCases where type != .link {
            let name = type == .decimal ? "decimal" : type == .coded ? "coded" : type.name
            let hasOrder = type != .coded
            columns.append(
                ColumnDefinition(name: name, type: type, isOptional: type == .coded, isIndexed: hasOrder))
            if type != .any { columns.append(ColumnDefinition(name: name + "OrNil", type: type, isOptional: true)) }
            columns.append(ColumnDefinition(name: name + "List", type: type, collection: .list))
            if hasOrder { columns.append(ColumnDefinition(name: name + "Set", type: type, collection: .set)) }
            columns.append(
                ColumnDefinition(name: name + "Map", type: type, isOptional: type != .any, collection: .map))
        }
        for (name, collection) in [("link", nil), ("links", .list), ("linkSet", .set), ("linkMap", .map)]
            as [(String, CollectionKind?)]
        {
            columns.append(
                ColumnDefinition(
                    name: name, type: .link, isOptional: collection == nil || collection == .map,
                    collection: collection, target: "Row"))
        }
        columns.append(ColumnDefinition(name: "place", type: .link, isOptional: true, target: "Place"))
        columns.append(ColumnDefinition(name: "and", type: .bool))
        return TableDefinition(
            name: "Row", primaryKey: "id", columns: columns,
            indexes: [
                IndexDefinition(["int", "string"]), IndexDefinition(["string", "date", "any"]),
                IndexDefinition(["link", "double"]), IndexDefinition(["decimalOrNil", "uuidOrNil"]),
            ])
    }()

    private static let place = TableDefinition(
        name: "Place",
        columns: [
            ColumnDefinition(name: "type", type: .string),
            ColumnDefinition(name: "coordinates", type: .double, collection: .list),
        ])

    // MARK: Objects

    private func insert(_ number: Int64, linkedTo target: ObjectKey?, place: ObjectKey) throws -> ObjectKey {
        let columns = row.columns
        let key = try connection.insert(row.id) { writer in
            for column in columns {
                writer.add(column.collection == nil ? Self.value(of: column, number, target, place) : .null)
            }
        }
        for column in columns {
            guard let collection = column.collection else { continue }
            let values = CollectionPlace(row: RowID(table: row.id, key: key), slot: column.slot)
            let value = Self.value(of: column, number, target, place)
            if column.type == .link, value.isNull { continue }
            switch collection {
            case .list: try connection.listInsert(values, [value], at: 0)
            case .set: try connection.setInsert(values, value)
            case .map: try connection.mapSet(values, "k", value)
            }
        }
        return key
    }

    private static func value(
        of column: StoredColumn, _ number: Int64, _ target: ObjectKey?, _ place: ObjectKey
    ) -> StoredValue {
        if column.isOptional, column.type != .link, number == 2 { return .null }
        let text = String(repeating: "aé", count: number == 3 ? 300 : Int(number))
        switch column.type {
        case .bool: return .bool(number % 2 == 0)
        case .int: return .int(number - 1)
        case .float: return .float(number == 3 ? .nan : Float(number) / 2)
        case .double: return .double(number == 3 ? -.infinity : Double(number) / 4)
        case .decimal:
            return .decimal(DecimalParts(isNegative: number == 1, coefficient: UInt128(number), exponent: -1).bits)
        case .date: return .date(seconds: number - 2, nanoseconds: number == 3 ? 500_000_000 : 0)
        case .string: return .string(text)
        case .data: return .data(Data(text.utf8))
        case .objectID: return .objectID(ObjectIDBytes(high: UInt64(number), low: 1))
        case .uuid: return .uuid(UUID(uuid: (UInt8(number), 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1)))
        case .link: return column.name == "place" ? .link(place) : target.map { .link($0) } ?? .null
        case .any: return [.null, .int(number), .string(text), .double(.nan)][Int(number)]
        case .coded:
            let value = CodedValue.keyed([.init(name: "first", value: .null)])
            return (try? value.encoded()).map { .coded($0) } ?? .null
        }
    }
}
