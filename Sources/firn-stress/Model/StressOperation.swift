/// One change that a transaction makes.
enum StressOperation {
    case putItem(Int, ItemState)
    case renameItem(Int, salt: UInt64)
    case scoreItem(Int, Int)
    case fillItem(Int, Payload?)
    case linkItem(Int, next: Reference?)
    case deleteItem(Int)
    case putOwner(Int, OwnerState)
    case deleteOwner(Int)
    case addNote(Int, NoteState)
    case deleteNote(Int)
    /// With what the changes make of an empty one.
    case addShelf(Int, [ShelfChange])
    case changeShelf(Int, ShelfChange)
    /// With the items that it owns.
    case deleteShelf(Int)
    /// The items of a shelf's list, all at once.
    case deleteItems(ofShelf: Int)
    case deleteEverything
}

/// A transaction, and how it is made.
struct StressTransaction {
    enum Form {
        case write
        case beginAndCommit
        /// The changes are made and cancelled, and then made for good.
        case cancelledFirst
        /// As `cancelledFirst`, by an error thrown in a block.
        case thrownFirst
    }

    let sequence: Int
    let form: Form
    let operations: [StressOperation]
}

/// Another object as it was when a link to it was made. A deleted object's key may be given to a new one.
struct Reference: Hashable, Comparable {
    let id: Int
    let birth: Int

    static func < (left: Reference, right: Reference) -> Bool {
        (left.id, left.birth) < (right.id, right.birth)
    }
}

/// Bytes that follow from a few numbers.
struct Payload: Equatable {
    let salt: UInt64
    let byteCount: Int

    var bytes: [UInt8] {
        var generator = SeededGenerator(seed: salt)
        return [UInt8](unsafeUninitializedCapacity: byteCount) { buffer, count in
            var word: UInt64 = 0
            for index in 0..<byteCount {
                if index.isMultiple(of: 8) { word = generator.next() }
                buffer[index] = UInt8(truncatingIfNeeded: word)
                word >>= 8
            }
            count = byteCount
        }
    }
}

/// What an item holds.
struct ItemState: Equatable {
    var birth: Int
    var salt: UInt64
    var score: Int
    var payload: Payload?
    var owner: Reference?
    var next: Reference?
}

/// What an owner holds.
struct OwnerState: Equatable {
    var birth: Int
    var visits: Int
}

/// What a note holds.
struct NoteState: Equatable {
    var salt: UInt64
    var item: Reference?
}
