/// What a check found.
package struct IntegrityReport: Equatable, Sendable {
    package let problems: [IntegrityProblem]
    /// How many objects were read.
    package let objectCount: Int
}

/// How far a check has come.
package struct IntegrityProgress: Equatable, Sendable {
    /// The part of the file that is read next.
    package enum Place: Equatable, Sendable, CustomStringConvertible {
        case schema
        case firstLeaf
        /// The leaf of objects with keys up to `bound`, and what their records call for elsewhere.
        case leaf(table: String, bound: ObjectKey)
        case index
        case backlinks
        case collections
        case blobs
        case log

        package var description: String {
            switch self {
            case .schema: "the schema"
            case .firstLeaf: "the first objects"
            case .leaf(let table, .max): "the last objects of \(table)"
            case .leaf(let table, let bound): "the objects of \(table) up to key \(bound)"
            case .index: "the indexes"
            case .backlinks: "the backlinks"
            case .collections: "the collections"
            case .blobs: "the blobs"
            case .log: "the change log"
            }
        }
    }

    package let place: Place
    /// How many objects were read before.
    package let objectCount: Int
}
