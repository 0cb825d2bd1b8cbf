/// The way from an object to a value: through properties, links, collections and what stands in them.
package struct QueryPath: Hashable, Sendable {
    /// One step of the way.
    package enum Step: Hashable, Sendable {
        /// A property, or any other name that the class knows. Through a collection: of each element.
        case property(String)
        /// The value that a map, or a map in an `any`, has for a key.
        case key(String)
        /// The element at a position of a list, or of a list in an `any`; -1 is the last one.
        case index(Int)
        /// All elements of what an `any` holds, wherever they stand: `[*]`.
        case elements
        /// The keys of a map.
        case keys
        /// The values of a map.
        case values
        /// The objects of a class that link to this one by a property: `@links.Class.property`.
        case links(from: String, property: String)
        /// All links to this object, whatever they come from: `@links`.
        case allLinks
        /// The name of the type of an `any`: `@type`.
        case type
        /// The name of the case of a `Codable` enum: `@case`.
        case caseName
        /// A place for names or a key: the argument that brings it. Only in templates.
        case argument(Int, ArgumentPlace)
    }

    /// What an argument among the steps stands for.
    package enum ArgumentPlace: Hashable, Sendable {
        /// `%K`: a key path, whose steps take the argument's place.
        case keyPath
        /// `["%@"]`, `[%@]`: a key or a position.
        case element
    }

    /// The variable of a subquery that the way begins at; nil for the object that the predicate is about.
    package var variable: String?
    /// The steps, in order; without any the path leads to the object, or the element, itself.
    package var steps: [Step]

    /// A path made from its parts.
    package init(_ steps: [Step], from variable: String? = nil) {
        self.steps = steps
        self.variable = variable
    }

    /// The path to a property of the object itself.
    package init(property name: String) {
        self.init([.property(name)])
    }

    /// The property, where the path is that of one of the object's own.
    package var ownProperty: String? {
        guard variable == nil, steps.count == 1, case .property(let name) = steps[0] else { return nil }
        return name
    }
}
