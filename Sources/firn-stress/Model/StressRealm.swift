import Firn
import Foundation

/// Makes a model's transactions in a realm, and compares the two.
struct StressRealm {
    private let realm: Realm

    init(path: String, isRelaxed: Bool = false) throws {
        realm = try Realm(configuration: StressFile.configuration(path, crashClasses, isRelaxed: isRelaxed))
    }

    /// How many transactions are in the file.
    var sequence: Int {
        realm.object(ofType: StressLedger.self, forPrimaryKey: 0)?.sequence ?? 0
    }

    // MARK: Making transactions

    private struct Thrown: Error {}

    func make(_ transaction: StressTransaction) throws {
        switch transaction.form {
        case .write: break
        case .beginAndCommit:
            realm.beginWrite()
            apply(transaction)
            return try realm.commitWrite()
        case .cancelledFirst:
            realm.beginWrite()
            apply(transaction)
            realm.cancelWrite()
        case .thrownFirst:
            do {
                try realm.write {
                    apply(transaction)
                    throw Thrown()
                }
            } catch is Thrown {}
        }
        try realm.write { apply(transaction) }
    }

    private func apply(_ transaction: StressTransaction) {
        for operation in transaction.operations { apply(operation) }
        realm.create(
            StressLedger.self, value: ["id": 0, "sequence": transaction.sequence] as [String: Any], update: .modified)
    }

    private func apply(_ operation: StressOperation) {
        switch operation {
        case .putItem(let id, let state):
            let item = StressItem()
            item.id = id
            item.name = StressRealm.name(state.salt)
            item.score = state.score
            item.uuid = StressRealm.uuid(state.salt)
            item.ratio = StressRealm.ratio(state.salt)
            item.flag = StressRealm.flag(state.salt)
            item.payload = state.payload.map { Data($0.bytes) }
            item.owner = state.owner.flatMap { owner($0.id) }
            item.next = state.next.flatMap { self.item($0.id) }
            realm.add(item, update: .modified)
        case .renameItem(let id, let salt):
            guard let item = item(id) else { return }
            item.name = StressRealm.name(salt)
            item.uuid = StressRealm.uuid(salt)
            item.ratio = StressRealm.ratio(salt)
            item.flag = StressRealm.flag(salt)
        case .scoreItem(let id, let score): item(id)?.score = score
        case .fillItem(let id, let payload): item(id)?.payload = payload.map { Data($0.bytes) }
        case .linkItem(let id, let next): item(id)?.next = next.flatMap { item($0.id) }
        case .deleteItem(let id): if let item = item(id) { realm.delete(item) }
        case .putOwner(let id, let state):
            let owner = StressOwner()
            owner.id = StressRealm.ownerKey(id)
            owner.visits = state.visits
            owner.balance = StressRealm.balance(state.visits)
            realm.add(owner, update: .modified)
        case .deleteOwner(let id): if let owner = owner(id) { realm.delete(owner) }
        case .addNote(let number, let state):
            let note = StressNote()
            note.number = number
            note.text = StressRealm.name(state.salt)
            note.item = state.item.flatMap { item($0.id) }
            realm.add(note)
        case .deleteNote(let number): realm.delete(realm.objects(StressNote.self).filter("number == %d", number))
        case .deleteEverything: realm.deleteAll()
        }
    }

    private func item(_ id: Int) -> StressItem? {
        realm.object(ofType: StressItem.self, forPrimaryKey: id)
    }

    private func owner(_ id: Int) -> StressOwner? {
        realm.object(ofType: StressOwner.self, forPrimaryKey: StressRealm.ownerKey(id))
    }

    // MARK: Values

    private static func name(_ salt: UInt64) -> String {
        salt.isMultiple(of: 29) ? String(repeating: "näme \(salt) ", count: 120) : "name \(salt)"
    }

    private static func uuid(_ salt: UInt64) -> UUID {
        UUID(uuid: withUnsafeBytes(of: (salt, ~salt)) { $0.loadUnaligned(as: uuid_t.self) })
    }

    private static func ratio(_ salt: UInt64) -> Double { Double(salt % 1_000_003) / 7 }

    private static func flag(_ salt: UInt64) -> Bool? { salt.isMultiple(of: 3) ? nil : salt.isMultiple(of: 2) }

    private static func ownerKey(_ id: Int) -> String { "owner \(id)" }

    private static func balance(_ visits: Int) -> Decimal128 { Decimal128(exactly: visits) ?? 0 }

    // MARK: Comparing

    /// Throws at the first difference between the file and the model.
    func compare(with model: StressModel) throws {
        try compareCount(StressItem.self, model.items.count)
        try compareCount(StressOwner.self, model.owners.count)
        try compareCount(StressNote.self, model.notes.count)
        for item in realm.objects(StressItem.self) { try compare(item, model) }
        for owner in realm.objects(StressOwner.self) {
            let id = Int(owner.id.dropFirst(6)) ?? -1
            guard let state = model.owners[id] else { throw StressFault("'\(owner.id)' should not be there") }
            guard owner.visits == state.visits, owner.balance == StressRealm.balance(state.visits) else {
                throw StressFault("'\(owner.id)' should have \(state.visits) visits: \(owner)")
            }
        }
        for note in realm.objects(StressNote.self) {
            guard let state = model.notes[note.number] else {
                throw StressFault("note \(note.number) should not be there")
            }
            guard note.text == StressRealm.name(state.salt), note.item?.id == model.resolveItem(state.item) else {
                throw StressFault("note \(note.number) should be \(state): \(note)")
            }
        }
    }

    private func compareCount<T: Object>(_ type: T.Type, _ expected: Int) throws {
        let count = realm.objects(type).count
        guard count == expected else { throw StressFault("there are \(count) objects of \(type), not \(expected)") }
    }

    private func compare(_ item: StressItem, _ model: StressModel) throws {
        guard let state = model.items[item.id] else { throw StressFault("item \(item.id) should not be there") }
        func check<Value: Equatable>(_ name: String, _ found: Value, _ expected: Value) throws {
            guard found == expected else {
                throw StressFault("\(name) of item \(item.id) is \(found), not \(expected)")
            }
        }
        try check("name", item.name, StressRealm.name(state.salt))
        try check("uuid", item.uuid, StressRealm.uuid(state.salt))
        try check("ratio", item.ratio, StressRealm.ratio(state.salt))
        try check("flag", item.flag, StressRealm.flag(state.salt))
        try check("score", item.score, state.score)
        try check("payload", item.payload, state.payload.map { Data($0.bytes) })
        try check("owner", item.owner?.id, model.resolveOwner(state.owner).map(StressRealm.ownerKey))
        try check("next", item.next?.id, model.resolveItem(state.next))
    }
}
