import Firn
import Foundation
import Synchronization
import TestSupport
import Testing

final class Account: Object {
    @Persisted(primaryKey: true) var id: Int
    @Persisted(unique: true) var name: String?
    @Persisted var balance = 0
    @Persisted var notes: List<String>
    @Persisted var data: Data?
}

/// An account without wrappers: nothing sees its changes.
final class PlainAccount: Object {
    dynamic var id = 0
    dynamic var balance = 0

    override static func primaryKey() -> String? { "id" }
}

/// A repository of an actor as the documentation has it.
private actor Bank {
    private var accounts: Repository<Account>!

    init(_ configuration: Realm.Configuration) async throws {
        accounts = try await Repository(configuration: configuration, actor: self)
    }

    /// Adds an account in the background. What is returned was counted right after, without a refresh.
    func open(_ id: Int) async throws -> Int {
        try await accounts.performWrite { try $0.add(Account(value: ["id": id])) }
        return accounts.count
    }

    func pay(_ id: Int, _ amount: Int) async throws -> Int? {
        try await accounts.asyncTransaction {
            accounts.find(primaryKey: id)?.balance += amount
            return accounts.find(primaryKey: id)?.balance
        }
    }

    func name(_ id: Int) async throws -> String? {
        let reference = try await accounts.performWrite { accounts in
            let account = Account(value: ["id": id, "name": "account \(id)"])
            try accounts.add(account)
            return ThreadSafeReference(to: account)
        }
        return accounts.resolve(reference)?.name
    }
}

@Suite struct PerformWriteTests {
    private struct Stop: Error {}

    private let directory: TemporaryRealm
    private let configuration: Realm.Configuration
    private let accounts: Repository<Account>

    init() throws {
        directory = try TemporaryRealm()
        configuration = directory.configuration([Account.self, PlainAccount.self])
        accounts = try Repository(configuration: configuration)
    }

    /// The accounts that are there, by id, as a realm of a new thread sees them.
    private func balances() async throws -> [Int: Int] {
        let configuration = configuration
        return try await onNewThread {
            let accounts = try Repository<Account>(configuration: configuration)
            return Dictionary(uniqueKeysWithValues: accounts.findAll().map { ($0.id, $0.balance) })
        }
    }

    private func waitingCount() throws -> Int {
        try Realm.diagnostics(for: configuration).waitingWriteCount
    }

    /// Has writes asked for in turn while another realm writes, so that they wait together; then what became of each.
    private func together(
        _ priorities: [TaskPriority?] = [], _ bodies: @Sendable (Repository<Account>) throws -> Void...
    ) async throws -> [Result<Void, any Error>] {
        let tasks = Mutex<[Task<Void, any Error>]>([])
        try await whileAnotherWrites(configuration) {
            for (index, body) in bodies.enumerated() {
                let priority = index < priorities.count ? priorities[index] : nil
                let task = Task { [accounts] in
                    try await accounts.performWrite(priority: priority ?? .medium, body)
                }
                tasks.withLock { $0.append(task) }
                await wait { (try? waitingCount()) == index + 1 }
            }
        }
        var results: [Result<Void, any Error>] = []
        for task in tasks.withLock({ $0 }) { results.append(await task.result) }
        return results
    }

    private func newestVersion() throws -> UInt64 {
        try Realm.diagnostics(for: configuration).newestVersion
    }

    @Test func `what the block returns comes back once it is committed`() async throws {
        let id = try await accounts.performWrite { accounts in
            let account = Account(value: ["id": 7])
            try accounts.add(account)
            account.balance = 5
            accounts.find(primaryKey: 7)?.notes.append("new")
            try accounts.transaction { account.balance += 1 }
            return account.id
        }
        #expect(id == 7)
        #expect(try await balances() == [7: 6])
    }

    @Test func `a block that throws keeps nothing, and the error comes back`() async throws {
        await #expect(throws: Stop.self) {
            try await accounts.performWrite { accounts in
                try accounts.add(Account(value: ["id": 1]))
                throw Stop()
            }
        }
        let error = await #expect(throws: Realm.Error.self) {
            try await accounts.performWrite { accounts in
                _ = accounts.realm.create(Account.self, value: ["id": "no number"])
            }
        }
        #expect(error?.code == .invalidInput)
        #expect(try await balances() == [:])
    }

    @Test func `writes that wait together share a commit, and each is kept or dropped by itself`() async throws {
        try await accounts.performWrite { try $0.add(Account(value: ["id": 0, "name": "zero"])) }
        let version = try newestVersion()
        let results = try await together(
            [],
            { try $0.add(Account(value: ["id": 1])) },
            { accounts in
                // What was kept before is there.
                accounts.find(primaryKey: 1)?.balance = 10
                accounts.find(primaryKey: 0)?.balance = 20
            },
            { accounts in
                accounts.find(primaryKey: 1)?.balance = 11
                try accounts.delete(primaryKey: 0)
                throw Stop()
            },
            { try $0.add(Account(value: ["id": 3, "name": "zero"])) },
            { try $0.add(Account(value: ["id": 4, "name": "four"])) },
            { _ = $0.realm.create(Account.self, value: ["id": "no number"]) })
        for index in [0, 1, 4] { try results[index].get() }
        #expect(throws: Stop.self) { try results[2].get() }
        expectError(.duplicateValue) { try results[3].get() }
        expectError(.invalidInput) { try results[5].get() }
        // One commit, unless the machine is so busy that the writes take long.
        #expect(try newestVersion() <= version + 3)
        #expect(try await balances() == [0: 20, 1: 10, 4: 0])
        try expectIntact(Realm(configuration: configuration))
    }

    @Test func `many tasks count, and none is lost`() async throws {
        try await accounts.performWrite { try $0.add(Account(value: ["id": 1])) }
        let version = try newestVersion()
        try await withThrowingTaskGroup(of: Void.self) { group in
            for task in 0..<32 {
                group.addTask { [accounts] in
                    for step in 0..<5 {
                        do {
                            try await accounts.performWrite { accounts in
                                accounts.find(primaryKey: 1)?.balance += 1
                                if (task + step) % 4 == 0 { throw Stop() }
                            }
                        } catch is Stop {}
                    }
                }
            }
            try await group.waitForAll()
        }
        #expect(try await balances() == [1: 120])
        // How many share a commit depends on the machine; that some do does not.
        #expect(try newestVersion() < version + 120)
        try expectIntact(Realm(configuration: configuration))
    }

    @Test func `the more urgent come first, among equals the earlier ones`() async throws {
        let order = Mutex<[String]>([])
        @Sendable func note(_ name: String) -> @Sendable (Repository<Account>) throws -> Void {
            { _ in order.withLock { $0.append(name) } }
        }
        _ = try await together(
            [.background, .medium, .high, .background, .medium, .high],
            note("low 1"), note("middle 1"), note("high 1"), note("low 2"), note("middle 2"), note("high 2"))
        #expect(order.withLock { $0 } == ["high 1", "high 2", "middle 1", "middle 2", "low 1", "low 2"])
    }

    /// What an import and a write that comes in between have done, in order; the write is 0.
    private final class ImportLog: Sendable {
        let order = Mutex<[Int]>([])
        let urgent = Mutex<Task<Int, any Error>?>(nil)
    }

    @Test func `an urgent write passes between the batches of an import`() async throws {
        let configuration = configuration
        let accounts = accounts
        let log = ImportLog()
        try await accounts.performWrite(forEach: 1...10, batchSize: 2) { accounts, id in
            try accounts.add(Account(value: ["id": id]))
            log.order.withLock { $0.append(id) }
            guard id == 3 else { return }
            let task = Task {
                try await Repository<Account>(configuration: configuration).performWrite(priority: .high) { accounts in
                    log.order.withLock { $0.append(0) }
                    return accounts.count
                }
            }
            log.urgent.withLock { $0 = task }
            while try Realm.diagnostics(for: configuration).waitingWriteCount == 0 { usleep(1000) }
        }
        #expect(try await log.urgent.withLock { $0 }?.value == 4)
        #expect(log.order.withLock { $0 } == [1, 2, 3, 4, 0, 5, 6, 7, 8, 9, 10])
        #expect(try await balances().count == 10)
    }

    @Test func `an import keeps the batches before an error`() async throws {
        await #expect(throws: Stop.self) {
            try await accounts.performWrite(forEach: 1...10, batchSize: 3) { accounts, id in
                try accounts.add(Account(value: ["id": id]))
                if id == 8 { throw Stop() }
            }
        }
        #expect(try await balances().keys.sorted() == Array(1...6))
        try await accounts.performWrite(forEach: [] as [Int]) { _, _ in throw Stop() }
        try await accounts.performWrite(forEach: 7...9, batchSize: 3) { try $0.add(Account(value: ["id": $1])) }
        #expect(try await balances().count == 9)
    }

    @Test func `a write that waits too long is not made, and says who writes`() async throws {
        let accounts = accounts
        try await whileAnotherWrites(configuration) {
            let error = await #expect(throws: Realm.Error.self) {
                try await accounts.performWrite(timeout: .milliseconds(20)) { try $0.add(Account(value: ["id": 1])) }
            }
            #expect(error?.code == .timedOut)
            #expect(error?.message.contains("the realm of thread") == true, "\(error?.message ?? "")")
        }
        try await accounts.performWrite(timeout: .seconds(60)) { try $0.add(Account(value: ["id": 2])) }
        #expect(try await balances() == [2: 0])
    }

    @Test func `a cancelled write is not made, whether it waits or has yet to ask`() async throws {
        let accounts = accounts
        try await whileAnotherWrites(configuration) {
            let waiting = Task { try await accounts.performWrite { try $0.add(Account(value: ["id": 1])) } }
            await wait { (try? waitingCount()) == 1 }
            waiting.cancel()
            await #expect(throws: CancellationError.self) { try await waiting.value }
            let count = try waitingCount()
            #expect(count == 0)
        }
        let early = Task {
            withUnsafeCurrentTask { $0?.cancel() }
            try await accounts.performWrite { try $0.add(Account(value: ["id": 1])) }
        }
        // The writer may have begun before.
        switch await early.result {
        case .success: #expect(try await balances() == [1: 0])
        case .failure(let error):
            #expect(error is CancellationError)
            #expect(try await balances() == [:])
        }
    }

    @Test func `what waits can be seen`() async throws {
        let accounts = accounts
        let task = Mutex<Task<Void, any Error>?>(nil)
        try await whileAnotherWrites(configuration) {
            task.withLock { $0 = Task { try await accounts.performWrite { _ in } } }
            await wait { (try? waitingCount()) == 1 }
            try await Task.sleep(for: .milliseconds(5))
            let diagnostics = try Realm.diagnostics(for: configuration)
            #expect(diagnostics.longestWait >= .milliseconds(5))
            #expect(diagnostics.currentWriter?.contains("thread") == true)
            #expect(diagnostics.description.contains("waiting in the background: 1 write, the first for"))
            #expect(diagnostics.description.contains("writing now: the realm of thread"))
        }
        try await task.withLock { $0 }?.value
        let diagnostics = try Realm.diagnostics(for: configuration)
        #expect(diagnostics.waitingWriteCount == 0 && diagnostics.longestWait == .zero)
    }

    @Test func `nothing keeps a version when all is written`() async throws {
        for id in 0..<5 { try await accounts.performWrite { try $0.add(Account(value: ["id": id])) } }
        await wait {
            let holders = (try? Realm.diagnostics(for: configuration))?.pinnedVersions.flatMap(\.holders) ?? ["?"]
            return !holders.contains { $0.contains("performWrite") }
        }
    }

    @Test func `a repository of an actor reads what it has written in the background`() async throws {
        let bank = try await Bank(configuration)
        for id in 1...5 { #expect(try await bank.open(id) == id) }
        #expect(try await bank.pay(3, 12) == 12)
        #expect(try await bank.name(9) == "account 9")
        #expect(try await balances()[3] == 12)
    }

    @MainActor @Test func `the main actor's repository reads what it has written`() async throws {
        let accounts = try Repository<Account>(configuration: configuration)
        for id in 1...5 {
            try await accounts.performWrite { try $0.add(Account(value: ["id": id])) }
            #expect(accounts.count == id)
        }
    }

    @Test func `plain objects are written, each with its own write`() async throws {
        try await accounts.performWrite { accounts in
            accounts.realm.add(PlainAccount(value: ["id": 1, "balance": 1]))
        }
        @Sendable func pay(_ accounts: Repository<Account>, _ amount: Int) {
            accounts.realm.object(ofType: PlainAccount.self, forPrimaryKey: 1)?.balance += amount
        }
        let results = try await together(
            [], { pay($0, 10) },
            { accounts in
                pay(accounts, 100)
                throw Stop()
            }, { pay($0, 1000) })
        #expect(results.filter { (try? $0.get()) != nil }.count == 2)
        let configuration = configuration
        let balance = try await onNewThread {
            try Realm(configuration: configuration).object(ofType: PlainAccount.self, forPrimaryKey: 1)?.balance
        }
        #expect(balance == 1011)
    }

    @Test func `a file that has no room refuses the write that needs it`() async throws {
        var configuration = configuration
        configuration.fileURL = directory.directory.appendingPathComponent("small.realm")
        configuration.reservationInBytes = 8 << 20
        let small = try Repository<Account>(configuration: configuration)
        let kinds = [1000, 15 << 20, 1000, 16 << 20, 1000]
        let outcomes = try await withThrowingTaskGroup(of: (Int, Bool).self) { group in
            for (id, byteCount) in kinds.enumerated() {
                group.addTask {
                    do {
                        try await small.performWrite { accounts in
                            try accounts.add(Account(value: ["id": id, "data": Data(count: byteCount)]))
                        }
                        return (id, true)
                    } catch Realm.Error.outOfDiskSpace {
                        return (id, false)
                    }
                }
            }
            return try await group.reduce(into: [Int: Bool]()) { $0[$1.0] = $1.1 }
        }
        #expect(outcomes == [0: true, 1: false, 2: true, 3: false, 4: true])
        #expect(try await small.performWrite { $0.count } == 3)
    }

    @Test func `files that are read-only and stores in memory`() async throws {
        var readOnly = configuration
        readOnly.fileURL = directory.directory.appendingPathComponent("read.realm")
        var writable = readOnly
        do {
            writable.readOnly = false
            _ = try Realm(configuration: writable)
        }
        readOnly.readOnly = true
        let reader = try Repository<Account>(configuration: readOnly)
        let error = await #expect(throws: Realm.Error.self) { try await reader.performWrite { _ in } }
        #expect(error?.code == .filePermissionDenied)

        let memory = Realm.Configuration(inMemoryIdentifier: UUID().uuidString, objectTypes: [Account.self])
        let accounts = try Repository<Account>(configuration: memory)
        try await accounts.performWrite { try $0.add(Account(value: ["id": 1])) }
        #expect(try await accounts.performWrite { $0.count } == 1)
    }

    @Test func `observers are told once a commit`() async throws {
        let accounts = accounts
        let queue = DispatchQueue(label: "observer")
        let configuration = configuration
        let told = Mutex<[[Int]]>([])
        let token = try queue.sync {
            try Realm(configuration: configuration, queue: queue).objects(Account.self).observe { change in
                guard case .update(_, let deletions, let insertions, let modifications) = change else { return }
                told.withLock { $0.append([deletions.count, insertions.count, modifications.count]) }
            }
        }
        queue.sync {}
        let version = try newestVersion()
        _ = try await together(
            [], { try $0.add(Account(value: ["id": 1])) }, { try $0.add(Account(value: ["id": 2])) },
            { $0.find(primaryKey: 1)?.balance = 1 })
        await wait { told.withLock { $0.reduce(0) { $0 + $1[1] } } == 2 }
        try await accounts.performWrite { $0.find(primaryKey: 1)?.balance = 2 }
        await wait { told.withLock { $0.last } == [0, 0, 1] }
        #expect(try told.withLock { $0.count } <= Int(newestVersion() - version))
        token.invalidate()
    }
}

/// What must not be done in blocks of `performWrite`, by what the message says.
@Suite struct PerformWriteMisuseTests {
    private static func makeAccounts() throws -> Repository<Account> {
        try Repository(
            configuration: Realm.Configuration(inMemoryIdentifier: UUID().uuidString, objectTypes: [Account.self]))
    }

    @Test func `a repository does not outlive its block`() async {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            let lent = try await PerformWriteMisuseTests.makeAccounts().performWrite { $0 }
            _ = lent.count
        }
        expect(
            result, says: "A repository of 'Account' that a block of performWrite was given was used after or outside")
    }

    @Test func `a block does not end its write`() async {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            try await PerformWriteMisuseTests.makeAccounts().performWrite { try $0.realm.commitWrite() }
        }
        expect(result, says: "commitWrite was called in a block of performWrite", "throw an error to keep nothing")
    }

    @Test func `another realm of the block's thread cannot write`() async {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            try await PerformWriteMisuseTests.makeAccounts().performWrite { accounts in
                let realm = try Realm(configuration: accounts.realm.configuration)
                try realm.write {}
            }
        }
        expect(result, says: "a write was begun inside a write", "the realm of thread", "('firn.performWrite')")
    }

    @Test func `a frozen realm cannot be written`() async {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            let accounts = try PerformWriteMisuseTests.makeAccounts()
            try await Repository<Account>(realm: accounts.realm.freeze()).performWrite { _ in }
        }
        expect(result, says: "performWrite was called for a frozen realm", "thaw()")
    }

    @Test func `a batch has elements`() async {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            try await PerformWriteMisuseTests.makeAccounts().performWrite(forEach: [1], batchSize: 0) { _, _ in }
        }
        expect(result, says: "performWrite was called with a batchSize of 0")
    }
}
