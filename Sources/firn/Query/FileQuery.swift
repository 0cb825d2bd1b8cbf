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
        switch request.format {
        case .table: printTable(limit: limit)
        case .json: printJSON(limit: limit)
        case .csv: printCSV(limit: limit)
        }
    }

    // MARK: Formats

    /// Calls `body` with the values of each object in turn. None is kept, so that a file of any size can be printed.
    private func forEachRow(limit: Int, _ body: ([PrintedValue]) -> Void) {
        let reader = PrintedValueReader(connection: connection)
        var skipped = 0
        query.forEachKey(in: connection, limit: limit) { key in
            if skipped < request.offset {
                skipped += 1
            } else if let record = connection.record(table.id, key) {
                body(table.columns.map { reader.value(record, $0) })
            }
            return true
        }
    }

    /// Goes through the objects twice: how wide the columns are is known when all were seen.
    private func printTable(limit: Int) {
        let numbers: Set<ColumnType> = [.int, .float, .double, .decimal]
        var columns = TextColumns(
            table.columns.map { $0.collection == nil && numbers.contains($0.type) ? .right : .left }, indentation: 0)
        let names = table.columns.map(\.name)
        columns.measure(names)
        var rowCount = 0
        forEachRow(limit: limit) { values in
            columns.measure(values.map(\.cell))
            rowCount += 1
        }
        Report.text(columns.line(names)).send()
        forEachRow(limit: limit) { Report.text(columns.line($0.map(\.cell))).send() }
        let count = limit == .max && request.offset == 0 ? rowCount : predicate.count(in: connection)
        let total = rowCount == count ? "" : " of \(count.grouped)"
        Report.text("(\(rowCount.grouped)\(total) \(count == 1 ? "object" : "objects"))").send()
    }

    private func printJSON(limit: Int) {
        let names = table.columns.map(\.name)
        // A comma follows each line but the last, which is known when there is no other.
        var last: String?
        forEachRow(limit: limit) { values in
            Report.text(last.map { "  \($0)," } ?? "[").send()
            last = PrintedValue.object(Array(zip(names, values))).json
        }
        guard let last else { return Report.text("[]").send() }
        Report.text("  \(last)").send()
        Report.text("]").send()
    }

    private func printCSV(limit: Int) {
        send(row: table.columns.map { PrintedValue.quoted($0.name) })
        forEachRow(limit: limit) { send(row: $0.map(\.csv)) }
    }

    /// A field may have several lines.
    private func send(row: [String]) {
        let lines = row.joined(separator: ",").utf8.split(
            separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
        for line in lines { Report.text(String(Substring(line))).send() }
    }
}
