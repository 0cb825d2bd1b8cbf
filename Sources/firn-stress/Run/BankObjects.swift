import Firn

/// Money that only moves: the sum of all balances never changes.
final class StressAccount: Object {
    @Persisted(primaryKey: true) var id = 0
    @Persisted var balance = 0
    @Persisted var lastTransfer: StressTransfer?
}

/// One movement of money.
final class StressTransfer: Object {
    @Persisted(primaryKey: true) var id = ObjectId.generate()
    @Persisted(indexed: true) var clerk = 0
    @Persisted var amount = 0
    @Persisted var from: StressAccount?
    @Persisted var to: StressAccount?
}

/// A thread's own books: how many of its transfers are there, and what they sum up to.
final class StressClerk: Object {
    @Persisted(primaryKey: true) var id = 0
    @Persisted var transferCount = 0
    @Persisted var amount = 0
}

/// The classes of a run's file, and what it starts with.
enum Bank {
    static let classes: [ObjectBase.Type] = [StressAccount.self, StressTransfer.self, StressClerk.self]
    static let accountCount = 200
    static let openingBalance = 1000

    static func open(_ path: String) throws -> Realm {
        try Realm(configuration: StressFile.configuration(path, classes))
    }

    static func found(_ path: String, clerks: Int) throws {
        let realm = try open(path)
        try realm.write {
            for id in 0..<accountCount {
                realm.create(StressAccount.self, value: ["id": id, "balance": openingBalance] as [String: Any])
            }
            for id in 0..<clerks { realm.create(StressClerk.self, value: ["id": id] as [String: Any]) }
        }
    }

    /// Throws if a version that was read contradicts itself.
    static func audit(_ realm: Realm, clerk: Int) throws {
        let total = realm.objects(StressAccount.self).reduce(0) { $0 + $1.balance }
        guard total == accountCount * openingBalance else {
            throw StressFault("the balances sum up to \(total), not \(accountCount * openingBalance)")
        }
        guard let books = realm.object(ofType: StressClerk.self, forPrimaryKey: clerk) else {
            throw StressFault("clerk \(clerk) is gone")
        }
        let transfers = realm.objects(StressTransfer.self).filter("clerk == %d", clerk)
        guard transfers.count == books.transferCount else {
            throw StressFault("clerk \(clerk) has \(transfers.count) transfers, not \(books.transferCount)")
        }
        var amount = 0
        for transfer in transfers {
            guard transfer.from != nil, transfer.to != nil else {
                throw StressFault("transfer \(transfer.id) leads nowhere")
            }
            amount += transfer.amount
        }
        guard amount == books.amount else {
            throw StressFault("the transfers of clerk \(clerk) sum up to \(amount), not \(books.amount)")
        }
    }
}
