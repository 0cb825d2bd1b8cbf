/// How the model chooses what is done to shelves.
extension StressModel {
    private static let shelfLimit = 40

    func chooseShelfOperation(_ generator: inout SeededGenerator) -> StressOperation {
        let id = Int.random(in: 0..<StressModel.shelfLimit, using: &generator)
        guard let state = shelf(id) else {
            var state = ShelfState()
            let changes = (0..<8).map { _ in
                let change = chooseChange(of: state, &generator)
                state.apply(change)
                return change
            }
            return .addShelf(id, changes)
        }
        switch Int.random(in: 0..<200, using: &generator) {
        case 0: return .deleteItems(ofShelf: id)
        case 1, 2: return .deleteShelf(id)
        default: return .changeShelf(id, chooseChange(of: state, &generator))
        }
    }

    private func chooseChange(of shelf: ShelfState, _ generator: inout SeededGenerator) -> ShelfChange {
        switch Int.random(in: 0..<14, using: &generator) {
        case 0, 1:
            .numbers(.random(shelf.numbers, limit: 600, &generator) { $0.once(in: 9) ? .some(nil) : $0.number() })
        case 2, 3: .items(.random(shelf.items, limit: 60, &generator, pickItem))
        case 4: .owned(.random(shelf.owned, limit: 10, &generator, pickItem))
        case 5: .labels(.random(shelf.labels, limit: 30, &generator) { $0.label() })
        case 6: .words(.random(shelf.words, limit: 200, &generator) { $0.key() })
        case 7: .members(.random(shelf.members, limit: 60, &generator, pickItem))
        case 8: .scores(.random(limit: shelf.scores.count > 200, &generator) { $0.number() })
        case 9:
            .named(
                .random(limit: shelf.named.count > 60, &generator) { $0.once(in: 9) ? .some(nil) : pickItem(&$0) })
        case 10: .label(generator.once(in: 4) ? nil : generator.label())
        case 11: .marks(.random(shelf.label?.marks ?? [], limit: 30, &generator) { $0.number() })
        case 12: .any(chooseAny(depth: 0, &generator))
        default:
            if case .list(let elements) = shelf.any {
                .nested(.random(elements, limit: 60, &generator) { chooseAny(depth: 1, &$0) })
            } else {
                .any(.list([]))
            }
        }
    }

    private func chooseAny(depth: Int, _ generator: inout SeededGenerator) -> AnyState {
        switch Int.random(in: 0..<(depth < 3 ? 8 : 4), using: &generator) {
        case 0: .none
        case 1: .number(generator.number())
        case 2: .text(salt: generator.next())
        case 3: pickItem(&generator).map { .item($0) } ?? .none
        case 4:
            .map([
                "a": chooseAny(depth: depth + 1, &generator), generator.key(): chooseAny(depth: depth + 1, &generator),
            ])
        default:
            .list((0..<Int.random(in: 0...4, using: &generator)).map { _ in chooseAny(depth: depth + 1, &generator) })
        }
    }
}

// What is made is nil where there is nothing to make it of.

extension ListChange {
    fileprivate static func random(
        _ elements: [Element], limit: Int, _ generator: inout SeededGenerator,
        _ make: (inout SeededGenerator) -> Element?
    ) -> ListChange {
        if elements.count > limit { return .remove(limit / 2..<elements.count) }
        let isLong = generator.once(in: 12)
        let index = Int.random(in: 0...elements.count, using: &generator)
        switch Int.random(in: 0..<24, using: &generator) {
        case ..<8: if let element = make(&generator) { return .append(element) }
        case ..<12:
            let count = isLong ? limit / 2 : Int.random(in: 0...4, using: &generator)
            return .insert((0..<count).compactMap { _ in make(&generator) }, at: index)
        case ..<16 where index < elements.count:
            if let element = make(&generator) { return .replace(at: index, element) }
        case ..<19 where index < elements.count:
            return .move(from: index, to: Int.random(in: 0..<elements.count, using: &generator))
        case 23: return .removeAll
        default: break
        }
        return .remove(index..<min(index + (isLong ? 50 : 1), elements.count))
    }
}

extension SetChange where Element: Hashable & Comparable {
    fileprivate static func random(
        _ elements: Set<Element>, limit: Int, _ generator: inout SeededGenerator,
        _ make: (inout SeededGenerator) -> Element?
    ) -> SetChange {
        if elements.count > limit { return .removeAll }
        switch Int.random(in: 0..<24, using: &generator) {
        case ..<8: if let element = make(&generator) { return .remove(element) }
        // The order of a set is not the seed's.
        case ..<12: if let element = elements.sorted().randomElement(using: &generator) { return .remove(element) }
        case 23: return .removeAll
        default: break
        }
        let count = Int.random(in: 1...(generator.once(in: 12) ? limit / 2 : 2), using: &generator)
        return .insert((0..<count).compactMap { _ in make(&generator) })
    }
}

extension MapChange {
    fileprivate static func random(
        limit isReached: Bool, _ generator: inout SeededGenerator, _ make: (inout SeededGenerator) -> Value?
    ) -> MapChange {
        let choice = Int.random(in: 0..<24, using: &generator)
        if isReached || choice == 23 { return .removeAll }
        let key = generator.key()
        if choice < 15, let value = make(&generator) { return .set(key, value) }
        return .remove(key)
    }
}

extension SeededGenerator {
    fileprivate mutating func number() -> Int {
        Int.random(in: -300...300, using: &self)
    }

    /// One of few, so that it comes again; some longer than what the store's keys hold.
    fileprivate mutating func key() -> String {
        let number = Int.random(in: 0..<150, using: &self)
        return number < 10 ? String(repeating: "kéy", count: 125) + "\(number)" : "kéy \(number)"
    }

    fileprivate mutating func label() -> LabelState {
        LabelState(salt: next(), marks: (0..<Int.random(in: 0...3, using: &self)).map { _ in number() })
    }
}
