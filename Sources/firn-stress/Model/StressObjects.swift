import Firn
import Foundation

/// How many transactions are in the file; each makes it one more.
final class StressLedger: Object {
    @Persisted(primaryKey: true) var id = 0
    @Persisted var sequence = 0
}

/// Keyed by an integer, with every kind of place that a value can have: in its record, in an index, in a blob, a link.
final class StressItem: Object {
    @Persisted(primaryKey: true) var id = 0
    @Persisted var name = ""
    @Persisted(indexed: true) var score = 0
    @Persisted(indexed: true) var uuid = UUID()
    @Persisted var ratio = 0.0
    @Persisted var flag: Bool?
    @Persisted var payload: Data?
    @Persisted var owner: StressOwner?
    @Persisted var next: StressItem?
}

/// Keyed by a string.
final class StressOwner: Object {
    @Persisted(primaryKey: true) var id = ""
    @Persisted var visits = 0
    @Persisted var balance: Decimal128 = 0
}

/// Without a primary key.
final class StressNote: Object {
    @Persisted(indexed: true) var number = 0
    @Persisted var text = ""
    @Persisted var item: StressItem?
}

/// Holds items and values in every way that there is.
final class StressShelf: Object {
    @Persisted(primaryKey: true) var id = 0
    @Persisted var numbers: List<Int?>
    @Persisted var items: List<StressItem>
    @Persisted(deleteRule: .cascade) var owned: List<StressItem>
    @Persisted var labels: List<StressLabel>
    @Persisted var words: MutableSet<String>
    @Persisted var members: MutableSet<StressItem>
    @Persisted var scores: Map<String, Int>
    @Persisted var named: Map<String, StressItem?>
    @Persisted var label: StressLabel?
    @Persisted var any: AnyRealmValue
}

/// Is part of a shelf.
final class StressLabel: EmbeddedObject {
    @Persisted var text = ""
    @Persisted var marks: List<Int>
}

/// The classes of a crash test's file.
let crashClasses: [ObjectBase.Type] = [
    StressLedger.self, StressItem.self, StressOwner.self, StressNote.self, StressShelf.self, StressLabel.self,
]
