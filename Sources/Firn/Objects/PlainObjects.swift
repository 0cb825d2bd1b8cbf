import FirnStore

/// The live objects of plain classes in one realm.
///
/// Nothing sees a plain property change. So each object remembers what it was filled with, and what differs from that is
/// written before a query in a write and at its end. In a write the objects are held, so that none goes with a change
/// in it.
final class PlainObjects {
    @exclusivity(unchecked) private var objects: [RowID: [WeakObject]] = [:]
    private var held: [ObjectBase] = []
    private var countAtSweep = 0

    private struct WeakObject {
        weak var object: ObjectBase?
    }

    /// How many objects a write holds before those are let go that nobody else has.
    private var heldLimit = leastHeldLimit
    private static let leastHeldLimit = 4096

    @inline(__always)
    var isEmpty: Bool { objects.isEmpty }

    /// Whether a write holds so many objects that their changes should be written, and they be let go.
    var isFull: Bool { held.count >= heldLimit }

    /// The live object of a row.
    func object(_ row: RowID) -> ObjectBase? {
        objects[row]?.lazy.compactMap(\.object).first { !$0.isDead }
    }

    /// All live objects of a row: more than one where an object was added over it.
    func objects(_ row: RowID) -> [ObjectBase] {
        objects[row]?.compactMap(\.object).filter { !$0.isDead } ?? []
    }

    /// All live objects.
    func all() -> [ObjectBase] {
        objects.values.flatMap { $0.compactMap(\.object) }.filter { !$0.isDead }
    }

    func insert(_ object: ObjectBase, _ row: RowID, isHeld: Bool) {
        objects[row, default: []].append(WeakObject(object: object))
        if isHeld { held.append(object) }
        if objects.count > 2 * countAtSweep + 64 { sweep() }
    }

    /// Holds all live objects: a write begins.
    func holdAll() {
        held = all()
    }

    /// A write has ended.
    func releaseHeld() {
        held = []
        heldLimit = Self.leastHeldLimit
        sweep()
    }

    /// Lets go of the objects that nobody else has. Their changes have been written.
    func releaseUnused() {
        for index in held.indices.reversed() where isKnownUniquelyReferenced(&held[index]) {
            held.swapAt(index, held.count - 1)
            held.removeLast()
        }
        heldLimit = max(Self.leastHeldLimit, 2 * held.count)
        sweep()
    }

    /// Forgets the objects that are gone.
    private func sweep() {
        objects = objects.compactMapValues { entries in
            let living = entries.filter { $0.object.map { !$0.isDead } ?? false }
            return living.isEmpty ? nil : living
        }
        countAtSweep = objects.count
    }
}

/// What a managed plain object was filled with.
final class PlainState {
    /// By index of property, as the fields give them: a date has lost what a record does not keep.
    var values: [StoredValue] = []
}
