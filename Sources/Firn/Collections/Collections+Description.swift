/// Something that is described to a depth of linked objects.
protocol DescribedToDepth {
    func description(depth: Int) -> String
}

extension List: CustomStringConvertible, DescribedToDepth {
    /// The type and the first hundred elements, with linked objects to a depth of five.
    public var description: String { description(depth: 5) }

    func description(depth: Int) -> String { ElementDescription.describe(self, "List", identity: self, depth) }
}

extension MutableSet: CustomStringConvertible, DescribedToDepth {
    /// The type and the first hundred elements, with linked objects to a depth of five.
    public var description: String { description(depth: 5) }

    func description(depth: Int) -> String { ElementDescription.describe(self, "MutableSet", identity: self, depth) }
}

extension Results: CustomStringConvertible, DescribedToDepth {
    /// The type and the first hundred elements, with linked objects to a depth of five.
    public var description: String { description(depth: 5) }

    func description(depth: Int) -> String { ElementDescription.describe(self, "Results", identity: source, depth) }
}

extension LinkingObjects: CustomStringConvertible, DescribedToDepth {
    /// The type and the first hundred objects, with linked objects to a depth of five.
    public var description: String { description(depth: 5) }

    func description(depth: Int) -> String {
        ElementDescription.describe(self, "LinkingObjects", identity: link, depth)
    }
}

extension Map: CustomStringConvertible, DescribedToDepth {
    /// The type and the first hundred entries, with linked objects to a depth of five.
    public var description: String { description(depth: 5) }

    func description(depth: Int) -> String {
        let type = "Map<\(ElementDescription.name(Key.self)), \(ElementDescription.name(Value.self))>"
        return ElementDescription.describe(self, type, count, isInvalidated) {
            prefix(100).map {
                "[\($0.key._storedKey)]: " + ElementDescription.describe($0.value._untypedElement(), depth)
            }
        }
    }
}

extension SectionedResults {
    /// The type and the first hundred sections.
    public var description: String {
        let type =
            "SectionedResults<\(ElementDescription.name(Key.self)), \(ElementDescription.name(SectionElement.self))>"
        return ElementDescription.describe(source, type, count, isInvalidated) { prefix(100).map(\.description) }
    }
}

extension ResultsSection {
    /// The key and the first hundred elements, with linked objects to a depth of five.
    public var description: String {
        ElementDescription.describe(identity, "ResultsSection '\(key)'", count, isInvalidated) {
            prefix(100).enumerated().map { "[\($0)] " + ElementDescription.describe($1._untypedElement(), 5) }
        }
    }
}

private enum ElementDescription {
    static func describe<C: RealmCollection>(_ collection: C, _ type: String, identity: AnyObject, _ depth: Int)
        -> String
    {
        describe(identity, "\(type)<\(name(C.Element.self))>", collection.count, collection.isInvalidated) {
            collection.prefix(100).enumerated().map { "[\($0)] " + describe($1._untypedElement(), depth) }
        }
    }

    static func describe(
        _ collection: AnyObject, _ type: String, _ count: @autoclosure () -> Int, _ isInvalidated: Bool,
        _ elements: () -> [String]
    ) -> String {
        if isInvalidated { return "[invalid collection]" }
        let address = String(UInt(bitPattern: Unmanaged.passUnretained(collection).toOpaque()), radix: 16)
        var lines = elements().map {
            $0.split(separator: "\n", omittingEmptySubsequences: false).joined(separator: "\n\t")
        }
        let count = count()
        if count > lines.count { lines.append("… \(count - lines.count) more") }
        return "\(type) <0x\(address)> (\n" + lines.map { "\t\($0)" }.joined(separator: ",\n") + "\n)"
    }

    /// A collection within one counts as a level, as an object does.
    static func describe(_ element: Any?, _ depth: Int) -> String {
        guard let nested = element as? any DescribedToDepth else { return ObjectBase.describe(element, depth: depth) }
        return depth > 1 ? nested.description(depth: depth - 1) : "<Maximum depth exceeded>"
    }

    /// An element type as it is declared, but for the scopes that a class is nested in.
    static func name(_ type: Any.Type) -> String {
        let name = String(describing: type)
        guard name.hasPrefix("Optional<") else { return name }
        return name.dropFirst("Optional<".count).dropLast() + "?"
    }
}
