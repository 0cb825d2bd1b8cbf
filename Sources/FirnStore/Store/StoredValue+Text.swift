import Foundation

extension StoredValue {
    /// The value as messages and the tool show it; long ones are cut.
    package var text: String {
        switch self {
        case .null: "nil"
        case .bool(let value): String(value)
        case .int(let value): String(value)
        case .float(let value): String(value)
        case .double(let value): String(value)
        case .decimal(let bits): DecimalParts(bits: bits).text
        case .date(let seconds, let nanoseconds):
            Self.moment(seconds, nanoseconds) ?? "date(\(seconds), \(nanoseconds))"
        case .string(let value):
            value.count <= 64 ? "\"\(value)\"" : "\"\(value.prefix(64))…\" (\(value.utf8.count) bytes)"
        case .data(let value): "\(value.count) bytes"
        case .objectID(let value): value.text
        case .uuid(let value): value.uuidString
        case .link(let key): "object \(key)"
        case .typedLink(let table, let key): "object \(key) of table \(table)"
        case .collection(_, let id): "collection \(id)"
        case .blob(_, let id, let byteCount): "blob \(id) of \(byteCount) bytes"
        case .coded(let value): "coded value of \(value.count) bytes"
        }
    }

    /// The seconds since 1970 in the years 1 to 9999, those that ISO 8601 writes in four digits; further away, calendars lie.
    private static let yearsOfFourDigits: Range<Int64> = -62_135_596_799..<253_402_300_800

    /// A date in ISO 8601, to the nanosecond; nil for one of no year from 1 to 9999.
    package static func moment(_ seconds: Int64, _ nanoseconds: Int32) -> String? {
        guard yearsOfFourDigits.contains(seconds) else { return nil }
        let whole = nanoseconds < 0 ? seconds - 1 : seconds
        let text = Date(timeIntervalSince1970: Double(whole)).formatted(Date.ISO8601FormatStyle())
        guard nanoseconds != 0 else { return text }
        let digits = String(nanoseconds < 0 ? nanoseconds + 1_000_000_000 : nanoseconds)
        return "\(text.dropLast()).\(String(repeating: "0", count: 9 - digits.count))\(digits)Z"
    }
}

extension ObjectIDBytes {
    /// The 24 hexadecimal digits.
    package var text: String {
        let digits = String(high, radix: 16)
        let rest = String(low, radix: 16)
        return String(repeating: "0", count: 16 - digits.count) + digits + String(repeating: "0", count: 8 - rest.count)
            + rest
    }
}

extension DecimalParts {
    /// Sign, digits and exponent; only for messages and the tool.
    package var text: String {
        switch kind {
        case .finite:
            let sign = isNegative ? "-" : ""
            return exponent == 0 ? "\(sign)\(coefficient)" : "\(sign)\(coefficient)E\(exponent)"
        case .infinity: return isNegative ? "-Infinity" : "Infinity"
        default: return "NaN"
        }
    }
}
