import Foundation

/// Reading values of type `Any`, as `init(value:)`, `create` and `setValue(_:forKey:)` get them.
enum UntypedValue {
    /// The value without its optionals; nil for nil and `NSNull`.
    static func unwrapped(_ value: Any) -> Any? {
        var value = value
        while let optional = value as? any AnyOptional {
            guard let wrapped = optional.wrappedValue else { return nil }
            value = wrapped
        }
        return value is NSNull ? nil : value
    }

    /// What is stored for a value of a type of the program's own, an enum or a mapped one; any other as it is.
    static func persisted(_ value: Any) -> Any {
        switch unwrapped(value) {
        case let value as any PersistableEnum: value.rawValue
        case let mapped as any _CustomPersistable: mapped._untyped() ?? value
        default: value
        }
    }

    /// An integer from any integer, or from Bool.
    static func integer(_ value: Any) -> Int64? {
        // By type, not by cast: an NSNumber casts to Double and Bool, and an Int to NSNumber.
        if type(of: value) is NSNumber.Type, let number = value as? NSNumber {
            return isFloating(number) || isBeyondInt64(number) ? nil : number.int64Value
        }
        return switch value {
        case let value as Int: Int64(value)
        case let value as Bool: value ? 1 : 0
        case let value as any BinaryInteger: Int64(exactly: value)
        default: nil
        }
    }

    /// A number from any integer or floating-point value.
    static func double(_ value: Any) -> Double? {
        if type(of: value) is NSNumber.Type, let number = value as? NSNumber { return number.doubleValue }
        return switch value {
        case let value as Double: value
        case let value as Float: Double(value)
        case let value as any BinaryInteger: Double(value)
        default: nil
        }
    }

    /// A number from a floating-point value.
    static func floating(_ value: Any) -> Double? {
        if type(of: value) is NSNumber.Type, let number = value as? NSNumber {
            return isFloating(number) ? number.doubleValue : nil
        }
        return switch value {
        case let value as Double: value
        case let value as Float: Double(value)
        default: nil
        }
    }

    /// Whether a value is a Bool, or a number of Foundation that was made of one.
    static func isBool(_ value: Any) -> Bool {
        guard type(of: value) is NSNumber.Type, let number = value as? NSNumber else {
            return type(of: value) is Bool.Type
        }
        // Foundation on Linux has one code for Bool and Int8.
        return UInt8(bitPattern: number.objCType.pointee) == UInt8(ascii: "c") && (0...1).contains(number.intValue)
    }

    /// The name that messages use for what a caller gave.
    static func describe(_ value: Any) -> String {
        guard let value = unwrapped(value) else { return "nil" }
        let text = value is String ? "\"\(value)\"" : text(value)
        return "\(text.count > 80 ? text.prefix(80) + "…" : text[...]) of type \(type(of: value))"
    }

    /// A value in words. Foundation's own for a date that is not a number ends the process.
    static func text(_ value: Any) -> String {
        if let date = value as? Date, date.timeIntervalSinceReferenceDate.isNaN { return "nan" }
        return String(describing: value)
    }

    /// Whether `int64Value` would wrap around.
    private static func isBeyondInt64(_ number: NSNumber) -> Bool {
        UInt8(bitPattern: number.objCType.pointee) == UInt8(ascii: "Q") && number.uint64Value > UInt64(Int64.max)
    }

    private static func isFloating(_ number: NSNumber) -> Bool {
        let code = UInt8(bitPattern: number.objCType.pointee)
        return code == UInt8(ascii: "d") || code == UInt8(ascii: "f")
    }
}

/// An optional of any type.
private protocol AnyOptional {
    var wrappedValue: Any? { get }
}

extension Optional: AnyOptional {
    var wrappedValue: Any? { self }
}
