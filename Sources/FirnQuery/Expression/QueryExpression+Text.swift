import FirnStore
import Foundation

extension QueryExpression: CustomStringConvertible {
    /// The expression as predicate text, which gives the same expression when it is read. What has no text cannot be read:
    /// objects, which are shown by their keys, NaN, and names with spaces or signs, which only an argument can bring.
    package var description: String { text(.whole) }

    /// How much of long constants is shown.
    enum TextLength {
        case whole, short
    }

    /// The expression as predicate text.
    func text(_ length: TextLength) -> String {
        switch self {
        case .always(let answer): answer ? "TRUEPREDICATE" : "FALSEPREDICATE"
        case .comparison(let comparison): comparison.text(length)
        case .all(let parts): parts.isEmpty ? "TRUEPREDICATE" : Self.join(parts, " AND ", length)
        case .any(let parts): parts.isEmpty ? "FALSEPREDICATE" : Self.join(parts, " OR ", length)
        case .not(let part): "NOT \(part.textInside(length))"
        }
    }

    private static func join(_ parts: [QueryExpression], _ separator: String, _ length: TextLength) -> String {
        parts.map { $0.textInside(length) }.joined(separator: separator)
    }

    private func textInside(_ length: TextLength) -> String {
        switch self {
        case .always, .comparison: text(length)
        case .all, .any, .not: "(\(text(length)))"
        }
    }
}

extension Comparison {
    /// The comparison as predicate text.
    func text(_ length: QueryExpression.TextLength) -> String {
        let quantifier = quantifier.map { "\($0.rawValue) " } ?? ""
        return
            "\(quantifier)\(left.text(length)) \(operation.symbol)\(options.symbol) \(right.text(length))"
    }
}

extension Operand {
    /// The operand as predicate text.
    func text(_ length: QueryExpression.TextLength) -> String {
        switch self {
        case .constant(let constant): constant.text(length)
        case .argument: "%@"
        case .list(let operands): "{\(operands.map { $0.text(length) }.joined(separator: ", "))}"
        case .path(let path): path.text
        case .aggregate(let aggregate, let path): "\(path.text).\(aggregate.symbol)"
        case .count(let subquery):
            "SUBQUERY(\(subquery.collection.text), $\(subquery.variable), \(subquery.condition.text(length))).@count"
        case .arithmetic(let operation, let left, let right):
            "(\(left.text(length)) \(operation.rawValue) \(right.text(length)))"
        case .coalesced(let left, let right): "(\(left.text(length)) ?? \(right.text(length)))"
        case .choice(let condition, let left, let right):
            "(\(condition.text(length)) ? \(left.text(length)) : \(right.text(length)))"
        case .text(let function, let operand): "\(function.rawValue)(\(operand.text(length)))"
        }
    }
}

extension QueryPath {
    /// The path as predicate text.
    var text: String {
        var text = variable.map { "$\($0)" } ?? ""
        for step in steps {
            switch step {
            case .key(let key): text += "[\(Constant.quoted(key))]"
            case .index(-1): text += "[LAST]"
            case .index(let index): text += "[\(index)]"
            case .elements: text += "[*]"
            default: text += text.isEmpty ? step.text : ".\(step.text)"
            }
        }
        return text.isEmpty ? "SELF" : text
    }
}

extension QueryPath.Step {
    fileprivate var text: String {
        switch self {
        case .property(let name): PredicateParser.isKeyword(name) ? "#\(name)" : name
        case .keys: "@allKeys"
        case .values: "@allValues"
        case .links(let origin, let property): "@links.\(origin).\(property)"
        case .allLinks: "@links"
        case .type: "@type"
        case .caseName: "@case"
        case .argument: "%K"
        case .key, .index, .elements: ""
        }
    }
}

extension Constant {
    /// The constant as predicate text.
    func text(_ length: QueryExpression.TextLength) -> String {
        if length == .short { return shortText }
        return switch self {
        case .string(let value): Constant.quoted(value)
        case .double(let value): value.isFinite ? String(value) : value.isNaN ? "nan" : value < 0 ? "-1e999" : "1e999"
        case .data(let value): "data('\(value.base64EncodedString())')"
        case .date(let seconds, let nanoseconds):
            StoredValue.moment(seconds, nanoseconds).map { "date('\($0)')" } ?? shortText
        case .objectID(let high, let low): "oid('\(ObjectIDBytes(high: high, low: low).text)')"
        case .uuid(let value): "uuid('\(value.uuidString)')"
        case .decimal: "decimal('\(shortText)')"
        case .coded(let data): "codable('\(data.base64EncodedString())')"
        case .area(let area): area.text
        case .null, .bool, .int, .link: shortText
        }
    }

    /// The constant in words, for plans; long ones are cut.
    private var shortText: String {
        switch self {
        case .null: "nil"
        case .bool(let value): StoredValue.bool(value).text
        case .int(let value): StoredValue.int(value).text
        case .double(let value): StoredValue.double(value).text
        case .decimal(let bits): StoredValue.decimal(bits).text
        case .string(let value): StoredValue.string(value).text
        case .data(let value): StoredValue.data(value).text
        case .date(let seconds, let nanoseconds): StoredValue.date(seconds: seconds, nanoseconds: nanoseconds).text
        case .objectID(let high, let low): StoredValue.objectID(ObjectIDBytes(high: high, low: low)).text
        case .uuid(let value): StoredValue.uuid(value).text
        case .link(_, let key): StoredValue.link(key).text
        case .coded(let value): StoredValue.coded(value).text
        case .area(let area): area.text
        }
    }

    /// A string as a literal.
    static func quoted(_ text: String) -> String {
        var quoted = "\""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\"", "\\": quoted += "\\\(scalar)"
            case "\n": quoted += "\\n"
            case "\r": quoted += "\\r"
            case "\t": quoted += "\\t"
            case "\0": quoted += "\\0"
            default: quoted.unicodeScalars.append(scalar)
            }
        }
        return quoted + "\""
    }
}

extension GeoArea {
    fileprivate var text: String {
        switch self {
        case .box(let bottomLeft, let topRight): "geoBox(\(bottomLeft.text), \(topRight.text))"
        case .circle(let center, let radians): "geoCircle(\(center.text), \(radians))"
        case .polygon(let rings):
            "geoPolygon(\(rings.map { ring in "{\(ring.map(\.text).joined(separator: ", "))}" }.joined(separator: ", ")))"
        }
    }
}

extension GeoArea.Point {
    fileprivate var text: String { "{\(longitude), \(latitude)}" }
}
