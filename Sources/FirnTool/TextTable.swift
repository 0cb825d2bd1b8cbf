/// Rows of words in aligned columns.
package struct TextTable {
    /// To which side the words of a column lean.
    package enum Alignment: Sendable {
        case left
        case right
    }

    private let alignments: [Alignment]
    private let indentation: Int
    private var rows: [[String]] = []

    package init(_ alignments: [Alignment], indentation: Int = 2) {
        self.alignments = alignments
        self.indentation = indentation
    }

    /// Adds a row; what is missing at its end is empty.
    package mutating func add(_ cells: String...) {
        rows.append(cells)
    }

    /// Adds a row; what is missing at its end is empty.
    package mutating func add(_ cells: [String]) {
        rows.append(cells)
    }

    /// The rows as lines, two spaces between columns, nothing behind the last word.
    package var lines: [String] {
        var columns = TextColumns(alignments, indentation: indentation)
        for row in rows { columns.measure(row) }
        return rows.map { columns.line($0) }
    }
}

/// Columns as wide as their widest words. Keeps no rows: whoever has too many for that goes through them twice, once to measure them
/// and once to have their lines.
package struct TextColumns {
    private let alignments: [TextTable.Alignment]
    private let indentation: Int
    private var widths: [Int]

    package init(_ alignments: [TextTable.Alignment], indentation: Int = 2) {
        self.alignments = alignments
        self.indentation = indentation
        widths = Array(repeating: 0, count: alignments.count)
    }

    /// Makes the columns wide enough for a row.
    package mutating func measure(_ cells: [String]) {
        for (column, cell) in cells.enumerated() { widths[column] = max(widths[column], cell.count) }
    }

    /// A row as a line, two spaces between columns, nothing behind the last word.
    package func line(_ cells: [String]) -> String {
        var line = String(repeating: " ", count: indentation)
        for (column, cell) in cells.enumerated() {
            let padding = String(repeating: " ", count: max(0, widths[column] - cell.count))
            line += alignments[column] == .left ? cell + padding : padding + cell
            line += "  "
        }
        while line.last == " " { line.removeLast() }
        return line
    }
}
