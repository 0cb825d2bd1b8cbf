import FirnQuery
import Foundation

/// What a comparison of texts overlooks.
public struct StringOptions: OptionSet, Sendable {
    /// One bit an option.
    public let rawValue: Int8

    /// The options of these bits.
    public init(rawValue: Int8) { self.rawValue = rawValue }

    /// Upper and lower case are alike.
    public static let caseInsensitive = StringOptions(rawValue: 1)
    /// Letters with and without diacritics are alike.
    public static let diacriticInsensitive = StringOptions(rawValue: 2)

    /// The options as predicates have them.
    fileprivate var options: ComparisonOptions {
        var options: ComparisonOptions = []
        if contains(.caseInsensitive) { options.insert(.caseInsensitive) }
        if contains(.diacriticInsensitive) { options.insert(.diacriticInsensitive) }
        return options
    }
}

/// A type that is stored as a string or as data.
///
/// Underscored like Realm's tags of queries; there is nothing to conform to it.
public protocol _QueryBinary {}

/// A type that is stored as a string.
///
/// Underscored like Realm's tags of queries; there is nothing to conform to it.
public protocol _QueryString: _QueryBinary {}

extension String: _QueryString {}
extension Data: _QueryBinary {}
extension Optional: _QueryBinary where Wrapped: _QueryBinary {}
extension Optional: _QueryString where Wrapped: _QueryString {}

// Nothing contains, begins or ends with an empty text or nil.

extension Query where T: _HasPersistedType, T.PersistedType: _QueryBinary {
    /// Whether a text has another one in it.
    public func contains(_ text: T, options: StringOptions = []) -> Query<Bool> {
        compared(.contains, with: text, options.options)
    }

    /// Whether a text has another property's in it.
    public func contains(_ text: Query, options: StringOptions = []) -> Query<Bool> {
        compared(.contains, with: text, options.options)
    }

    /// Whether a text begins with another one.
    public func starts(with text: T, options: StringOptions = []) -> Query<Bool> {
        compared(.beginsWith, with: text, options.options)
    }

    /// Whether a text begins with another property's.
    public func starts(with text: Query, options: StringOptions = []) -> Query<Bool> {
        compared(.beginsWith, with: text, options.options)
    }

    /// Whether a text ends with another one.
    public func ends(with text: T, options: StringOptions = []) -> Query<Bool> {
        compared(.endsWith, with: text, options.options)
    }

    /// Whether a text ends with another property's.
    public func ends(with text: Query, options: StringOptions = []) -> Query<Bool> {
        compared(.endsWith, with: text, options.options)
    }

    /// Whether a text equals another one.
    public func equals(_ text: T, options: StringOptions = []) -> Query<Bool> {
        compared(.equal, with: text, options.options)
    }

    /// Whether a text equals another property's.
    public func equals(_ text: Query, options: StringOptions = []) -> Query<Bool> {
        compared(.equal, with: text, options.options)
    }

    /// Whether a text differs from another one.
    public func notEquals(_ text: T, options: StringOptions = []) -> Query<Bool> {
        compared(.notEqual, with: text, options.options)
    }

    /// Whether a text differs from another property's.
    public func notEquals(_ text: Query, options: StringOptions = []) -> Query<Bool> {
        compared(.notEqual, with: text, options.options)
    }
}

extension Query where T: _HasPersistedType, T.PersistedType: _QueryString {
    /// Whether a text is what a pattern says, in which `?` is any one character and `*` any number of them.
    public func like(_ pattern: T, caseInsensitive: Bool = false) -> Query<Bool> {
        compared(.like, with: pattern, caseInsensitive ? .caseInsensitive : [])
    }

    /// Whether a text is what another property's pattern says.
    public func like(_ pattern: Query, caseInsensitive: Bool = false) -> Query<Bool> {
        compared(.like, with: pattern, caseInsensitive ? .caseInsensitive : [])
    }
}
