/// A word, literal, placeholder or sign of predicate text.
struct PredicateToken: Equatable {
    enum Kind: Equatable {
        /// A name or a keyword; with `#` in front always a name.
        case word(String, isEscaped: Bool)
        /// Without a sign, which is a token of its own.
        case integer(UInt64)
        case double(Double)
        case string(String)
        /// `%@`, `%K`, `%d`, `%f` and their relatives.
        case argument(ArgumentKind)
        case sign(Sign)
        case end
    }

    enum Sign: String, CaseIterable {
        case leftParenthesis = "("
        case rightParenthesis = ")"
        case leftBrace = "{"
        case rightBrace = "}"
        case leftBracket = "["
        case rightBracket = "]"
        case comma = ","
        case period = "."
        case at = "@"
        case dollar = "$"
        case plus = "+"
        case minus = "-"
        case asterisk = "*"
        case slash = "/"
        case colon = ":"
        case and = "&&"
        case or = "||"
        case not = "!"
        case equal = "=="
        case assign = "="
        case notEqual = "!="
        case unequal = "<>"
        case less = "<"
        case lessOrEqual = "<="
        case equalOrLess = "=<"
        case greater = ">"
        case greaterOrEqual = ">="
        case equalOrGreater = "=>"
    }

    enum ArgumentKind: Equatable {
        case value, property, integer, double
    }

    var kind: Kind
    /// The byte of the text at which the token begins, and the one behind its end.
    var start: Int
    var end: Int
}
