import Firn
import Foundation

extension StressRealm {
    /// Throws at the first difference between the file and the model.
    func compare(with model: StressModel) throws {
        try check("number of items", realm.objects(StressItem.self).count, model.items.count)
        try check("number of owners", realm.objects(StressOwner.self).count, model.owners.count)
        try check("number of notes", realm.objects(StressNote.self).count, model.notes.count)
        try check("number of shelves", realm.objects(StressShelf.self).count, model.shelves.count)
        for item in realm.objects(StressItem.self) { try compare(item, model) }
        for owner in realm.objects(StressOwner.self) { try compare(owner, model) }
        for note in realm.objects(StressNote.self) { try compare(note, model) }
        for shelf in realm.objects(StressShelf.self) { try compare(shelf, model) }
    }

    private func compare(_ item: StressItem, _ model: StressModel) throws {
        let state = try expected(model.items[item.id], "item \(item.id)")
        func check<Value: Equatable>(_ property: String, _ found: Value, _ expected: Value) throws {
            try self.check("\(property) of item \(item.id)", found, expected)
        }
        try check("name", item.name, StressRealm.name(state.salt))
        try check("uuid", item.uuid, StressRealm.uuid(state.salt))
        try check("ratio", item.ratio, StressRealm.ratio(state.salt))
        try check("flag", item.flag, StressRealm.flag(state.salt))
        try check("score", item.score, state.score)
        try check("payload", item.payload, state.payload.map { Data($0.bytes) })
        try check("owner", item.owner?.id, model.resolveOwner(state.owner).map(StressRealm.ownerKey))
        try check("next", item.next?.id, model.resolveItem(state.next))
    }

    private func compare(_ owner: StressOwner, _ model: StressModel) throws {
        let state = try expected(model.owners[Int(owner.id.dropFirst(6)) ?? -1], owner.id)
        try check("visits of \(owner.id)", owner.visits, state.visits)
        try check("balance of \(owner.id)", owner.balance, StressRealm.balance(state.visits))
    }

    private func compare(_ note: StressNote, _ model: StressModel) throws {
        let state = try expected(model.notes[note.number], "note \(note.number)")
        try check("text of note \(note.number)", note.text, StressRealm.name(state.salt))
        try check("item of note \(note.number)", note.item?.id, model.resolveItem(state.item))
    }

    private func compare(_ shelf: StressShelf, _ model: StressModel) throws {
        let state = try expected(model.shelf(shelf.id), "shelf \(shelf.id)")
        func check<Value: Equatable>(_ property: String, _ found: Value, _ expected: Value) throws {
            try self.check("\(property) of shelf \(shelf.id)", found, expected)
        }
        func checkStrings(_ property: String, _ found: [String], _ expected: some Collection<String>) throws {
            try check(property, found.sorted(), expected.sorted())
            try check("order of \(property)", StressRealm.areInOrder(found), true)
        }
        try check("numbers", Array(shelf.numbers), state.numbers)
        try check("items", shelf.items.map(\.id), state.items.map(\.id))
        try check("owned", shelf.owned.map(\.id), state.owned.map(\.id))
        try check("labels", shelf.labels.map(found), state.labels.map(expected))
        try checkStrings("words", Array(shelf.words), state.words)
        try check("members", shelf.members.map(\.id).sorted(), state.members.map(\.id).sorted())
        try checkStrings("keys of scores", shelf.scores.keys, state.scores.keys)
        for (key, score) in state.scores { try check("scores[\(key)]", shelf.scores[key], score) }
        try checkStrings("keys of named", shelf.named.keys, state.named.keys)
        for (key, item) in state.named { try check("named[\(key)]", shelf.named[key]??.id, model.resolveItem(item)) }
        try check("label", shelf.label.map(found), state.label.map(expected))
        try check("any", found(shelf.any), expected(state.any, model))
    }

    // MARK: What is compared

    /// Whether strings are in the order of their bytes, as far as the keys of the store hold them for sure.
    private static func areInOrder(_ strings: [String]) -> Bool {
        let keys = strings.map { $0.utf8.prefix(400) }
        return zip(keys, keys.dropFirst()).allSatisfy { !$1.lexicographicallyPrecedes($0) }
    }

    private func check<Value: Equatable>(_ name: @autoclosure () -> String, _ found: Value, _ expected: Value) throws {
        guard found == expected else { throw StressFault("\(name()) is \(found), not \(expected)") }
    }

    private func expected<State>(_ state: State?, _ name: @autoclosure () -> String) throws -> State {
        guard let state else { throw StressFault("\(name()) should not be there") }
        return state
    }

    private func found(_ label: StressLabel) -> [String] { [label.text] + label.marks.map(\.description) }

    private func expected(_ label: LabelState) -> [String] {
        [StressRealm.name(label.salt)] + label.marks.map(\.description)
    }

    private func found(_ value: AnyRealmValue) -> AnyContent {
        switch value {
        case .int(let number): .number(number)
        case .string(let text): .text(text)
        case .object(let object): .item((object as? StressItem)?.id)
        case .list(let list): .list(list.map(found))
        case .dictionary(let map):
            .map(Dictionary(uniqueKeysWithValues: map.asKeyValueSequence().map { ($0.0, found($0.1)) }))
        default: value == .none ? .none : .other
        }
    }

    private func expected(_ state: AnyState, _ model: StressModel) -> AnyContent {
        switch state {
        case .none: .none
        case .number(let number): .number(number)
        case .text(let salt): .text(StressRealm.name(salt))
        case .item(let reference): model.resolveItem(reference).map { .item($0) } ?? .none
        case .list(let elements): .list(elements.map { expected($0, model) })
        case .map(let values): .map(values.mapValues { expected($0, model) })
        }
    }
}

/// What a value of any type holds.
private indirect enum AnyContent: Equatable {
    case none
    case number(Int)
    case text(String)
    case item(Int?)
    case list([AnyContent])
    case map([String: AnyContent])
    case other
}
