/// A property to sort by, and in which direction.
public struct SortDescriptor: Hashable, Sendable {
    /// The property's name, or a path to it through links, with dots.
    public let keyPath: String

    /// Whether the smallest value comes first.
    public let ascending: Bool

    /// Sorts by the property with a name or dotted path.
    public init(keyPath: String, ascending: Bool = true) {
        self.keyPath = keyPath
        self.ascending = ascending
    }

    /// Sorts by the property that a key path leads to. Traps where that is not made of persisted properties.
    public init<Root: ObjectBase>(keyPath: PartialKeyPath<Root>, ascending: Bool = true) {
        guard let name = PropertyTracer.name(of: keyPath) else {
            misuse("A key path of '\(Root.className())' leads to no persisted property; sort by one")
        }
        self.init(keyPath: name, ascending: ascending)
    }

    /// The same property in the other direction.
    public func reversed() -> SortDescriptor {
        SortDescriptor(keyPath: keyPath, ascending: !ascending)
    }
}

extension SortDescriptor: ExpressibleByStringLiteral, CustomStringConvertible {
    /// Sorts ascending by the property with a name or dotted path.
    public init(stringLiteral value: String) {
        self.init(keyPath: value)
    }

    /// The path and the direction.
    public var description: String {
        "SortDescriptor(keyPath: \(keyPath), ascending: \(ascending))"
    }
}
