import FirnQuery
import FirnStore

/// A way from an element of results to a value: a property, one behind links, or the element itself.
struct ValuePath {
    /// The way from an object; nil where the value is the element itself.
    let path: ColumnPath?
    /// Where the way ends; nil for an element of any type, and for an object itself.
    let column: StoredColumn?
    /// The slots whose changes can change the value.
    private let dependencies: [(binding: TableBinding, slot: Int)]

    /// The way that a dotted key path describes; `self` is the element. `purpose` is for messages: "be sorted".
    ///
    /// Traps for an unknown property, and for a path through one that is not a link.
    init(_ keyPath: String, from origin: ResultsOrigin, to purpose: String) {
        if keyPath == "self" {
            path = nil
            column = origin.column
            dependencies = []
            return
        }
        guard let root = origin.binding else {
            misuse(
                "A collection of values cannot \(purpose) by '\(keyPath)': its elements have no properties; use 'self'")
        }
        var subject: String { "'\(root.info.name)' cannot \(purpose) by '\(keyPath)'" }
        var links: [(slot: Int, target: TableID)] = []
        var dependencies: [(binding: TableBinding, slot: Int)] = []
        var binding = root
        // Most paths are one name, and splitting costs as much as all else here.
        let names =
            keyPath.utf8.contains(UInt8(ascii: "."))
            ? keyPath.split(separator: ".", omittingEmptySubsequences: false).map(String.init) : [keyPath]
        for name in names.dropLast() {
            let column = Self.column(name, of: binding, subject)
            guard column.collection == nil, let target = binding.targets[column.slot] else {
                misuse("\(subject); the path must lead through links to a property that is none")
            }
            dependencies.append((binding, column.slot))
            links.append((column.slot, target.table.id))
            binding = target
        }
        let column = Self.column(names.last ?? "", of: binding, subject)
        guard column.collection == nil else {
            misuse("\(subject); '\(column.name)' is a collection, which has no single value")
        }
        dependencies.append((binding, column.slot))
        path = ColumnPath(links: links, to: column)
        self.column = column
        self.dependencies = dependencies
    }

    private static func column(
        _ name: String, of binding: TableBinding, _ subject: @autoclosure () -> String
    ) -> StoredColumn {
        guard let index = binding.info.index(of: name), let column = binding.column(of: index) else {
            misuse(
                "\(subject()): '\(binding.info.name)' has no property '\(name)'; it has "
                    + binding.info.properties.map(\.name).joined(separator: ", "))
        }
        return column
    }

    /// Whether the value is an object.
    func leadsToObject(from origin: ResultsOrigin) -> Bool {
        path == nil ? origin.binding != nil : column?.type == .link
    }

    /// The form in which the values are ordered.
    var form: OrderedValue.Form {
        column.flatMap { OrderedValue.Form(rawValue: $0.type.rawValue) } ?? .any
    }

    /// Whether the way leads through a table's slot.
    func looks(at slot: Int, ofTable table: TableID) -> Bool {
        dependencies.contains { $0.slot == slot && $0.binding.table.id == table }
    }

    /// A count that moves whenever a value may have changed.
    var changeCount: UInt64 {
        dependencies.reduce(0) { $0 &+ $1.binding.columnChanges[$1.slot] }
    }

    /// The value of an element, which `values` has where the elements are values; nil where a link on the way is nil.
    func value(
        of reference: ResultsOrigin.Reference, in context: RealmContext, _ binding: TableBinding?,
        _ values: [StoredValue]
    ) -> StoredValue? {
        guard let binding else { return values[Int(reference)] }
        guard let path else { return .link(reference) }
        return path.value(of: reference, in: binding.table.id, context.connection)
    }
}
