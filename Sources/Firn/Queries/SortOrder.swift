import FirnStore
import Foundation

/// Sort descriptors checked against a class, and the sorting itself.
struct SortOrder {
    private let terms: [Term]

    private struct Term {
        /// The links on the way, by slot, and where each leads.
        let links: [(slot: Int, target: TableBinding)]
        let column: StoredColumn
        let ascending: Bool
        /// The tables and slots whose changes can change the order.
        let dependencies: [(binding: TableBinding, slot: Int)]
    }

    /// Traps for an unknown property, and for a path through one that is not a link.
    init(_ descriptors: [SortDescriptor], _ binding: TableBinding) {
        terms = descriptors.map { Self.term($0, binding) }
    }

    /// A count that moves whenever a value that the order depends on may have changed.
    var changeCount: UInt64 {
        var count: UInt64 = 0
        for term in terms {
            for (binding, slot) in term.dependencies {
                count &+= binding.columnChanges[slot]
            }
        }
        return count
    }

    private static func term(_ descriptor: SortDescriptor, _ root: TableBinding) -> Term {
        var links: [(slot: Int, target: TableBinding)] = []
        var dependencies: [(binding: TableBinding, slot: Int)] = []
        var binding = root
        let names = descriptor.keyPath.split(separator: ".", omittingEmptySubsequences: false).map(String.init)
        for (position, name) in names.enumerated() {
            guard let index = binding.info.index(of: name), let column = binding.column(of: index) else {
                misuse(
                    "'\(root.info.name)' cannot be sorted by '\(descriptor.keyPath)': '\(binding.info.name)' has no property "
                        + "'\(name)'; it has \(binding.info.properties.map(\.name).joined(separator: ", "))")
            }
            dependencies.append((binding, column.slot))
            if position == names.count - 1 {
                guard column.type != .link else { break }
                return Term(
                    links: links, column: column, ascending: descriptor.ascending, dependencies: dependencies)
            }
            guard let target = binding.targets[column.slot] else { break }
            links.append((column.slot, target))
            binding = target
        }
        misuse(
            "'\(root.info.name)' cannot be sorted by '\(descriptor.keyPath)'; the path must lead through links to a property "
                + "that is none")
    }

    /// The keys in order; those that compare equal stay as they come. O(n log n) with one copy of each ordered value.
    func sorted(_ keys: [ObjectKey], in context: RealmContext, _ binding: TableBinding) -> [ObjectKey] {
        var values = KeyBuffer(limit: .max)
        var rows: [Row] = []
        rows.reserveCapacity(keys.count)
        for key in keys {
            let start = values.count
            for term in terms {
                append(term, of: key, binding, context, to: &values)
            }
            rows.append(Row(key: key, start: start, end: values.count))
        }
        let bytes = values.bytes
        rows.sort { left, right in
            let difference = Self.compare(bytes, left, right)
            // `keys` ascend unless something sorted them, and so does `start`: ties stay as they come.
            return difference != 0 ? difference < 0 : left.start < right.start
        }
        // The buffer must outlive the borrowed bytes.
        values.removeAll()
        return rows.map(\.key)
    }

    private struct Row {
        let key: ObjectKey
        let start: Int
        let end: Int
    }

    private static func compare(_ bytes: UnsafeRawBufferPointer, _ left: Row, _ right: Row) -> Int {
        let leftCount = left.end - left.start
        let rightCount = right.end - right.start
        guard let base = bytes.baseAddress else { return 0 }
        let difference = memcmp(base + left.start, base + right.start, min(leftCount, rightCount))
        return difference != 0 ? Int(difference) : leftCount - rightCount
    }

    /// Appends one term's value: 01 and the ordered value, or 02 where a link on the way is nil, which sorts last;
    /// inverted where the order descends.
    private func append(
        _ term: Term, of key: ObjectKey, _ binding: TableBinding, _ context: RealmContext, to buffer: inout KeyBuffer
    ) {
        let start = buffer.count
        var record = context.connection.record(binding.table.id, key)
        for (slot, target) in term.links {
            guard let current = record, !current.isNull(slot) else {
                record = nil
                break
            }
            record = context.connection.record(target.table.id, current.link(slot))
        }
        if let record {
            buffer.append(1)
            OrderedValue.append(context.connection.value(record, term.column), to: &buffer)
        } else {
            buffer.append(2)
        }
        if !term.ascending { buffer.invert(from: start) }
    }
}

extension KeyBuffer {
    /// Makes the bytes from `start` on sort the other way round.
    fileprivate mutating func invert(from start: Int) {
        for index in start..<count {
            let byte = storage.load(fromByteOffset: index, as: UInt8.self)
            storage.storeBytes(of: ~byte, toByteOffset: index, as: UInt8.self)
        }
    }
}
