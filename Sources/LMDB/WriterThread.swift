import CFirnSystem
import CThreadIdentity
import Glibc
import Synchronization

/// The thread that an environment owns for write transactions that one thread begins and another ends.
///
/// LMDB's writer mutex belongs to the thread that took it: committed elsewhere, a transaction succeeds and the mutex
/// stays locked for ever, in every process. SAFETY of `@unchecked Sendable`: `jobs`, `thread` and the flags are only
/// touched inside `condition.withLock`; `token` is atomic.
final class WriterThread: @unchecked Sendable {
    private final class Job {
        let work: () -> Int32
        let servedThread: UInt64
        var result: Int32?

        init(_ work: @escaping () -> Int32) {
            self.work = work
            servedThread = firn_thread_token()
        }
    }

    private let condition = Condition()
    private var jobs: [Job] = []
    private var thread: pthread_t?
    private var isStopping = false
    private let token = Atomic<UInt64>(0)

    /// Starts the thread unless it runs.
    func start() throws {
        let result: Int32 = condition.withLock {
            guard thread == nil else { return 0 }
            var thread = pthread_t()
            let context = Unmanaged.passRetained(self)
            let result = pthread_create(
                &thread, nil,
                { context in
                    guard let context else { return nil }
                    let writer = Unmanaged<WriterThread>.fromOpaque(context).takeRetainedValue()
                    writer.serve()
                    return nil
                }, context.toOpaque())
            if result == 0 {
                self.thread = thread
            } else {
                context.release()
            }
            return result
        }
        guard result == 0 else {
            throw LMDBError(
                .other, "the writer thread could not be started; the process has too many threads", returnCode: result)
        }
    }

    /// Runs `body` on the thread, which must have been started, and waits for it.
    func run(_ body: @escaping () -> Int32) -> Int32 {
        if token.load(ordering: .relaxed) == firn_thread_token() { return body() }
        let job = Job(body)
        return condition.withLock {
            jobs.append(job)
            condition.signalAll()
            while true {
                if let result = job.result { return result }
                condition.wait()
            }
        }
    }

    /// Ends the thread when its jobs are done, and waits for that unless it is the caller.
    func stop() {
        let thread: pthread_t? = condition.withLock {
            isStopping = true
            condition.signalAll()
            defer { self.thread = nil }
            return self.thread
        }
        guard let thread else { return }
        if pthread_equal(thread, pthread_self()) != 0 {
            pthread_detach(thread)
        } else {
            pthread_join(thread, nil)
        }
    }

    private func serve() {
        token.store(firn_thread_token(), ordering: .relaxed)
        firn_name_thread("firn-writer")
        while let job = nextJob() {
            let result = Faults.serving(job.servedThread, job.work)
            condition.withLock {
                job.result = result
                condition.signalAll()
            }
        }
    }

    private func nextJob() -> Job? {
        condition.withLock {
            while jobs.isEmpty {
                if isStopping { return nil }
                condition.wait()
            }
            return jobs.removeFirst()
        }
    }
}
