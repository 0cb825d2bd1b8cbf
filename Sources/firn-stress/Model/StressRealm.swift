import Firn
import Foundation

/// Makes a model's transactions in a realm, and compares the two.
struct StressRealm {
    let realm: Realm

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
            try apply(transaction)
            return try realm.commitWrite()
        case .cancelledFirst:
            realm.beginWrite()
            try apply(transaction)
            realm.cancelWrite()
        case .thrownFirst:
            do {
                try realm.write {
                    try apply(transaction)
                    throw Thrown()
                }
            } catch is Thrown {}
        }
        try realm.write { try apply(transaction) }
    }

    private func apply(_ transaction: StressTransaction) throws {
        for operation in transaction.operations { try apply(operation) }
        realm.create(
            StressLedger.self, value: ["id": 0, "sequence": transaction.sequence] as [String: Any], update: .modified)
    }

    private func apply(_ operation: StressOperation) throws {
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
        case .addShelf(let id, let changes):
            let shelf = StressShelf()
            shelf.id = id
            for change in changes { try apply(change, to: shelf) }
            realm.add(shelf)
        case .changeShelf(let id, let change): if let shelf = shelf(id) { try apply(change, to: shelf) }
        case .deleteShelf(let id): if let shelf = shelf(id) { realm.delete(shelf) }
        case .deleteItems(let id): if let shelf = shelf(id) { realm.delete(shelf.items) }
        case .deleteEverything: realm.deleteAll()
        }
    }

    func item(_ id: Int) -> StressItem? {
        realm.object(ofType: StressItem.self, forPrimaryKey: id)
    }

    private func owner(_ id: Int) -> StressOwner? {
        realm.object(ofType: StressOwner.self, forPrimaryKey: StressRealm.ownerKey(id))
    }

    private func shelf(_ id: Int) -> StressShelf? {
        realm.object(ofType: StressShelf.self, forPrimaryKey: id)
    }

    // MARK: Values

    static func name(_ salt: UInt64) -> String {
        salt.isMultiple(of: 29) ? String(repeating: "näme \(salt) ", count: 120) : "name \(salt)"
    }

    static func uuid(_ salt: UInt64) -> UUID {
        UUID(uuid: withUnsafeBytes(of: (salt, ~salt)) { $0.loadUnaligned(as: uuid_t.self) })
    }

    static func ratio(_ salt: UInt64) -> Double { Double(salt % 1_000_003) / 7 }

    static func flag(_ salt: UInt64) -> Bool? { salt.isMultiple(of: 3) ? nil : salt.isMultiple(of: 2) }

    static func ownerKey(_ id: Int) -> String { "owner \(id)" }

    static func balance(_ visits: Int) -> Decimal128 { Decimal128(exactly: visits) ?? 0 }
}
