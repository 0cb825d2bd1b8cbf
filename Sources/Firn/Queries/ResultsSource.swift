import FirnStore

/// Which objects results have, and in which order: what all copies of one `Results` share.
///
/// The keys are gathered at the first need and kept until something that they depend on changes. A whole table in its
/// own order answers most questions without them.
final class ResultsSource {
    let context: RealmContext
    let binding: TableBinding
    private let descriptors: [SortDescriptor]
    private let order: SortOrder?

    private var keys: [ObjectKey] = []
    /// The change count at which `keys` were gathered.
    private var gatheredAt: UInt64?

    init(_ context: RealmContext, _ binding: TableBinding, _ descriptors: [SortDescriptor] = []) {
        self.context = context
        self.binding = binding
        self.descriptors = descriptors
        order = descriptors.isEmpty ? nil : SortOrder(descriptors, binding)
    }

    /// The same objects, sorted; ties are broken by the order that this one has.
    func sorted(by new: [SortDescriptor]) -> ResultsSource {
        new.isEmpty ? self : ResultsSource(context, binding, new + descriptors)
    }

    /// Whether the objects are a whole table in the order of its keys.
    private var isWholeTable: Bool { order == nil }

    private var changeCount: UInt64 {
        context.generation &+ binding.rowChanges &+ (order?.changeCount ?? 0)
    }

    /// All keys now.
    func allKeys() -> [ObjectKey] {
        context.checkConfinement()
        let changeCount = changeCount
        if gatheredAt != changeCount {
            let all = context.connection.keys(in: binding.table.id)
            keys = order?.sorted(all, in: context, binding) ?? all
            gatheredAt = changeCount
        }
        return keys
    }

    var count: Int {
        context.checkConfinement()
        return context.connection.count(binding.table.id)
    }

    func object(at index: Int) -> ObjectBase {
        let keys = allKeys()
        guard keys.indices.contains(index) else {
            misuse(
                "Index \(index) is out of bounds: the results of class '\(binding.info.name)' have \(keys.count) objects"
            )
        }
        return context.makeObject(binding, key: keys[index])
    }

    var first: ObjectBase? {
        context.checkConfinement()
        let key = isWholeTable ? context.connection.firstKey(binding.table.id) : allKeys().first
        return key.map { context.makeObject(binding, key: $0) }
    }

    var last: ObjectBase? {
        context.checkConfinement()
        let key = isWholeTable ? context.connection.lastKey(binding.table.id) : allKeys().last
        return key.map { context.makeObject(binding, key: $0) }
    }

    /// The position of a live object of the realm; nil where it is not among the results. O(objects).
    func index(of object: ObjectBase) -> Int? {
        context.checkConfinement()
        guard object.context === context, object.binding === binding else { return nil }
        context.checkOwnership(of: object)
        return allKeys().firstIndex(of: object.key)
    }

    /// A walk over the objects as they are now.
    func makeWalk() -> LiveWalk {
        context.checkConfinement()
        // In a write the objects may change under the walk, so it takes their keys first.
        return isWholeTable && !context.isWriting
            ? LiveWalk(context, binding) : LiveWalk(context, binding, keys: allKeys())
    }
}
