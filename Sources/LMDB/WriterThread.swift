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
        private var work: (() -> Void)?
        let servedThread: UInt64
        var isDone = false

        init(_ work: @escaping () -> Void) {
            self.work = work
            servedThread = firn_thread_token()
        }

        /// Does the work and lets go of it: once the job is done its closure must be nobody's, because it does not
        /// really escape its caller.
        func run() {
            guard let work else { return }
            self.work = nil
            Faults.serving(servedThread, work)
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
    func run<Value>(_ body: () -> Value) -> Value {
        if token.load(ordering: .relaxed) == firn_thread_token() { return body() }
        var value: Value?
        withoutActuallyEscaping(body) { body in
            // SAFETY: this function waits until the thread is done with `value` and `body`.
            withUnsafeMutablePointer(to: &value) { place in
                nonisolated(unsafe) let place = place
                let job = Job { place.pointee = body() }
                condition.withLock {
                    jobs.append(job)
                    condition.signalAll()
                    while !job.isDone { condition.wait() }
                }
            }
        }
        guard let value else { preconditionFailure("the writer thread lost a job") }
        return value
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
            job.run()
            condition.withLock {
                job.isDone = true
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
