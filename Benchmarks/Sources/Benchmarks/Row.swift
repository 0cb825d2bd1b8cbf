import Foundation

/// One object of the benchmark, in the form a Swift program would have it before it stores it.
struct Row: Equatable {
    var id: Int
    var uuid: UUID
    var category: Int
    var token: UUID
    var name: String
    var score: Double
    var counter: Int
    var active: Bool
    var group: Int
}

/// The objects that one transaction inserts, in each side's own form, so that neither pays for the other's.
struct Batch {
    var rows: [Row]
    var rawItems: RawItems

    init(_ rows: [Row]) {
        self.rows = rows
        rawItems = RawItems(rows)
    }
}
