import Dispatch
import Firn

/// Writes in the background.
extension FirnEngine {
    /// Gives each object a counter in a write of its own: tasks share the objects, and each waits for its write before the next.
    func incrementEach(_ ids: [Int], tasks: Int) throws {
        let repository = Repository<IntegerItem>(realm: realm)
        let isDone = DispatchSemaphore(value: 0)
        let outcome = Outcome()
        Task.detached {
            do {
                try await withThrowingTaskGroup(of: Void.self) { group in
                    for task in 0..<tasks {
                        group.addTask {
                            for id in stride(from: task, to: ids.count, by: tasks).map({ ids[$0] }) {
                                try await repository.performWrite { $0.find(primaryKey: id)?.counter = id }
                            }
                        }
                    }
                    try await group.waitForAll()
                }
            } catch {
                outcome.fail(error)
            }
            isDone.signal()
        }
        isDone.wait()
        try outcome.check()
    }
}
