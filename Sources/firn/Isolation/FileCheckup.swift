import FirnStore
import LMDB

/// Checks a file in the process that reads it: first its pages, with plain reads, then what they hold, through LMDB,
/// which does not survive a damaged page.
enum FileCheckup {
    static func report(on path: String, problemLimit: Int) throws(StoreError) {
        do {
            let problems = try pageProblems(path, during: nil)
            // Only a busy writer is in the way of opening the file before its pages are known to be sound.
            guard problems?.isEmpty ?? true else { return send(problems ?? [], problemLimit) }
            let connection = try Isolation.open(path)
            if problems == nil {
                let problems = try pageProblems(path, during: connection.store.environment.beginRead()) ?? []
                guard problems.isEmpty else { return send(problems, problemLimit) }
            }
            checkContent(connection, problemLimit)
        } catch {
            throw StoreError(wrapping: error)
        }
    }

    private static func pageProblems(_ path: String, during transaction: ReadTransaction?) throws -> [PageProblem]? {
        var last = ""
        return try PageCheck.check(path, during: transaction) { database, _ in
            guard database != last else { return }
            last = database
            Report.place("the pages of \(database)").send()
        }
    }

    private static func send(_ problems: [PageProblem], _ problemLimit: Int) {
        for problem in problems.prefix(problemLimit) { Report.problem(problem.description).send() }
        Report.end(objectCount: nil).send()
    }

    private static func checkContent(_ connection: Connection, _ problemLimit: Int) {
        Report.place("the counters of the tables").send()
        let total = connection.schema.tables.reduce(0) { $0 + connection.count($1.id) }
        let report = IntegrityChecker.report(on: connection, problemLimit: problemLimit) { progress in
            Report.place(progress.place.description).send()
            Report.progress(progress.objectCount, of: total).send()
        }
        for problem in report.problems { Report.problem(problem.description).send() }
        Report.end(objectCount: report.objectCount).send()
    }
}
