import Firn

/// Makes the changes of a shelf in a realm, or on a shelf that is not in it yet.
extension StressRealm {
    func apply(_ change: ShelfChange, to shelf: StressShelf) throws {
        switch change {
        case .numbers(let change): apply(change, to: shelf.numbers)
        case .items(let change): apply(try change.map(linkedItem), to: shelf.items)
        case .owned(let change): apply(try change.map(linkedItem), to: shelf.owned)
        case .labels(let change): apply(change.map(makeLabel), to: shelf.labels)
        case .words(let change):
            var words = shelf.words
            change.apply(to: &words)
        case .members(let change):
            var members = shelf.members
            try change.map(linkedItem).apply(to: &members)
        case .scores(let change):
            var scores = shelf.scores
            change.apply(to: &scores)
        case .named(let change):
            var named = shelf.named
            try change.map { try $0.map(linkedItem) }.apply(to: &named)
        case .label(let state): shelf.label = state.map(makeLabel)
        case .marks(let change): if let label = shelf.label { apply(change, to: label.marks) }
        case .any(let state): shelf.any = try makeAny(state)
        case .nested(let change): if let list = shelf.any.listValue { apply(try change.map(makeAny), to: list) }
        }
    }

    private func apply<Element>(_ change: ListChange<Element>, to list: List<Element>) {
        var list = list
        change.apply(to: &list)
    }

    private func linkedItem(_ reference: Reference) throws -> StressItem {
        guard let item = item(reference.id) else { throw StressFault("item \(reference.id) is gone") }
        return item
    }

    private func makeLabel(_ state: LabelState) -> StressLabel {
        let label = StressLabel()
        label.text = StressRealm.name(state.salt)
        label.marks.append(objectsIn: state.marks)
        return label
    }

    private func makeAny(_ state: AnyState) throws -> AnyRealmValue {
        switch state {
        case .none: .none
        case .number(let number): .int(number)
        case .text(let salt): .string(StressRealm.name(salt))
        case .item(let reference): .object(try linkedItem(reference))
        case .list(let elements): .fromArray(try elements.map(makeAny))
        case .map(let values): .fromDictionary(try values.mapValues(makeAny))
        }
    }
}
