import FirnStore
import Foundation

/// The order that ordered values must have, worked out from the values: -1, 0 or 1.
enum ValueOrder {
    static func compare(_ a: StoredValue, _ b: StoredValue) -> Int {
        let ranks = (OrderedValue.rank(of: a).rawValue, OrderedValue.rank(of: b).rawValue)
        guard ranks.0 == ranks.1 else { return order(ranks.0, ranks.1) }
        switch (a, b) {
        case (.bool(let a), .bool(let b)): return order(a ? 1 : 0, b ? 1 : 0)
        case (.int(let a), .int(let b)): return order(a, b)
        case (.float(let a), .float(let b)): return compare(Double(a), Double(b))
        case (.double(let a), .double(let b)): return compare(a, b)
        case (.date(let a, let m), .date(let b, let n)): return a != b ? order(a, b) : order(m, n)
        case (.string(let a), .string(let b)): return lexical(a.utf8, b.utf8)
        case (.data(let a), .data(let b)), (.coded(let a), .coded(let b)): return lexical(a, b)
        case (.objectID(let a), .objectID(let b)): return order(a, b)
        case (.uuid(let a), .uuid(let b)): return order(a.uuidString, b.uuidString)
        case (.link, _), (.typedLink, _):
            let (left, right) = (target(a), target(b))
            return left.0 != right.0 ? order(left.0, right.0) : order(left.1, right.1)
        case (.collection(let k, let a), .collection(let l, let b)): return k != l ? order(k, l) : order(a, b)
        case (.null, .null): return 0
        default: return compare(Number(a), Number(b))
        }
    }

    /// A number as a class that sorts, and digits with a scale.
    private struct Number {
        /// NaN 0, -infinity 1, negative 2, zero 3, positive 4, infinity 5.
        var kind: Int
        var scale = 0
        var digits = ""

        init(kind: Int) { self.kind = kind }

        init(_ value: StoredValue) {
            switch value {
            case .int(let value): self.init(String(value.magnitude), exponent: 0, isNegative: value < 0)
            case .float(let value): self.init(Double(value))
            case .double(let value): self.init(value)
            case .decimal(let bits):
                let parts = DecimalParts(bits: bits)
                switch parts.kind {
                case .quietNaN, .signalingNaN: self.init(kind: 0)
                case .infinity: self.init(kind: parts.isNegative ? 1 : 5)
                case .finite:
                    self.init(String(parts.coefficient), exponent: parts.exponent, isNegative: parts.isNegative)
                }
            default: fatalError("not a number: \(value)")
            }
        }

        init(_ value: Double) {
            if value.isNaN {
                self.init(kind: 0)
            } else if value.isInfinite {
                self.init(kind: value < 0 ? 1 : 5)
            } else if let integer = Int64(exactly: value) {
                self.init(String(integer.magnitude), exponent: 0, isNegative: integer < 0)
            } else {
                let parts = value.magnitude.description.split(separator: "e")
                let digits = parts[0].split(separator: ".")
                let fraction = digits.count > 1 ? String(digits[1]) : ""
                let exponent = parts.count > 1 ? Int(parts[1]) ?? 0 : 0
                self.init(String(digits[0]) + fraction, exponent: exponent - fraction.count, isNegative: value < 0)
            }
        }

        init(_ text: String, exponent: Int, isNegative: Bool) {
            digits = String(text.drop { $0 == "0" })
            scale = exponent + digits.count
            while digits.last == "0" { digits.removeLast() }
            kind = digits.isEmpty ? 3 : isNegative ? 2 : 4
        }
    }

    private static func compare(_ a: Number, _ b: Number) -> Int {
        guard a.kind == b.kind else { return order(a.kind, b.kind) }
        guard a.kind == 2 || a.kind == 4 else { return 0 }
        let magnitude = a.scale != b.scale ? order(a.scale, b.scale) : order(a.digits, b.digits)
        return a.kind == 2 ? -magnitude : magnitude
    }

    private static func compare(_ a: Double, _ b: Double) -> Int {
        a.isNaN || b.isNaN ? order(a.isNaN ? 0 : 1, b.isNaN ? 0 : 1) : order(a, b)
    }

    private static func target(_ value: StoredValue) -> (UInt32, UInt64) {
        switch value {
        case .link(let key): (0, key)
        case .typedLink(let table, let key): (table, key)
        default: (0, 0)
        }
    }

    private static func lexical(_ a: some Sequence<UInt8>, _ b: some Sequence<UInt8>) -> Int {
        a.elementsEqual(b) ? 0 : a.lexicographicallyPrecedes(b) ? -1 : 1
    }

    private static func order<T: Comparable>(_ a: T, _ b: T) -> Int { a < b ? -1 : a == b ? 0 : 1 }
}
