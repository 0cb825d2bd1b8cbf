import FirnStore

/// A question about one record.
protocol RecordMatcher: Sendable {
    /// The answer; the connection reads what lies outside the record.
    func matches(_ record: RecordView, _ connection: Connection) -> Bool
}

/// All of several tests, the cheapest first.
struct Conjunction: RecordMatcher {
    let tests: [RecordTest]

    func matches(_ record: RecordView, _ connection: Connection) -> Bool {
        for test in tests {
            guard test.matches(record, connection) else { return false }
        }
        return true
    }
}
