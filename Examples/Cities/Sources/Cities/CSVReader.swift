import Foundation

/// Reads CSV as RFC 4180 describes it: quoted fields, doubled quotes, line ends of either kind also within quotes.
///
/// The first row names the columns; every row must have as many fields.
struct CSVReader {
    struct Malformed: Error, CustomStringConvertible {
        let line: Int
        let problem: String

        var description: String { "CSV, line \(line): \(problem)" }
    }

    /// One row, whose fields go by the names of their columns.
    struct Row {
        fileprivate let positions: [String: Int]
        fileprivate let fields: [String]
        /// Where the row begins.
        let line: Int

        /// The field in the column called `name`.
        subscript(_ name: String) -> String {
            get throws {
                guard let position = positions[name] else { throw Malformed(line: 1, problem: "no column \(name)") }
                return fields[position]
            }
        }

        /// The field as a number; an empty field is 0.
        func number<Number: LosslessStringConvertible & Numeric>(_ name: String) throws -> Number {
            let field = try self[name]
            if field.isEmpty { return 0 }
            guard let number = Number(field) else {
                throw Malformed(line: line, problem: "\(name) is not a number: \(field)")
            }
            return number
        }
    }

    private let bytes: [UInt8]
    private var next = 0
    private var line = 1

    private init(_ bytes: [UInt8]) {
        self.bytes = bytes
    }

    /// The rows of `file`.
    static func rows(of file: URL) throws -> [Row] {
        var reader = CSVReader([UInt8](try Data(contentsOf: file)))
        guard let names = try reader.nextRecord()?.fields else { return [] }
        let positions = Dictionary(names.enumerated().map { ($1, $0) }, uniquingKeysWith: { first, _ in first })
        var rows: [Row] = []
        while let (line, fields) = try reader.nextRecord() {
            guard fields.count == names.count else {
                throw Malformed(line: line, problem: "\(fields.count) fields instead of \(names.count)")
            }
            rows.append(Row(positions: positions, fields: fields, line: line))
        }
        return rows
    }

    /// The next record, without empty lines before it, and the line it begins on; nil at the end.
    private mutating func nextRecord() throws -> (line: Int, fields: [String])? {
        while let byte = peek(), byte.isLineEnd { skip() }
        guard peek() != nil else { return nil }
        let firstLine = line
        var fields = [try nextField()]
        while peek() == UInt8(ascii: ",") {
            skip()
            fields.append(try nextField())
        }
        return (firstLine, fields)
    }

    private mutating func nextField() throws -> String {
        guard peek() == UInt8(ascii: "\"") else {
            let start = next
            while let byte = peek(), byte != UInt8(ascii: ","), !byte.isLineEnd { skip() }
            return try text(bytes[start..<next])
        }
        let firstLine = line
        skip()
        var field: [UInt8] = []
        while let byte = peek() {
            skip()
            if byte != UInt8(ascii: "\"") {
                field.append(byte)
            } else if peek() == UInt8(ascii: "\"") {
                field.append(byte)
                skip()
            } else {
                if let after = peek(), after != UInt8(ascii: ","), !after.isLineEnd {
                    throw Malformed(line: line, problem: "text after a closing quote")
                }
                return try text(field)
            }
        }
        throw Malformed(line: firstLine, problem: "a quote that is never closed")
    }

    private func text(_ bytes: some Collection<UInt8>) throws -> String {
        guard let text = String(validating: bytes, as: UTF8.self) else {
            throw Malformed(line: line, problem: "not UTF-8")
        }
        return text
    }

    private func peek() -> UInt8? {
        next < bytes.count ? bytes[next] : nil
    }

    private mutating func skip() {
        if bytes[next] == UInt8(ascii: "\n") { line += 1 }
        next += 1
    }
}

extension UInt8 {
    fileprivate var isLineEnd: Bool {
        self == UInt8(ascii: "\n") || self == UInt8(ascii: "\r")
    }
}
