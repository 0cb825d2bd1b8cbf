import FirnQuery
import FirnStore

/// The steps of a query, checked against what its elements come from; and the sorting and leaving out itself.
final class ResultsOrder {
    private let origin: ResultsOrigin
    private let steps: [Step]
    /// What objects are sorted by before anything else is done with them.
    let first: ObjectOrder

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
        let descriptor: SortDescriptor
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
        if case .sort(let terms) = self.steps.first { first = Self.objectOrder(terms) } else { first = ObjectOrder() }
    }

    private static func term(_ descriptor: SortDescriptor, _ origin: ResultsOrigin) -> Term {
        let path = ValuePath(descriptor.keyPath, from: origin, to: "be sorted")
        guard !path.leadsToObject(from: origin) else {
            misuse(
                "'\(origin.binding?.info.name ?? "")' cannot be sorted by '\(descriptor.keyPath)'; the path must lead through "
                    + "links to a property that is none")
        }
        guard path.column?.type != .coded else {
            misuse(
                "'\(origin.binding?.info.name ?? "")' cannot be sorted by '\(descriptor.keyPath)': a Codable value has no order"
            )
        }
        return Term(path: path, descriptor: descriptor)
    }

    /// The property by which objects are made distinct, where nothing else is done but to sort before.
    var distinctColumn: StoredColumn? {
        guard case .distinct(let paths) = steps.last, steps.count == (first.isEmpty ? 1 : 2), paths.count == 1,
            let path = paths[0].path, path.isDirect
        else { return nil }
        return path.column
    }

    /// Whether nothing is done but to sort once, so that of the first elements no others are missed.
    var isSortAlone: Bool { steps.count == 1 && !first.isEmpty }

    private static func objectOrder(_ terms: [Term]) -> ObjectOrder {
        ObjectOrder(
            terms.compactMap { term in
                term.path.path.map { ObjectOrder.Term($0, isAscending: term.descriptor.ascending) }
            })
    }

    /// Whether a step looks at the values of a table's slot.
    func looks(at slot: Int, ofTable table: TableID) -> Bool {
        steps.contains { $0.paths.contains { $0.looks(at: slot, ofTable: table) } }
    }

    /// A count that moves whenever a value that a step looks at may have changed.
    var changeCount: UInt64 {
        var count: UInt64 = 0
        for step in steps {
            for path in step.paths { count &+= path.changeCount }
        }
        return count
    }

    /// The elements after all steps, or after those that follow ``first``. O(n log n), with one copy of each value that is
    /// looked at.
    func applied(
        to references: [ResultsOrigin.Reference], behindFirst isSorted: Bool = false, in context: RealmContext
    ) -> [ResultsOrigin.Reference] {
        let values = origin.binding == nil ? origin.storedValues(in: context) : []
        return steps.dropFirst(isSorted && !first.isEmpty ? 1 : 0).reduce(references) { references, step in
            switch step {
            case .sort(let terms): sorted(references, by: terms, values, context)
            case .distinct(let paths): distinct(references, by: paths, values, context)
            }
        }
    }

    /// The steps in words, without ``first`` where that is told otherwise.
    func explanation(behindFirst isSorted: Bool) -> String {
        steps.dropFirst(isSorted && !first.isEmpty ? 1 : 0).map { step in
            switch step {
            case .sort(let terms):
                let texts = terms.map {
                    $0.descriptor.ascending ? $0.descriptor.keyPath : "\($0.descriptor.keyPath) descending"
                }
                return ", sort by \(texts.joined(separator: ", "))"
            case .distinct(let paths):
                return ", distinct by \(paths.map { $0.column?.name ?? "self" }.joined(separator: ", "))"
            }
        }.joined()
    }

    /// The elements in order; those that compare equal stay as they come.
    private func sorted(
        _ references: [ResultsOrigin.Reference], by terms: [Term], _ values: [StoredValue], _ context: RealmContext
    ) -> [ResultsOrigin.Reference] {
        if let binding = origin.binding {
            return Self.objectOrder(terms).sorted(references, of: binding.table.id, context.connection)
        }
        var sorter = Sorter()
        var buffer = KeyBuffer(limit: .max)
        for (number, reference) in references.enumerated() {
            buffer.removeAll()
            for term in terms {
                SortKey.append(
                    values[Int(reference)], of: term.path.column?.type ?? .any,
                    isAscending: term.descriptor.ascending, to: &buffer)
            }
            buffer.withBytes { sorter.add(UInt64(number), key: $0) }
        }
        return sorter.numbers().map { references[Int($0)] }
    }

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
