import FirnStore
import Foundation

/// The steps of a query, checked against what its elements come from; and the sorting and leaving out itself.
struct ResultsOrder {
    private let origin: ResultsOrigin
    private let steps: [Step]

    private enum Step {
        case sort([Term])
        case distinct([ValuePath])

        var paths: [ValuePath] {
            switch self {
            case .sort(let terms): terms.map(\.path)
            case .distinct(let paths): paths
            }
        }
    }

    private struct Term {
        let path: ValuePath
        let ascending: Bool
    }

    /// Traps for a key path that leads nowhere, and for sorting by an object.
    init(_ steps: [ResultsQuery.Step], _ origin: ResultsOrigin) {
        self.origin = origin
        self.steps = steps.map { step in
            switch step {
            case .sort(let descriptors): .sort(descriptors.map { Self.term($0, origin) })
            case .distinct(let keyPaths):
                .distinct(keyPaths.map { ValuePath($0, from: origin, to: "be made distinct") })
            }
        }
    }

    private static func term(_ descriptor: SortDescriptor, _ origin: ResultsOrigin) -> Term {
        let path = ValuePath(descriptor.keyPath, from: origin, to: "be sorted")
        guard !path.leadsToObject(from: origin) else {
            misuse(
                "'\(origin.binding?.info.name ?? "")' cannot be sorted by '\(descriptor.keyPath)'; the path must lead through "
                    + "links to a property that is none")
        }
        return Term(path: path, ascending: descriptor.ascending)
    }

    /// Whether nothing is done.
    var isEmpty: Bool { steps.isEmpty }

    /// A count that moves whenever a value that a step looks at may have changed.
    var changeCount: UInt64 {
        var count: UInt64 = 0
        for step in steps {
            for path in step.paths { count &+= path.changeCount }
        }
        return count
    }

    /// The elements after all steps. O(n log n), with one copy of each value that is looked at.
    func applied(to references: [ResultsOrigin.Reference], in context: RealmContext) -> [ResultsOrigin.Reference] {
        if steps.isEmpty { return references }
        let values = origin.binding == nil ? origin.storedValues(in: context) : []
        var references = references
        for step in steps {
            switch step {
            case .sort(let terms): references = sorted(references, by: terms, values, context)
            case .distinct(let paths): references = distinct(references, by: paths, values, context)
            }
        }
        return references
    }

    // MARK: Sorting

    private struct Row {
        let reference: ResultsOrigin.Reference
        let start: Int
        let end: Int
    }

    /// The elements in order; those that compare equal stay as they come.
    private func sorted(
        _ references: [ResultsOrigin.Reference], by terms: [Term], _ values: [StoredValue], _ context: RealmContext
    ) -> [ResultsOrigin.Reference] {
        var buffer = KeyBuffer(limit: .max)
        var rows: [Row] = []
        rows.reserveCapacity(references.count)
        for reference in references {
            let start = buffer.count
            for term in terms {
                let termStart = buffer.count
                append(term.path, of: reference, values, context, to: &buffer)
                if !term.ascending { buffer.invert(from: termStart) }
            }
            rows.append(Row(reference: reference, start: start, end: buffer.count))
        }
        let bytes = buffer.bytes
        rows.sort { left, right in
            let difference = Self.compare(bytes, left, right)
            // `start` ascends as the elements came: ties stay so.
            return difference != 0 ? difference < 0 : left.start < right.start
        }
        // The buffer must outlive the borrowed bytes.
        buffer.removeAll()
        return rows.map(\.reference)
    }

    private static func compare(_ bytes: UnsafeRawBufferPointer, _ left: Row, _ right: Row) -> Int {
        let leftCount = left.end - left.start
        let rightCount = right.end - right.start
        guard let base = bytes.baseAddress else { return 0 }
        let difference = memcmp(base + left.start, base + right.start, min(leftCount, rightCount))
        return difference != 0 ? Int(difference) : leftCount - rightCount
    }

    /// Appends one value: 01 and the ordered value, or 02 where a link on the way is nil, which sorts last.
    private func append(
        _ path: ValuePath, of reference: ResultsOrigin.Reference, _ values: [StoredValue], _ context: RealmContext,
        to buffer: inout KeyBuffer
    ) {
        guard let value = path.value(of: reference, in: context, origin.binding, values) else {
            return buffer.append(2)
        }
        buffer.append(1)
        OrderedValue.append(value, as: path.form, to: &buffer)
    }

    // MARK: Leaving out

    /// The first of those that are alike, in the order in which they come, without those that have a nil link on the way.
    private func distinct(
        _ references: [ResultsOrigin.Reference], by paths: [ValuePath], _ values: [StoredValue],
        _ context: RealmContext
    ) -> [ResultsOrigin.Reference] {
        var seen: Set<[UInt8]> = []
        var buffer = KeyBuffer(limit: .max)
        return references.filter { reference in
            buffer.removeAll()
            for path in paths {
                guard let value = path.value(of: reference, in: context, origin.binding, values),
                    !value.isNull || path.column?.type != .link
                else { return false }
                OrderedValue.append(value, as: path.form, to: &buffer)
            }
            return seen.insert(buffer.withBytes { Array($0) }).inserted
        }
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
