import Foundation

/// The results, as a table for people and as JSON for programs.
struct Report {
    let options: Options
    let series: [Series]

    func printTable() {
        let sides = options.sides.filter { side in series.contains { $0.values[side] != nil } }
        let hasSQLite = sides.contains(.sqlite)
        let versions = hasSQLite ? "\(RawEngine.version), \(SQLiteDatabase.version)" : RawEngine.version
        print(
            """
            \(options.count.formatted) objects of eight properties; \
            \(Dataset.objectsPerTransaction.formatted) a commit; medians of \(options.rounds) rounds
            \(versions); files in \(options.directory) (\(FileSystem.describe(options.directory))), \
            flushed ones in \(options.flushedDirectory) (\(FileSystem.describe(options.flushedDirectory)))

            """)
        let least = String(format: "%.1f", Series.leastSQLiteRatio)
        let sqliteTitles = hasSQLite ? ["SQLite/Firn", "\(least) or more"] : []
        var lines = [["workload"] + sides.map(\.rawValue) + ["ratio", "limit", "holds"] + sqliteTitles]
        for row in series {
            let values = sides.map { side in row.median(side).map { Self.format($0, row.unit) } ?? "-" }
            let ratios = [Self.format(row.ratio), Self.format(row.limit, row.unit), Self.yesOrNo(row.holds)]
            let sqliteRatios = [Self.format(row.sqliteRatio), Self.yesOrNo(row.isFasterThanSQLite)]
            lines.append([row.workload] + values + ratios + (hasSQLite ? sqliteRatios : []))
        }
        let widths = lines[0].indices.map { column in lines.map { $0[column].count }.max() ?? 0 }
        for line in lines {
            let cells = line.enumerated().map { column, cell in
                let padding = String(repeating: " ", count: widths[column] - cell.count)
                return column == 0 ? cell + padding : padding + cell
            }
            print(cells.joined(separator: "  "))
        }
    }

    func writeJSON() throws {
        let results = series.map { row -> [String: Any] in
            var result: [String: Any] = ["workload": row.workload, "unit": row.unit]
            for (side, values) in row.values {
                result[side.rawValue] = ["rounds": values, "median": row.median(side) ?? 0]
            }
            result["ratio"] = row.ratio
            switch row.limit {
            case .ratio(let limit): result["ratioLimit"] = limit
            case .value(let limit): result["valueLimit"] = limit
            case nil: break
            }
            result["holds"] = row.holds
            result["sqliteRatio"] = row.sqliteRatio
            result["isFasterThanSQLite"] = row.isFasterThanSQLite
            return result
        }
        let report: [String: Any] = [
            "objects": options.count, "objectsPerTransaction": Dataset.objectsPerTransaction, "rounds": options.rounds,
            "lmdb": RawEngine.version, "sqlite": SQLiteDatabase.version, "directory": options.directory,
            "flushedDirectory": options.flushedDirectory,
            "processors": ProcessInfo.processInfo.processorCount, "date": ISO8601DateFormatter().string(from: Date()),
            "results": results,
        ]
        let data = try JSONSerialization.data(withJSONObject: report, options: [.prettyPrinted, .sortedKeys])
        try data.write(to: URL(fileURLWithPath: options.jsonPath))
        print("\nall rounds: \(options.jsonPath)")
    }

    private static func format(_ value: Double, _ unit: String) -> String {
        if unit == Measurement.Unit.multiple.rawValue { return String(format: "%.2f ×", value) }
        guard unit == Measurement.Unit.secondsPerObject.rawValue else {
            return String(format: "%.1f MiB", value / 1_048_576)
        }
        if value >= 1e-3 { return String(format: "%.1f ms", value * 1e3) }
        return value >= 1e-6 ? String(format: "%.2f µs", value * 1e6) : String(format: "%.1f ns", value * 1e9)
    }

    private static func format(_ ratio: Double?) -> String {
        ratio.map { String(format: "%.2f", $0) } ?? "-"
    }

    private static func format(_ limit: Series.Limit?, _ unit: String) -> String {
        switch limit {
        case .ratio(let limit): String(format: limit < 1 ? "%.3g" : "%.1f", limit)
        case .value(let limit): format(limit, unit)
        case nil: "-"
        }
    }

    private static func yesOrNo(_ holds: Bool?) -> String {
        switch holds {
        case true?: "yes"
        case false?: "NO"
        case nil: "-"
        }
    }
}

extension Int {
    /// The number with its thousands parted by commas.
    fileprivate var formatted: String {
        let digits = Array(String(self))
        return String(
            digits.enumerated().flatMap { position, digit in
                position > 0 && (digits.count - position) % 3 == 0 ? [",", digit] : [digit]
            })
    }
}
