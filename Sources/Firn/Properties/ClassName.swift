/// The name of a class in the schema.
enum ClassName {
    /// The qualified name without its module, and without the addresses that stand in for the scopes of private and
    /// local types: those differ from run to run.
    static func make(for type: Any.Type) -> String {
        var name = ""
        for part in parts(of: _typeName(type, qualified: true)).dropFirst()
        where !part.hasPrefix("(unknown context at ") {
            name += name.isEmpty ? part : ".\(part)"
        }
        return name
    }

    /// Splits at the dots outside parentheses.
    private static func parts(of name: String) -> [String] {
        var parts = [""]
        var depth = 0
        for character in name {
            switch character {
            case "." where depth == 0: parts.append("")
            case "(":
                depth += 1
                parts[parts.count - 1].append(character)
            case ")":
                depth -= 1
                parts[parts.count - 1].append(character)
            default: parts[parts.count - 1].append(character)
            }
        }
        return parts
    }
}
