import FirnStore

/// A question about one value: what stands in a slot of a record, or as an element in a collection's.
protocol ValueMatcher: Sendable {
    /// The answer; the connection reads what lies outside the record.
    func matches(_ record: RecordView, _ slot: Int, _ connection: Connection) -> Bool
}

/// An object under test, and those around it that variables name.
struct Scope {
    let record: RecordView
    let key: ObjectKey
    /// The object whose subquery this one is an element of.
    let outer: UnsafePointer<Scope>?

    init(_ record: RecordView, _ key: ObjectKey, in outer: UnsafePointer<Scope>? = nil) {
        self.record = record
        self.key = key
        self.outer = outer
    }

    /// The object so many subqueries further out.
    func object(_ depth: Int) -> Scope {
        var scope = self
        for _ in 0..<depth {
            guard let outer = scope.outer else { preconditionFailure("a variable stands within its subquery") }
            // SAFETY: the frame that walks the outer object's elements keeps it until all tests of them are made.
            scope = outer.pointee
        }
        return scope
    }
}
