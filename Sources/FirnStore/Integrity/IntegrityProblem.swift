/// A place where a file is not what the format says.
package struct IntegrityProblem: Equatable, Sendable, CustomStringConvertible {
    /// The rules that every version of a file keeps. `docs/design.md` lists them with their reasons.
    package enum Invariant: Int, Sendable, CaseIterable {
        /// A leaf's key is its table and the upper bound of its objects' keys, which lie above the bound before.
        case leafBounds = 1
        /// A table's last leaf has the bound 2^64 - 1; a table without objects has no leaf.
        case lastLeaf
        /// A leaf has 4,080 bytes, at least one record, ascending keys and no overlap.
        case leafLayout
        /// A record's bytes are whole, and its values have the types of their columns.
        case recordLayout
        /// A table's count is its number of objects, and its next key lies above them all.
        case tableCounters
        /// In a table with a required integer primary key the object key is that key with its sign flipped.
        case integerKeys
        /// An index has one entry for each object of its table and no other.
        case indexEntries
        /// No two objects have the same value in a unique index, nil aside; a primary key may be nil once.
        case uniqueValues
        /// A backlink stands for each link, with the number of links from its origin, and no other.
        case backlinks
        /// A link leads to an object.
        case links
        /// A blob has an owner, one, and as many bytes as that says.
        case blobs
        /// The schema can be read; its ids and slots are unique and below the next ones.
        case schema
        /// The log has an entry for each of its versions and none beyond.
        case log
        /// No leaf is newer than the version, no id above the next.
        case counters
        /// A collection has exactly one owner, is of that one's kind and, but for one in an `any`, not empty; no node and no
        /// entry lies outside one.
        case collections
        /// A list's nodes are one tree, with the right counts.
        case lists
        /// A set or map has each entry once, under the key of its element, and counts them rightly.
        case entries
        /// An embedded object has exactly one link to it.
        case embedded
    }

    package let invariant: Invariant
    package let message: String

    package var description: String { "I\(invariant.rawValue): \(message)" }
}
