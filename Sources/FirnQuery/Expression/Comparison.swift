/// How a property is compared with a constant; the property stands on the left.
package enum ComparisonOperator: Hashable, Sendable {
    case equal, notEqual, less, lessOrEqual, greater, greaterOrEqual
    case beginsWith, contains, endsWith

    /// The operator for the same comparison with its sides exchanged, nil where the sides are not alike.
    package var mirrored: ComparisonOperator? {
        switch self {
        case .equal, .notEqual: self
        case .less: .greater
        case .lessOrEqual: .greaterOrEqual
        case .greater: .less
        case .greaterOrEqual: .lessOrEqual
        case .beginsWith, .contains, .endsWith: nil
        }
    }

    /// Whether this asks for a part of a text.
    package var isForText: Bool { mirrored == nil }

    /// The operator as predicate text writes it.
    package var symbol: String {
        switch self {
        case .equal: "=="
        case .notEqual: "!="
        case .less: "<"
        case .lessOrEqual: "<="
        case .greater: ">"
        case .greaterOrEqual: ">="
        case .beginsWith: "BEGINSWITH"
        case .contains: "CONTAINS"
        case .endsWith: "ENDSWITH"
        }
    }
}

/// What a comparison of texts overlooks: the letters in brackets after an operator.
package struct ComparisonOptions: OptionSet, Hashable, Sendable {
    /// One bit an option.
    package let rawValue: UInt8

    /// The options of these bits.
    package init(rawValue: UInt8) { self.rawValue = rawValue }

    /// `[c]`: upper and lower case are alike.
    package static let caseInsensitive = ComparisonOptions(rawValue: 1)
    /// `[d]`: letters with and without diacritics are alike.
    package static let diacriticInsensitive = ComparisonOptions(rawValue: 2)

    /// The options as predicate text writes them, brackets included, or nothing.
    package var symbol: String {
        guard !isEmpty else { return "" }
        return "[\(contains(.caseInsensitive) ? "c" : "")\(contains(.diacriticInsensitive) ? "d" : "")]"
    }
}

/// A property compared with a constant.
package struct Comparison: Hashable, Sendable {
    /// The name of the property.
    package var property: String
    /// How it is compared.
    package var operation: ComparisonOperator
    /// What the comparison overlooks.
    package var options: ComparisonOptions
    /// What it is compared with.
    package var constant: Constant
    /// Where in its text the comparison begins: the number of characters in front of it.
    package var position: Int?

    /// A comparison made from its parts.
    package init(
        _ property: String, _ operation: ComparisonOperator, _ constant: Constant, options: ComparisonOptions = [],
        position: Int? = nil
    ) {
        self.property = property
        self.operation = operation
        self.options = options
        self.constant = constant
        self.position = position
    }
}
