import FirnStore
import Foundation

/// Values that predicate text writes as a call: those that have no literal.
enum PredicateValue {
    /// The value of a call; nil where there is no such function, or it does not take these arguments.
    static func make(_ name: String, _ arguments: [Operand]) throws(QueryError) -> Constant? {
        switch name.lowercased() {
        case "uuid": text(arguments).flatMap { UUID(uuidString: $0) }.map { .uuid($0) }
        case "oid", "objectid": text(arguments).flatMap(objectID)
        case "date": text(arguments).flatMap(date) ?? seconds(arguments)
        case "decimal": text(arguments).flatMap { DecimalParts(parsing: $0) }.map { .decimal($0.bits) }
        case "data": text(arguments).flatMap { Data(base64Encoded: $0) }.map { .data($0) }
        case "codable": text(arguments).flatMap { Data(base64Encoded: $0) }.map { .coded($0) }
        case "geobox": box(arguments).map { .area($0) }
        case "geocircle": circle(arguments).map { .area($0) }
        case "geopolygon": polygon(arguments).map { .area($0) }
        default: nil
        }
    }

    /// What a call by this name takes, for messages; nil where there is no such function.
    static func usage(of name: String) -> String? {
        switch name.lowercased() {
        case "uuid": "a UUID: uuid('6F9619FF-8B86-D011-B42D-00C04FC964FF')"
        case "oid", "objectid": "24 hexadecimal digits: oid('507f1f77bcf86cd799439011')"
        case "date":
            "a day or a moment in ISO 8601: date('2020-02-29'), date('2020-02-29T12:00:00Z'); or seconds and "
                + "nanoseconds since 1970: date(0, 0)"
        case "decimal": "a number: decimal('1.5E+40')"
        case "data": "Base64: data('AQI=')"
        case "codable": "the bytes of a Codable value in Base64: codable('AQI=')"
        case "geobox": "two corners, longitude first: geoBox({8, 47}, {9, 48})"
        case "geocircle": "a centre, longitude first, and a radius in radians: geoCircle({8, 47}, 0.001)"
        case "geopolygon":
            "closed rings of at least four corners, longitude first: geoPolygon({{8, 47}, {9, 47}, {9, 48}, {8, 47}})"
        default: nil
        }
    }

    private static func text(_ arguments: [Operand]) -> String? {
        guard arguments.count == 1, case .constant(.string(let text)) = arguments[0] else { return nil }
        return text
    }

    /// 24 hexadecimal digits.
    private static func objectID(_ text: String) -> Constant? {
        guard text.utf8.count == 24, text.utf8.allSatisfy({ UInt8(ascii: "+") != $0 && UInt8(ascii: "-") != $0 }),
            let high = UInt64(text.prefix(16), radix: 16), let low = UInt32(text.suffix(8), radix: 16)
        else { return nil }
        return .objectID(high: high, low: low)
    }

    /// A day, or a moment with its offset from UTC, as ISO 8601 writes them, with up to nine digits behind the seconds' point.
    private static func date(_ text: String) -> Constant? {
        let day = Date.ISO8601FormatStyle().year().month().day()
        let moment = Date.ISO8601FormatStyle()
        guard let (text, nanoseconds) = takeFraction(text) else {
            return ((try? moment.parse(text)) ?? (try? day.parse(text))).map { constant($0, nanoseconds: 0) }
        }
        return (try? moment.parse(text)).map { constant($0, nanoseconds: nanoseconds) }
    }

    /// Seconds since 1970 and nanoseconds of the same sign, which reach where no calendar does.
    private static func seconds(_ arguments: [Operand]) -> Constant? {
        guard arguments.count == 2, case .constant(.int(let seconds)) = arguments[0],
            case .constant(.int(let nanoseconds)) = arguments[1], nanoseconds.magnitude < 1_000_000_000,
            seconds == 0 || nanoseconds == 0 || seconds.signum() == nanoseconds.signum()
        else { return nil }
        return .date(seconds: seconds, nanoseconds: Int32(nanoseconds))
    }

    /// A moment without what is behind the point, and that in nanoseconds. Foundation would read it as a Double.
    private static func takeFraction(_ text: String) -> (String, nanoseconds: Int32)? {
        guard let point = text.firstIndex(of: ".") else { return nil }
        let digits = text[text.index(after: point)...].prefix { $0.isASCII && $0.isNumber }
        guard !digits.isEmpty, let next = text[digits.endIndex...].first, "Z+-".contains(next),
            let nanoseconds = Int32((digits + "000000000").prefix(9))
        else { return nil }
        return (String(text[..<point] + text[digits.endIndex...]), nanoseconds)
    }

    /// Seconds and nanoseconds with the same sign, as they are stored.
    private static func constant(_ date: Date, nanoseconds: Int32) -> Constant {
        let seconds = Int64(date.timeIntervalSince1970)
        if seconds < 0, nanoseconds > 0 {
            return .date(seconds: seconds + 1, nanoseconds: nanoseconds - 1_000_000_000)
        }
        return .date(seconds: seconds, nanoseconds: nanoseconds)
    }

    // MARK: Areas

    private static func box(_ arguments: [Operand]) -> GeoArea? {
        guard arguments.count == 2, let bottomLeft = point(arguments[0]), let topRight = point(arguments[1]),
            bottomLeft.latitude <= topRight.latitude
        else { return nil }
        return .box(bottomLeft: bottomLeft, topRight: topRight)
    }

    private static func circle(_ arguments: [Operand]) -> GeoArea? {
        guard arguments.count == 2, let center = point(arguments[0]), let radians = number(arguments[1]), radians >= 0
        else { return nil }
        return .circle(center: center, radians: radians)
    }

    private static func polygon(_ arguments: [Operand]) -> GeoArea? {
        var rings: [[GeoArea.Point]] = []
        for case .list(let corners) in arguments {
            let ring = corners.compactMap(point)
            guard ring.count == corners.count, ring.count >= 4, ring.first == ring.last else { return nil }
            rings.append(ring)
        }
        return rings.isEmpty || rings.count < arguments.count ? nil : .polygon(rings: rings)
    }

    /// A list of longitude and latitude.
    private static func point(_ operand: Operand) -> GeoArea.Point? {
        guard case .list(let numbers) = operand, numbers.count == 2, let longitude = number(numbers[0]),
            let latitude = number(numbers[1]), abs(longitude) <= 180, abs(latitude) <= 90
        else { return nil }
        return GeoArea.Point(longitude: longitude, latitude: latitude)
    }

    private static func number(_ operand: Operand) -> Double? {
        switch operand {
        case .constant(.double(let value)) where value.isFinite: value
        case .constant(.int(let value)): Double(value)
        default: nil
        }
    }
}
