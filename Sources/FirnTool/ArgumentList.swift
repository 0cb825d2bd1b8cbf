/// The words of a command line, taken one after the other. Options stand anywhere, as `--name value` or `--name=value`;
/// `--` ends them.
package struct ArgumentList {
    private var options: [String]
    private var operands: [String]

    package init(_ arguments: some Sequence<String>) {
        let words = Array(arguments)
        let end = words.firstIndex(of: "--") ?? words.endIndex
        options = Array(words[..<end])
        operands = Array(words[end...].dropFirst())
    }

    /// Takes an option without a value; whether it is there.
    package mutating func flag(_ name: String) -> Bool {
        guard let index = options.firstIndex(of: "--" + name) else { return false }
        options.remove(at: index)
        return true
    }

    /// Takes an option's value.
    package mutating func value(_ name: String) throws(ToolFailure) -> String? {
        let option = "--" + name
        if let index = options.firstIndex(of: option) {
            guard index + 1 < options.count, !options[index + 1].hasPrefix("--") else {
                throw ToolFailure("\(option) needs a value", isUsage: true)
            }
            defer { options.removeSubrange(index...(index + 1)) }
            return options[index + 1]
        }
        guard let index = options.firstIndex(where: { $0.hasPrefix(option + "=") }) else { return nil }
        return String(options.remove(at: index).dropFirst(option.count + 1))
    }

    /// Takes an option's value as a whole number.
    package mutating func integer<Number: FixedWidthInteger>(
        _ name: String, in range: ClosedRange<Number>
    ) throws(ToolFailure) -> Number? {
        guard let text = try value(name) else { return nil }
        guard let number = Number(text), range.contains(number) else {
            let limits = range == .min ... .max ? "" : " from \(range.lowerBound) to \(range.upperBound)"
            throw ToolFailure("--\(name) takes a whole number\(limits), not '\(text)'", isUsage: true)
        }
        return number
    }

    /// Takes the next word that is not an option. To be asked for after all options.
    package mutating func operand(_ name: String) throws(ToolFailure) -> String {
        if let word = try optionalOperand() { return word }
        throw ToolFailure("\(name) was not given", isUsage: true)
    }

    /// Takes the next word that is not an option, if there is one. To be asked for after all options.
    package mutating func optionalOperand() throws(ToolFailure) -> String? {
        if let first = options.first {
            guard !first.hasPrefix("-") else { throw ToolFailure("unknown option '\(first)'", isUsage: true) }
            return options.removeFirst()
        }
        return operands.isEmpty ? nil : operands.removeFirst()
    }

    /// Throws if a word is left.
    package mutating func finish() throws(ToolFailure) {
        guard let word = try optionalOperand() else { return }
        throw ToolFailure("'\(word)' is one word too many", isUsage: true)
    }
}
