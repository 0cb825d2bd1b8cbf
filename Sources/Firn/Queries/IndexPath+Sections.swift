import Foundation

// Foundation on Linux has the type without what UIKit adds to it for tables.
extension IndexPath {
    /// The place of an element in a section.
    public init(item: Int, section: Int) {
        self.init(indexes: [section, item])
    }

    /// The place of a row in a section: the same as `init(item:section:)`.
    public init(row: Int, section: Int) {
        self.init(item: row, section: section)
    }

    /// The position of the section. Traps for a path that does not have exactly two parts.
    public var section: Int { part(0) }

    /// The position in the section. Traps for a path that does not have exactly two parts.
    public var item: Int { part(1) }

    /// The position in the section: the same as `item`.
    public var row: Int { item }

    private func part(_ position: Int) -> Int {
        guard count == 2 else {
            misuse("An index path with \(count) parts was used for sections; make it with IndexPath(item:section:)")
        }
        return self[position]
    }
}
