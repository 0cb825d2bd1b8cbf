import FirnStore
import FirnTool
import LMDB

/// Describes a file in the process that reads it.
struct FileSummary {
    private let connection: Connection
    private let statistics: EnvironmentStatistics
    private let schema: StoredSchema

    static func report(on path: String) throws(StoreError) {
        let connection = try Isolation.open(path)
        do {
            let summary = FileSummary(connection, try connection.store.environment.statistics())
            summary.reportFile(path)
            summary.reportSizes()
            try summary.reportDatabases()
            summary.reportReaders()
            summary.reportClasses()
        } catch {
            throw StoreError(wrapping: error)
        }
    }

    private init(_ connection: Connection, _ statistics: EnvironmentStatistics) {
        self.connection = connection
        self.statistics = statistics
        schema = connection.schema
    }

    private func reportFile(_ path: String) {
        Report.text(path).send()
        let header = connection.store.header
        var table = TextTable([.left, .left])
        table.add("format", "\(header.version)")
        table.add("uuid", header.uuid.uuidString)
        table.add("schema version", "\(schema.schemaVersion)")
        table.add("version", connection.version.grouped)
        for line in table.lines { Report.text(line).send() }
    }

    private func reportSizes() {
        Report.send(
            "Size",
            TextTable(byteCounts: [
                ("file", statistics.fileBytes), ("used", statistics.usedBytes), ("free", statistics.freeBytes),
            ]))
    }

    private func reportDatabases() throws {
        Report.place("the roots of the databases").send()
        let environment = connection.store.environment
        let pages = try PageCount.pages(environment.path, during: environment.beginRead())
        var table = TextTable([.left, .right, .right, .right, .right])
        table.add("", "entries", "levels", "pages", "size")
        for (name, database) in connection.store.databases.named {
            let numbers = try connection.statistics(of: database)
            let pageCount = pages[name] ?? numbers.pageCount
            table.add(
                name, numbers.entryCount.grouped, "\(numbers.depth)", pageCount.grouped,
                (pageCount * statistics.pageSize).byteText)
        }
        Report.send("Databases", table)
    }

    private func reportReaders() {
        let lines = statistics.otherReaders
        guard !lines.isEmpty else { return }
        Report.send("Readers (what was freed since the oldest snapshot cannot be reused yet)", lines)
    }

    private func reportClasses() {
        for table in schema.tables.sorted(by: { $0.name < $1.name }) {
            Report.place("the objects of \(table.name)").send()
            var leaves = RecordIterator(connection, table: table.id)
            var leafCount = 0
            while leaves.nextRun() != nil { leafCount += 1 }
            let size = (leafCount * Leaf.byteCount).byteText
            var lines = TextTable([.left, .left, .left])
            for column in table.columns { lines.add(column.name, typeText(column), remarks(column, table)) }
            for index in table.indexes where index.columns.count > 1 {
                let names = table.columns(of: index).map(\.name).joined(separator: ", ")
                lines.add("index over \(names)", "", index.isUnique ? "unique" : "")
            }
            let kind = table.isEmbedded ? " (embedded)" : ""
            Report.send(
                "\(table.name)\(kind): \(connection.count(table.id).counted("object")), \(size) in "
                    + "\(leafCount == 1 ? "1 leaf" : "\(leafCount.grouped) leaves")", lines)
        }
        if schema.tables.isEmpty {
            Report.text("").send()
            Report.text("No classes yet").send()
        }
    }

    private func typeText(_ column: StoredColumn) -> String {
        let target = column.target.flatMap { schema[$0]?.name }
        let element = (target ?? column.type.name) + (column.isOptional ? "?" : "")
        return switch column.collection {
        case nil: element
        case .list: "list of \(element)"
        case .set: "set of \(element)"
        case .map: "map of \(element)"
        }
    }

    private func remarks(_ column: StoredColumn, _ table: StoredTable) -> String {
        if column.id == table.primaryKeyID { return "primary key" }
        var remarks: [String] = []
        if let index = column.index { remarks.append(index.isUnique ? "unique" : "indexed") }
        switch column.deleteRule {
        case .nullify: break
        case .cascade: remarks.append("deletes are cascaded")
        case .deny: remarks.append("deletes are denied")
        }
        return remarks.joined(separator: ", ")
    }
}
