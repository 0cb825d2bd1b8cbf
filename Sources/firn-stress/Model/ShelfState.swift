/// What a shelf holds. Links to deleted items stay until they are looked at.
struct ShelfState {
    var numbers: [Int?] = []
    var items: [Reference] = []
    var owned: [Reference] = []
    var labels: [LabelState] = []
    var words: Set<String> = []
    var members: Set<Reference> = []
    var scores: [String: Int] = [:]
    var named: [String: Reference?] = [:]
    var label: LabelState?
    var any = AnyState.none

    mutating func apply(_ change: ShelfChange) {
        switch change {
        case .numbers(let change): change.apply(to: &numbers)
        case .items(let change): change.apply(to: &items)
        case .owned(let change): change.apply(to: &owned)
        case .labels(let change): change.apply(to: &labels)
        case .words(let change): change.apply(to: &words)
        case .members(let change): change.apply(to: &members)
        case .scores(let change): change.apply(to: &scores)
        case .named(let change): change.apply(to: &named)
        case .label(let state): label = state
        case .marks(let change):
            guard var state = label else { return }
            change.apply(to: &state.marks)
            label = state
        case .any(let state): any = state
        case .nested(let change):
            guard case .list(var elements) = any else { return }
            change.apply(to: &elements)
            any = .list(elements)
        }
    }

    /// Takes out the links that deleted items take with them. Those in maps and values of any type become nil where they are.
    mutating func keepItems(where isThere: (Reference) -> Bool) {
        items.removeAll { !isThere($0) }
        owned.removeAll { !isThere($0) }
        members = members.filter(isThere)
    }
}

/// One change of one property of a shelf.
enum ShelfChange {
    case numbers(ListChange<Int?>)
    case items(ListChange<Reference>)
    case owned(ListChange<Reference>)
    case labels(ListChange<LabelState>)
    case words(SetChange<String>)
    case members(SetChange<Reference>)
    case scores(MapChange<Int>)
    case named(MapChange<Reference?>)
    case label(LabelState?)
    /// Of the list in the shelf's own label.
    case marks(ListChange<Int>)
    case any(AnyState)
    /// Of the list that is the value of any type.
    case nested(ListChange<AnyState>)
}

/// What an embedded label holds.
struct LabelState: Equatable {
    var salt: UInt64
    var marks: [Int]
}

/// A value of any type.
indirect enum AnyState {
    case none
    case number(Int)
    case text(salt: UInt64)
    case item(Reference)
    case list([AnyState])
    case map([String: AnyState])
}
