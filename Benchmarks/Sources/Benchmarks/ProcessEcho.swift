import Dispatch
import Firn
import Foundation

/// Two processes on one file: an observer in each answers the other's commits.
struct ProcessEcho {
    let options: Options

    /// The median time from a commit to the call of this process's observer that tells of the other one's answer, which its observer
    /// commits: two ways from process to process, and a commit.
    func time(commits: Int) throws -> Double {
        let directory = try TemporaryDirectory(in: options.directory)
        defer { directory.remove() }
        let path = directory.path + "/echo"
        let latch = Latch()
        let side = try Party(path: path) { _ in latch.open() }
        let process = Process.ofThisProgram
        process.arguments = ["--echo", path]
        try process.run()
        defer { process.terminate() }
        // The first answer tells that the other process is there.
        var times: [Double] = []
        for commit in 0...commits {
            let start = ContinuousClock.now
            try side.increment()
            let answered = latch.wait()
            if commit > 0 { times.append((answered - start).seconds) }
        }
        return times.sorted()[times.count / 2]
    }

    /// What the other process does.
    static func answer(at path: String) throws {
        // SAFETY: set before the first call, which the queue makes.
        nonisolated(unsafe) var answering: Party?
        answering = try Party(path: path) { counter in
            if counter % 2 == 1 { try? answering?.write() }
        }
        dispatchMain()
    }

    /// One process's realm, on a queue.
    private final class Party: @unchecked Sendable {
        // SAFETY: used on the queue only.
        private let queue = DispatchQueue(label: "echo")
        private var item: IntegerItem?
        private var token: NotificationToken?

        /// `told` is called on the queue with each even counter here, with each other one there: what the other process has set.
        init(path: String, told: @escaping @Sendable (Int) -> Void) throws {
            try queue.sync {
                let realm = try Realm(
                    configuration: .init(
                        fileURL: URL(fileURLWithPath: path), objectTypes: [IntegerItem.self, Group.self]), queue: queue)
                let isNew = realm.objects(IntegerItem.self).isEmpty
                if isNew { try realm.write { realm.add(IntegerItem()) } }
                item = realm.objects(IntegerItem.self).first
                token = item?.observe { [weak self] _ in
                    guard let counter = self?.item?.counter else { return }
                    if (counter % 2 == 0) == isNew { told(counter) }
                }
                if let counter = item?.counter, counter % 2 == 1, !isNew {
                    queue.async { told(counter) }
                }
            }
        }

        /// Commits the next counter.
        func increment() throws {
            try queue.sync { try write() }
        }

        /// The same, on the queue.
        func write() throws {
            try item?.realm?.write { item?.counter += 1 }
        }
    }
}
