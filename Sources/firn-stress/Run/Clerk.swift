import Firn

/// What one thread does: moves money, forgets old transfers, gives up half-way now and then, and audits.
struct Clerk {
    /// What a thread has done.
    struct Tally {
        var commits = 0
        var rollbacks = 0
        var audits = 0
    }

    private struct ChangedMind: Error {}

    let id: Int
    let path: String
    let seed: UInt64
    let commits: Int?
    let end: ContinuousClock.Instant?

    /// Works until the time is over, the commits are made, or `isStopped`.
    func work(isStopped: () -> Bool) throws -> Tally {
        let realm = try Bank.open(path)
        var generator = SeededGenerator(seed: seed, stream: UInt64(id))
        var tally = Tally()
        while !isStopped(), commits.map({ tally.commits < $0 }) ?? true, end.map({ ContinuousClock.now < $0 }) ?? true {
            switch Int.random(in: 0..<10, using: &generator) {
            case ..<6:
                let givesUp = generator.once(in: 8)
                do {
                    try transfer(realm, givesUp: givesUp, &generator)
                    tally.commits += 1
                } catch is ChangedMind {
                    tally.rollbacks += 1
                }
            case 6:
                try prune(realm)
                tally.commits += 1
            default:
                realm.refresh()
                try Bank.audit(realm, clerk: id)
                tally.audits += 1
            }
        }
        return tally
    }

    private func transfer(_ realm: Realm, givesUp: Bool, _ generator: inout SeededGenerator) throws {
        let from = Int.random(in: 0..<Bank.accountCount, using: &generator)
        let to = Int.random(in: 0..<Bank.accountCount, using: &generator)
        let amount = Int.random(in: 1...50, using: &generator)
        let isCommittedByHand = generator.once(in: 4)
        guard isCommittedByHand, !givesUp else {
            return try realm.write {
                try move(realm, amount, from, to, givesUp: givesUp)
            }
        }
        realm.beginWrite()
        try move(realm, amount, from, to, givesUp: false)
        try realm.commitWrite()
    }

    private func move(_ realm: Realm, _ amount: Int, _ from: Int, _ to: Int, givesUp: Bool) throws {
        guard let source = realm.object(ofType: StressAccount.self, forPrimaryKey: from),
            let target = realm.object(ofType: StressAccount.self, forPrimaryKey: to),
            let books = realm.object(ofType: StressClerk.self, forPrimaryKey: id)
        else { throw StressFault("an account or clerk \(id) is gone") }
        source.balance -= amount
        let transfer = StressTransfer()
        transfer.clerk = id
        transfer.amount = amount
        transfer.from = source
        realm.add(transfer)
        if givesUp { throw ChangedMind() }
        transfer.to = target
        target.balance += amount
        target.lastTransfer = transfer
        books.transferCount += 1
        books.amount += amount
    }

    private func prune(_ realm: Realm) throws {
        try realm.write {
            guard let books = realm.object(ofType: StressClerk.self, forPrimaryKey: id) else {
                throw StressFault("clerk \(id) is gone")
            }
            let old = Array(realm.objects(StressTransfer.self).filter("clerk == %d", id).prefix(20))
            books.transferCount -= old.count
            books.amount -= old.reduce(0) { $0 + $1.amount }
            realm.delete(old)
        }
    }
}
