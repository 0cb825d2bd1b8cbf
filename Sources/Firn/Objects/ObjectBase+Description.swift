import Foundation

extension ObjectBase: CustomStringConvertible {
    /// The class and its properties, with linked objects to a depth of five. Works on an invalidated object too.
    public var description: String {
        description(depth: 5)
    }

    private final func description(depth: Int) -> String {
        if isInvalidated { return "[invalid object]" }
        if depth == 0 { return "<Maximum depth exceeded>" }
        let info = classInfo
        var text = "\(info.name) {\n"
        for property in info.properties {
            let value = Self.describe(untypedValue(of: property), depth: depth)
            text += "\t\(property.name) = \(value.replacingOccurrences(of: "\n", with: "\n\t"));\n"
        }
        return text + "}"
    }

    static func describe(_ value: Any?, depth: Int) -> String {
        switch value.flatMap(UntypedValue.unwrapped) {
        case nil: "nil"
        case let object as ObjectBase: object.description(depth: depth - 1)
        case let collection as any DescribedToDepth: collection.description(depth: depth)
        case let data as Data: describe(data)
        case let value?: UntypedValue.text(value)
        }
    }

    /// The first 24 bytes.
    private static func describe(_ data: Data) -> String {
        let bytes = data.prefix(24).map { byte in
            let digits = String(byte, radix: 16)
            return digits.count == 1 ? "0\(digits)" : digits
        }
        return "<\(bytes.joined())\(data.count > 24 ? "…" : "") — \(data.count) total bytes>"
    }
}
