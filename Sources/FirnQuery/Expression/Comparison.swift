/// How the left operand of a comparison stands to the right one.
package enum ComparisonOperator: Hashable, Sendable {
    case equal, notEqual, less, lessOrEqual, greater, greaterOrEqual
    case beginsWith, contains, endsWith
    /// A pattern in which `?` stands for one character and `*` for any number of them.
    case like
    /// One of several values.
    case isIn
    /// Not below the first and not above the second of two values.
    case between
    /// On the sphere, within an area.
    case within

    /// The operator for the same comparison with its sides exchanged, nil where the sides are not alike.
    package var mirrored: ComparisonOperator? {
        switch self {
        case .equal, .notEqual: self
        case .less: .greater
        case .lessOrEqual: .greaterOrEqual
        case .greater: .less
        case .greaterOrEqual: .lessOrEqual
        case .beginsWith, .contains, .endsWith, .like, .isIn, .between, .within: nil
        }
    }

    /// Whether this looks into a text.
    package var isForText: Bool {
        switch self {
        case .beginsWith, .contains, .endsWith, .like: true
        default: false
        }
    }

    /// Whether this asks which of two values comes first.
    package var isForOrder: Bool {
        switch self {
        case .less, .lessOrEqual, .greater, .greaterOrEqual, .between: true
        default: false
        }
    }

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
        case .like: "LIKE"
        case .isIn: "IN"
        case .between: "BETWEEN"
        case .within: "geoWithin"
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

/// Of how many elements a comparison must hold, where a side leads through a collection.
package enum Quantifier: String, Hashable, Sendable {
    case any = "ANY"
    case all = "ALL"
}

/// Two operands compared.
package struct Comparison: Hashable, Sendable {
    /// Of how many elements it must hold; nil where no side leads through a collection.
    package var quantifier: Quantifier?
    /// What is compared.
    package var left: Operand
    /// How it is compared.
    package var operation: ComparisonOperator
    /// What the comparison overlooks.
    package var options: ComparisonOptions
    /// What it is compared with.
    package var right: Operand
    /// Where in its text the comparison begins: the number of characters in front of it.
    package var position: Int?

    /// A comparison made from its parts.
    package init(
        _ left: Operand, _ operation: ComparisonOperator, _ right: Operand, options: ComparisonOptions = [],
        quantifier: Quantifier? = nil, position: Int? = nil
    ) {
        self.quantifier = quantifier
        self.left = left
        self.operation = operation
        self.options = options
        self.right = right
        self.position = position
    }

    /// A property of the object compared with a constant.
    package init(
        _ property: String, _ operation: ComparisonOperator, _ constant: Constant, options: ComparisonOptions = [],
        position: Int? = nil
    ) {
        self.init(
            .path(QueryPath(property: property)), operation, .constant(constant), options: options, position: position)
    }
}
