import FirnQuery
import FirnStore
import FirnTool

/// Answers a query in the process that reads the file.
struct FileQuery {
    private let request: QueryRequest
    private let connection: Connection
    private let table: StoredTable
    private let predicate: BoundPredicate
    private let query: TableQuery

    static func report(_ request: QueryRequest) throws(StoreError) {
        let connection = try Isolation.open(request.path)
        do {
            guard let table = connection.schema[request.className] else {
                let names = connection.schema.tables.map(\.name).sorted().joined(separator: ", ")
                let classes = names.isEmpty ? "has no classes yet" : "has the classes \(names)"
                return Report.mistake("there is no class '\(request.className)'; the file \(classes)", position: nil)
                    .send()
            }
            try FileQuery(request, connection, table).run()
        } catch {
            Report.mistake(error.message, position: error.position).send()
        }
    }

    private init(_ request: QueryRequest, _ connection: Connection, _ table: StoredTable) throws(QueryError) {
        self.request = request
        self.connection = connection
        self.table = table
        let expression = try PredicateTemplate(request.predicate).expression(arguments: []) { _ in .list([]) }
        predicate = try BoundPredicate(expression, table: table, in: QueryCatalog(connection.schema))
        query = TableQuery(
            table, where: predicate, order: try ObjectOrder(request.sort, of: table, in: connection.schema))
    }

    private func run() {
        let end = request.limit.map { request.offset.addingReportingOverflow($0) }
        let limit = end.map { $0.overflow ? .max : $0.partialValue } ?? .max
        if request.isExplanation { return Report.text(query.explanation(in: connection, limit: limit)).send() }
        Report.place("the objects of \(table.name)").send()
        if request.isCount {
            let count = max(0, predicate.count(in: connection) - request.offset)
            return Report.text("\(min(count, request.limit ?? count))").send()
        }
        let keys = query.keys(in: connection, limit: limit).dropFirst(request.offset)
        switch request.format {
        case .table: printTable(keys, of: predicate.count(in: connection))
        case .json: printJSON(keys)
        case .csv: printCSV(keys)
        }
    }

    // MARK: Formats

    private func values(_ key: ObjectKey) -> [PrintedValue] {
        guard let record = connection.record(table.id, key) else { return [] }
        let reader = PrintedValueReader(connection: connection)
        return table.columns.map { reader.value(record, $0) }
    }

    private func printTable(_ keys: ArraySlice<ObjectKey>, of count: Int) {
        let numbers: Set<ColumnType> = [.int, .float, .double, .decimal]
        var lines = TextTable(
            table.columns.map { $0.collection == nil && numbers.contains($0.type) ? .right : .left }, indentation: 0)
        lines.add(table.columns.map(\.name))
        for key in keys { lines.add(values(key).map(\.cell)) }
        for line in lines.lines { Report.text(line).send() }
        let total = keys.count == count ? "" : " of \(count.grouped)"
        Report.text("(\(keys.count.grouped)\(total) \(count == 1 ? "object" : "objects"))").send()
    }

    private func printJSON(_ keys: ArraySlice<ObjectKey>) {
        guard !keys.isEmpty else { return Report.text("[]").send() }
        Report.text("[").send()
        for (index, key) in zip(keys.indices, keys) {
            let object = PrintedValue.object(Array(zip(table.columns.map(\.name), values(key))))
            Report.text("  \(object.json)\(index == keys.endIndex - 1 ? "" : ",")").send()
        }
        Report.text("]").send()
    }

    private func printCSV(_ keys: ArraySlice<ObjectKey>) {
        send(row: table.columns.map { PrintedValue.quoted($0.name) })
        for key in keys { send(row: values(key).map(\.csv)) }
    }

    /// A field may have several lines.
    private func send(row: [String]) {
        let lines = row.joined(separator: ",").utf8.split(
            separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
        for line in lines { Report.text(String(Substring(line))).send() }
    }
}
