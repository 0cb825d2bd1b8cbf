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
        let widths = alignments.indices.map { column in
            rows.map { column < $0.count ? $0[column].count : 0 }.max() ?? 0
        }
        return rows.map { row in
            var line = String(repeating: " ", count: indentation)
            for (column, cell) in row.enumerated() {
                let padding = String(repeating: " ", count: max(0, widths[column] - cell.count))
                line += alignments[column] == .left ? cell + padding : padding + cell
                line += "  "
            }
            while line.last == " " { line.removeLast() }
            return line
        }
    }
}
