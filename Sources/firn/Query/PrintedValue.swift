/// A value as `firn query` prints it.
indirect enum PrintedValue {
    case null
    case bool(Bool)
    /// The digits of a number that JSON can hold.
    case number(String)
    case text(String)
    /// Bytes in base 64, and how many they are.
    case data(String, byteCount: Int)
    case array([PrintedValue])
    case object([(name: String, value: PrintedValue)])

    /// As JSON, in one line.
    var json: String {
        switch self {
        case .null: "null"
        case .bool(let value): "\(value)"
        case .number(let digits): digits
        case .text(let text), .data(let text, _): Self.jsonString(text)
        case .array(let values): "[\(values.map(\.json).joined(separator: ", "))]"
        case .object(let members):
            "{\(members.map { "\(Self.jsonString($0.name)): \($0.value.json)" }.joined(separator: ", "))}"
        }
    }

    /// As a field of CSV (RFC 4180): nothing for nil, and quotes around an empty text, which so is something else.
    var csv: String {
        switch self {
        case .null: ""
        case .bool, .number: json
        case .text(""): "\"\""
        case .text(let text), .data(let text, _): Self.quoted(text)
        case .array, .object: Self.quoted(json)
        }
    }

    /// As a cell of a table: in one line, and cut where it is long.
    var cell: String {
        switch self {
        case .null: return "nil"
        case .bool, .number: return json
        case .text(let text): return Self.cut(Self.escaped(text))
        case .data(_, let byteCount): return byteCount == 1 ? "1 byte" : "\(byteCount) bytes"
        case .array, .object: return Self.cut(json)
        }
    }

    private static func cut(_ text: String) -> String {
        text.count <= 40 ? text : text.prefix(39) + "…"
    }

    /// Text as a field of CSV, in quotes where it must be.
    static func quoted(_ text: String) -> String {
        let needsQuotes = text.unicodeScalars.contains { [",", "\"", "\n", "\r"].contains($0) }
        return needsQuotes
            ? "\"\(text.split(separator: "\"", omittingEmptySubsequences: false).joined(separator: "\"\""))\"" : text
    }

    private static func jsonString(_ text: String) -> String {
        var escaped = "\""
        for scalar in text.unicodeScalars {
            if scalar == "\"" { escaped += "\\\"" } else { append(scalar, to: &escaped) }
        }
        return escaped + "\""
    }

    private static func escaped(_ text: String) -> String {
        var escaped = ""
        for scalar in text.unicodeScalars { append(scalar, to: &escaped) }
        return escaped
    }

    private static func append(_ scalar: Unicode.Scalar, to text: inout String) {
        switch scalar {
        case "\\": text += "\\\\"
        case "\n": text += "\\n"
        case "\r": text += "\\r"
        case "\t": text += "\\t"
        case "\0"..<" ", "\u{7F}"..<"\u{A0}", "\u{2028}", "\u{2029}":
            let digits = String(scalar.value, radix: 16)
            text += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
        default: text.unicodeScalars.append(scalar)
        }
    }
}
