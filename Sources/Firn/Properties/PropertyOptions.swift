import FirnStore

/// What the arguments of a property's wrapper say.
struct PropertyOptions: OptionSet {
    let rawValue: UInt8

    static let indexed = PropertyOptions(rawValue: 1)
    static let primaryKey = PropertyOptions(rawValue: 2)
    static let cascade = PropertyOptions(rawValue: 4)
    static let deny = PropertyOptions(rawValue: 8)
    static let unique = PropertyOptions(rawValue: 16)

    init(rawValue: UInt8) {
        self.rawValue = rawValue
    }

    init(_ deleteRule: DeleteRule) {
        switch deleteRule {
        case .nullify: self = []
        case .cascade: self = .cascade
        case .deny: self = .deny
        }
    }

    var deleteRule: StoredDeleteRule {
        contains(.cascade) ? .cascade : contains(.deny) ? .deny : .nullify
    }
}
