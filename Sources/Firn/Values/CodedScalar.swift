import FirnStore
import Foundation

/// A type that a coded value holds as a value of its own, whatever its `Codable` conformance would make of it.
protocol CodedScalar {
    var codedValue: CodedValue { get }

    /// Nil for a coded value of another type, or beyond what this one can hold.
    init?(codedValue: CodedValue)
}

extension Bool: CodedScalar {
    var codedValue: CodedValue { .scalar(.bool(self)) }

    init?(codedValue: CodedValue) {
        guard case .scalar(.bool(let value)) = codedValue else { return nil }
        self = value
    }
}

extension CodedScalar where Self: FixedWidthInteger {
    var codedValue: CodedValue {
        Int64(exactly: self).map { .scalar(.int($0)) } ?? .unsigned(UInt64(truncatingIfNeeded: self))
    }

    init?(codedValue: CodedValue) {
        switch codedValue {
        case .scalar(.int(let value)): self.init(exactly: value)
        case .unsigned(let value): self.init(exactly: value)
        default: return nil
        }
    }
}

extension Int: CodedScalar {}
extension Int8: CodedScalar {}
extension Int16: CodedScalar {}
extension Int32: CodedScalar {}
extension Int64: CodedScalar {}
extension UInt: CodedScalar {}
extension UInt8: CodedScalar {}
extension UInt16: CodedScalar {}
extension UInt32: CodedScalar {}
extension UInt64: CodedScalar {}

extension Float: CodedScalar {
    var codedValue: CodedValue { .scalar(.float(self)) }

    /// Takes doubles and integers that a Float holds exactly.
    init?(codedValue: CodedValue) {
        switch codedValue {
        case .scalar(.float(let value)): self = value
        case .scalar(.double(let value)): self.init(exactly: value)
        case .scalar(.int(let value)): self.init(exactly: value)
        default: return nil
        }
    }
}

extension Double: CodedScalar {
    var codedValue: CodedValue { .scalar(.double(self)) }

    /// Takes floats, and integers that a Double holds exactly.
    init?(codedValue: CodedValue) {
        switch codedValue {
        case .scalar(.double(let value)): self = value
        case .scalar(.float(let value)): self.init(value)
        case .scalar(.int(let value)): self.init(exactly: value)
        default: return nil
        }
    }
}

extension String: CodedScalar {
    var codedValue: CodedValue { .scalar(.string(self)) }

    init?(codedValue: CodedValue) {
        guard case .scalar(.string(let value)) = codedValue else { return nil }
        self = value
    }
}

extension Data: CodedScalar {
    var codedValue: CodedValue { .scalar(.data(self)) }

    init?(codedValue: CodedValue) {
        guard case .scalar(.data(let value)) = codedValue else { return nil }
        self = value
    }
}

extension Date: CodedScalar {
    var codedValue: CodedValue { .scalar(StoredDate.stored(self)) }

    init?(codedValue: CodedValue) {
        guard case .scalar(.date(let seconds, let nanoseconds)) = codedValue else { return nil }
        self = StoredDate.date(seconds: seconds, nanoseconds: nanoseconds)
    }
}

extension UUID: CodedScalar {
    var codedValue: CodedValue { .scalar(.uuid(self)) }

    init?(codedValue: CodedValue) {
        guard case .scalar(.uuid(let value)) = codedValue else { return nil }
        self = value
    }
}

extension ObjectId: CodedScalar {
    var codedValue: CodedValue { .scalar(.objectID(ObjectIDBytes(high: high, low: low))) }

    init?(codedValue: CodedValue) {
        guard case .scalar(.objectID(let value)) = codedValue else { return nil }
        self.init(high: value.high, low: value.low)
    }
}

extension Decimal128: CodedScalar {
    var codedValue: CodedValue { .scalar(.decimal(bits)) }

    init?(codedValue: CodedValue) {
        guard case .scalar(.decimal(let bits)) = codedValue else { return nil }
        self.init(bits: bits)
    }
}

/// As the absolute text.
extension URL: CodedScalar {
    var codedValue: CodedValue { .scalar(.string(absoluteString)) }

    init?(codedValue: CodedValue) {
        guard case .scalar(.string(let text)) = codedValue else { return nil }
        self.init(string: text)
    }
}

/// As text: 38 digits are more than a decimal128 has. NaN is `NaN`.
extension Decimal: CodedScalar {
    var codedValue: CodedValue { .scalar(.string(description)) }

    init?(codedValue: CodedValue) {
        guard case .scalar(.string(let text)) = codedValue else { return nil }
        guard text != Decimal.nan.description else {
            self = .nan
            return
        }
        self.init(string: text, locale: Locale(identifier: "en_US_POSIX"))
    }
}
