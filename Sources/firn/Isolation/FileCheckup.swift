import FirnStore

/// Checks a file in the process that reads it.
enum FileCheckup {
    static func report(on path: String, problemLimit: Int) throws(StoreError) {
        let connection = try Isolation.open(path)
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
