/// What the file holds after so many transactions: a function of the seed and their number alone.
struct StressModel {
    private(set) var sequence = 0
    private(set) var items = KeyedStates<ItemState>()
    private(set) var owners = KeyedStates<OwnerState>()
    private(set) var notes = KeyedStates<NoteState>()
    private(set) var shelves = KeyedStates<ShelfState>()
    private let seed: UInt64
    private var births = 0

    private static let itemLimit = 1500

    init(seed: UInt64) {
        self.seed = seed
    }

    /// The state after `sequence` transactions.
    init(seed: UInt64, sequence: Int) {
        self.init(seed: seed)
        while self.sequence < sequence { _ = advance() }
    }

    /// Whether a link leads to an object that is still there.
    func resolveItem(_ reference: Reference?) -> Int? {
        reference.flatMap { items[$0.id]?.birth == $0.birth ? $0.id : nil }
    }

    /// Whether a link leads to an object that is still there.
    func resolveOwner(_ reference: Reference?) -> Int? {
        reference.flatMap { owners[$0.id]?.birth == $0.birth ? $0.id : nil }
    }

    /// Makes the next transaction.
    mutating func advance() -> StressTransaction {
        sequence += 1
        var generator = SeededGenerator(seed: seed, stream: UInt64(sequence))
        var operations: [StressOperation] = []
        let count = generator.once(in: 16) ? 200 : Int.random(in: 1...10, using: &generator)
        for _ in 0..<count {
            let operation = choose(&generator)
            operations.append(operation)
            apply(operation)
        }
        let form: StressTransaction.Form =
            switch Int.random(in: 0..<12, using: &generator) {
            case 0: .cancelledFirst
            case 1: .thrownFirst
            case 2, 3: .beginAndCommit
            default: .write
            }
        return StressTransaction(sequence: sequence, form: form, operations: operations)
    }

    private mutating func choose(_ generator: inout SeededGenerator) -> StressOperation {
        if generator.once(in: 10_000) { return .deleteEverything }
        if generator.once(in: 3) { return chooseShelfOperation(&generator) }
        let isCrowded = items.count > StressModel.itemLimit
        switch Int.random(in: 0..<100, using: &generator) {
        case ..<(isCrowded ? 5 : 35):
            // Keys of deleted items come again.
            let id = Int.random(in: 0..<(StressModel.itemLimit * 2), using: &generator)
            births += 1
            return .putItem(id, makeItem(birth: items[id]?.birth ?? births, &generator))
        case ..<45: return .putOwner(Int.random(in: 0..<60, using: &generator), makeOwner(&generator))
        case ..<55:
            births += 1
            return .addNote(
                births, NoteState(salt: generator.next(), item: pickItem(&generator)))
        case ..<60:
            if let number = notes.pick(&generator) { return .deleteNote(number) }
        case ..<64:
            if let id = owners.pick(&generator), generator.once(in: 3) { return .deleteOwner(id) }
        case ..<72:
            if let id = items.pick(&generator) { return .renameItem(id, salt: generator.next()) }
        case ..<80:
            if let id = items.pick(&generator) { return .scoreItem(id, Int.random(in: 0..<50, using: &generator)) }
        case ..<85:
            if let id = items.pick(&generator) { return .fillItem(id, makePayload(&generator)) }
        case ..<90:
            if let id = items.pick(&generator) { return .linkItem(id, next: pickItem(&generator)) }
        default:
            if let id = items.pick(&generator) { return .deleteItem(id) }
        }
        return .putOwner(Int.random(in: 0..<60, using: &generator), makeOwner(&generator))
    }

    func pickItem(_ generator: inout SeededGenerator) -> Reference? {
        guard let id = items.pick(&generator), let state = items[id] else { return nil }
        return Reference(id: id, birth: state.birth)
    }

    private func makeItem(birth: Int, _ generator: inout SeededGenerator) -> ItemState {
        var owner: Reference?
        if let id = owners.pick(&generator), let state = owners[id] { owner = Reference(id: id, birth: state.birth) }
        return ItemState(
            birth: birth, salt: generator.next(), score: Int.random(in: 0..<50, using: &generator),
            payload: makePayload(&generator), owner: owner, next: pickItem(&generator))
    }

    private mutating func makeOwner(_ generator: inout SeededGenerator) -> OwnerState {
        births += 1
        return OwnerState(birth: births, visits: Int.random(in: 0..<1_000_000, using: &generator))
    }

    private func makePayload(_ generator: inout SeededGenerator) -> Payload? {
        switch Int.random(in: 0..<40, using: &generator) {
        case ..<20: nil
        case ..<37: Payload(salt: generator.next(), byteCount: Int.random(in: 0..<300, using: &generator))
        case ..<39: Payload(salt: generator.next(), byteCount: Int.random(in: 900..<9000, using: &generator))
        default: Payload(salt: generator.next(), byteCount: Int.random(in: 0..<60_000, using: &generator))
        }
    }

    /// What a shelf holds, without links to items that are no longer there.
    func shelf(_ id: Int) -> ShelfState? {
        guard var shelf = shelves[id] else { return nil }
        shelf.keepItems { resolveItem($0) != nil }
        return shelf
    }

    private mutating func apply(_ operation: StressOperation) {
        switch operation {
        case .putItem(let id, let state): items[id] = state
        case .renameItem(let id, let salt): items[id]?.salt = salt
        case .scoreItem(let id, let score): items[id]?.score = score
        case .fillItem(let id, let payload): items[id]?.payload = payload
        case .linkItem(let id, let next): items[id]?.next = next
        case .deleteItem(let id): items[id] = nil
        case .putOwner(let id, var state):
            // An owner that is there keeps its identity.
            if let birth = owners[id]?.birth { state.birth = birth }
            owners[id] = state
        case .deleteOwner(let id): owners[id] = nil
        case .addNote(let number, let state): notes[number] = state
        case .deleteNote(let number): notes[number] = nil
        case .addShelf(let id, let changes):
            var shelf = ShelfState()
            for change in changes { shelf.apply(change) }
            shelves[id] = shelf
        case .changeShelf(let id, let change):
            var state = shelf(id)
            state?.apply(change)
            shelves[id] = state
        case .deleteShelf(let id):
            for item in shelf(id)?.owned ?? [] { items[item.id] = nil }
            shelves[id] = nil
        case .deleteItems(let id):
            for item in shelf(id)?.items ?? [] { items[item.id] = nil }
        case .deleteEverything:
            items = KeyedStates()
            owners = KeyedStates()
            notes = KeyedStates()
            shelves = KeyedStates()
        }
    }
}
