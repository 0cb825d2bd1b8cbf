import Foundation
import LMDB
import TestSupport
import Testing

@testable import FirnStore

/// Random writes to objects with links, collections and embedded objects of every kind, against a plain model, compared
/// after each transaction with every invariant checked.
@Suite struct GraphModelTests {
    @Test func `objects with collections of every kind are what a plain graph is`() throws {
        try RandomRuns(1...4).run { seed in
            var run = try GraphRun(seed: seed)
            for _ in 0..<20 { try run.runTransaction() }
            try run.reopen()
            try run.compare()
        }
    }
}

/// What a slot holds, to be compared.
indirect enum ModelValue: Hashable {
    case scalar(StoredValue)
    case link(RowID)
    case list([ModelValue])
    case set(Set<ModelValue>)
    case map([String: ModelValue])

    static let null = ModelValue.scalar(.null)

    var links: [RowID] {
        switch self {
        case .scalar: []
        case .link(let row): [row]
        case .list(let elements): elements.flatMap(\.links)
        case .set(let elements): elements.flatMap(\.links)
        case .map(let values): values.values.flatMap(\.links)
        }
    }

    /// What is left when objects go. A list of objects loses elements; one of any values keeps nulls.
    func without(_ gone: Set<RowID>, losesElements: Bool) -> ModelValue {
        switch self {
        case .scalar: return self
        case .link(let row): return gone.contains(row) ? .null : self
        case .list(let elements):
            return .list(
                losesElements
                    ? elements.filter { gone.isDisjoint(with: $0.links) }
                    : elements.map { $0.without(gone, losesElements: false) })
        case .set(let elements): return .set(elements.filter { gone.isDisjoint(with: $0.links) })
        case .map(let values): return .map(values.mapValues { $0.without(gone, losesElements: losesElements) })
        }
    }
}

/// The objects that a store must have.
struct GraphModel {
    let part: TableID
    var rows: [RowID: [ModelValue]] = [:]
    /// Embedded objects that nothing holds yet.
    var unowned: Set<RowID> = []
    /// The slots of `Node` whose objects go with it, and of those that keep it.
    static let owningSlots = [2, 5, 12, 13, 14]
    static let denyingSlot = 3

    var nodes: [RowID] { sorted { $0.table != part } }
    var parts: [RowID] { sorted { $0.table == part } }

    private func sorted(_ isIncluded: (RowID) -> Bool) -> [RowID] {
        rows.keys.filter(isIncluded).sorted { $0.key < $1.key }
    }

    /// Deletes objects; false, with nothing changed, where a rule refuses.
    mutating func delete(_ targets: [RowID]) -> Bool {
        var gone: Set<RowID> = []
        var waiting = targets.filter { rows[$0] != nil }
        while let row = waiting.popLast() {
            guard gone.insert(row).inserted, let values = rows[row] else { continue }
            let slots = row.table == part ? [1] : GraphModel.owningSlots
            waiting.append(contentsOf: slots.flatMap { values[$0].links })
        }
        for row in gone where row.table != part {
            let kept = rows[row]?[GraphModel.denyingSlot].links ?? []
            if !kept.allSatisfy(gone.contains) { return false }
        }
        for row in gone { rows[row] = nil }
        unowned.subtract(gone)
        for (row, values) in rows where values.contains(where: { !gone.isDisjoint(with: $0.links) }) {
            rows[row] = values.enumerated().map { slot, value in
                // What is of any type keeps the places, in lists within a map too.
                value.without(gone, losesElements: row.table == part || ![8, 9, 11].contains(slot))
            }
        }
        return true
    }

    /// Gives a slot another value; embedded objects that are not in it any more go.
    mutating func set(_ row: RowID, _ slot: Int, _ value: ModelValue) {
        let before = rows[row]?[slot].links ?? []
        rows[row]?[slot] = value
        unowned.subtract(value.links)
        let lost = before.filter { $0.table == part && !value.links.contains($0) }
        _ = delete(lost)
    }

    mutating func update(_ row: RowID, _ slot: Int, _ change: (inout ModelValue) -> Void) {
        guard var value = rows[row]?[slot] else { return }
        change(&value)
        set(row, slot, value)
    }

    mutating func dropUnowned() {
        _ = delete(Array(unowned))
        unowned = []
    }
}

/// A store beside its model.
struct GraphRun {
    private var random: SeededGenerator
    private var fixture: CollectionFixture
    private var model: GraphModel

    private var connection: Connection { fixture.connection }

    init(seed: UInt64) throws {
        random = SeededGenerator(seed: seed)
        fixture = try CollectionFixture()
        model = GraphModel(part: fixture.part.id)
    }

    mutating func reopen() throws {
        fixture = try CollectionFixture(at: fixture.directory)
    }

    /// Up to 30 random changes, then a commit, or a rollback one time in five.
    mutating func runTransaction() throws {
        let before = model
        try connection.beginWrite(WriteRequest(holder: WriterDescription(text: "model test")))
        for _ in 0..<number(1...30) { try change() }
        if chance(3) { try compare() }
        if chance(5) {
            connection.rollback()
            model = before
        } else {
            try connection.commit()
            model.dropUnowned()
        }
        try compare()
    }

    private mutating func change() throws {
        switch number(0...99) {
        case 0..<18: try insertNode()
        case 18..<30: try setLink()
        case 30..<44: try changeList()
        case 44..<54: try changeSet()
        case 54..<64: try changeMap()
        case 64..<72: try changeAny()
        case 72..<86: try changeParts()
        case 86..<95: try delete()
        case 95..<98: try removeAll()
        case 98: try deleteOrphans()
        default: try deleteAll()
        }
    }

    // MARK: Objects

    private mutating func insertNode() throws {
        let id = Int64(number(0...80))
        let row = RowID(table: fixture.node.id, key: objectKey(ofInteger: id))
        guard model.rows[row] == nil else {
            let error = #expect(throws: StoreError.self) { try fixture.insertNode(id) }
            try #require(error?.code == .duplicateKey)
            return
        }
        try #require(try fixture.insertNode(id) == row)
        model.rows[row] = emptyValues(fixture.node)
        model.rows[row]?[0] = .scalar(.int(id))
    }

    private mutating func insertPart() throws -> RowID {
        let name = text()
        let row = try fixture.insertPart(name)
        model.rows[row] = emptyValues(fixture.part)
        model.rows[row]?[0] = .scalar(.string(name))
        model.unowned.insert(row)
        return row
    }

    private func emptyValues(_ table: StoredTable) -> [ModelValue] {
        table.columns.map { column in
            switch column.collection {
            case .list: .list([])
            case .set: .set([])
            case .map: .map([:])
            case nil: .null
            }
        }
    }

    private mutating func delete() throws {
        let all = model.nodes + model.parts
        let rows = (0..<number(1...3)).compactMap { _ in all.randomElement(using: &random) }
        if model.delete(rows) {
            try connection.delete(rows)
        } else {
            let error = #expect(throws: StoreError.self) { try connection.delete(rows) }
            try #require(error?.code == .deletionDenied)
        }
    }

    private mutating func deleteOrphans() throws {
        guard let row = model.nodes.randomElement(using: &random) else { return }
        let isLinked = model.rows.contains { other, values in
            other.table != model.part && (values[2].links + values[5].links).contains(row)
        }
        if isLinked {
            try #require(try connection.deleteOrphans([row]).isEmpty)
        } else if model.delete([row]) {
            try connection.deleteOrphans([row])
        } else {
            #expect(throws: StoreError.self) { try connection.deleteOrphans([row]) }
        }
    }

    private mutating func deleteAll() throws {
        let table = chance(2) ? fixture.node.id : fixture.part.id
        try connection.deleteAll([table])
        _ = model.delete(table == fixture.node.id ? model.nodes : model.parts)
    }

    // MARK: Links and any values

    private mutating func setLink() throws {
        guard let row = node(), let target = node() else { return }
        let slot = number(1...3)
        let isNull = chance(4)
        try connection.set(row.table, row.key, slot: slot, isNull ? .null : target.link)
        model.set(row, slot, isNull ? .null : .link(target))
    }

    private mutating func changeAny() throws {
        guard let row = node() else { return }
        let value = try anyValue(row, slot: 8, depth: 3)
        try connection.set(row.table, row.key, slot: 8, value.stored)
        model.set(row, 8, value.model)
    }

    /// A value for an `any`; collections are made and filled.
    private mutating func anyValue(
        _ row: RowID, slot: Int, depth: Int
    ) throws -> (stored: StoredValue, model: ModelValue) {
        switch number(0...9) {
        case 0: return (.null, .null)
        case 1, 2:
            let value = StoredValue.int(Int64(number(0...9)))
            return (value, .scalar(value))
        case 3:
            let value = StoredValue.string(text())
            return (value, .scalar(value))
        case 4...6:
            guard let target = node() else { return (.null, .null) }
            return (target.typedLink, .link(target))
        default:
            guard depth > 0 else { return (.bool(true), .scalar(.bool(true))) }
            return try nestedValue(row, slot, depth)
        }
    }

    private mutating func nestedValue(
        _ row: RowID, _ slot: Int, _ depth: Int
    ) throws -> (stored: StoredValue, model: ModelValue) {
        let isList = chance(2)
        let stored = try connection.makeCollection(isList ? .list : .map)
        guard case .collection(_, let id) = stored else { fatalError("a collection was made") }
        let place = CollectionPlace(row: row, slot: slot, nestedID: id)
        var elements: [ModelValue] = []
        var values: [String: ModelValue] = [:]
        for _ in 0..<number(0...4) {
            let value = try anyValue(row, slot: slot, depth: depth - 1)
            if isList {
                let index = number(0...elements.count)
                try connection.listInsert(place, [value.stored], at: index)
                elements.insert(value.model, at: index)
            } else {
                let key = key()
                try connection.mapSet(place, key, value.stored)
                values[key] = value.model
            }
        }
        return (stored, isList ? .list(elements) : .map(values))
    }

    /// A value for a column, or an element of it.
    private mutating func value(
        _ row: RowID, _ column: StoredColumn, canNest: Bool = true
    ) throws -> (stored: StoredValue, model: ModelValue)? {
        switch column.type {
        case .any: return try anyValue(row, slot: column.slot, depth: canNest ? 2 : 0)
        case .link where column.target == fixture.part.id:
            let part = try insertPart()
            return (part.link, .link(part))
        case .link: return node().map { ($0.link, .link($0)) }
        case .int:
            let value = StoredValue.int(Int64(number(-300...300)))
            return (value, .scalar(value))
        default:
            let value = StoredValue.string(text())
            return (value, .scalar(value))
        }
    }

    // MARK: Collections

    private mutating func changeList() throws {
        guard let row = node() else { return }
        try changeList(row, fixture.node.columns[[4, 5, 9, 17].randomElement(using: &random) ?? 4])
    }

    private mutating func changeList(_ row: RowID, _ column: StoredColumn) throws {
        let place = CollectionPlace(row: row, slot: column.slot)
        guard case .list(var elements)? = model.rows[row]?[column.slot] else { return }
        try #require(connection.count(place) == elements.count)
        let index = number(0...max(0, elements.count - 1))
        switch number(0...9) {
        case 0...5 where elements.isEmpty, 0...4:
            var inserted: [(stored: StoredValue, model: ModelValue)] = []
            for _ in 0..<number(1...(chance(10) ? 400 : 4)) {
                if let value = try value(row, column) { inserted.append(value) }
            }
            let index = chance(2) ? elements.count : index
            try connection.listInsert(place, inserted.map(\.stored), at: index)
            elements.insert(contentsOf: inserted.map(\.model), at: index)
        case _ where elements.isEmpty: return
        case 5, 6:
            guard let value = try value(row, column) else { return }
            try connection.listSet(place, value.stored, at: index)
            elements[index] = value.model
        case 7:
            let other = number(0...elements.count - 1)
            try connection.listMove(place, from: index, to: other)
            elements.insert(elements.remove(at: index), at: other)
            let last = elements.count - 1
            try connection.listSwap(place, index, last)
            elements.swapAt(index, last)
        default:
            let range = index..<min(index + number(1...40), elements.count)
            try connection.listRemove(place, range)
            elements.removeSubrange(range)
        }
        model.set(row, column.slot, .list(elements))
    }

    private mutating func changeSet() throws {
        guard let row = node() else { return }
        let column = fixture.node.columns[[6, 10, 15].randomElement(using: &random) ?? 6]
        let place = CollectionPlace(row: row, slot: column.slot)
        guard case .set(var elements)? = model.rows[row]?[column.slot],
            let value = try value(row, column, canNest: false)
        else { return }
        if chance(3) {
            try #require(try connection.setRemove(place, value.stored) == elements.contains(value.model))
            elements.remove(value.model)
        } else {
            try #require(try connection.setInsert(place, value.stored) != elements.contains(value.model))
            elements.insert(value.model)
        }
        model.set(row, column.slot, .set(elements))
    }

    private mutating func changeMap() throws {
        guard let row = node() else { return }
        try changeMap(row, fixture.node.columns[[7, 11, 16].randomElement(using: &random) ?? 7])
    }

    private mutating func changeMap(_ row: RowID, _ column: StoredColumn) throws {
        let place = CollectionPlace(row: row, slot: column.slot)
        let key = key()
        guard case .map(var values)? = model.rows[row]?[column.slot] else { return }
        if chance(3) {
            try #require(try connection.mapRemove(place, key) == (values[key] != nil))
            values[key] = nil
        } else if let value = try value(row, column) {
            try connection.mapSet(place, key, value.stored)
            values[key] = value.model
        }
        model.set(row, column.slot, .map(values))
    }

    private mutating func changeParts() throws {
        if let part = model.parts.randomElement(using: &random), chance(3) {
            switch number(0...2) {
            case 0:
                let inner = try insertPart()
                try connection.set(part.table, part.key, slot: 1, inner.link)
                model.set(part, 1, .link(inner))
            case 1: try changeList(part, fixture.part.columns[3])
            default:
                // The very same link would be no change.
                guard !model.unowned.contains(part), let row = node(), model.rows[row]?[12] != .link(part) else {
                    return
                }
                let error = #expect(throws: StoreError.self) {
                    try connection.set(row.table, row.key, slot: 12, part.link)
                }
                try #require(error?.code == .alreadyOwned)
            }
            return
        }
        guard let row = node() else { return }
        switch number(0...2) {
        case 0:
            let part = chance(3) ? nil : try insertPart()
            try connection.set(row.table, row.key, slot: 12, part?.link ?? .null)
            model.set(row, 12, part.map { .link($0) } ?? .null)
        case 1: try changeList(row, fixture.node.columns[13])
        default: try changeMap(row, fixture.node.columns[14])
        }
    }

    private mutating func removeAll() throws {
        guard let row = node() else { return }
        guard let column = fixture.node.columns.filter({ $0.collection != nil }).randomElement(using: &random) else {
            return
        }
        try connection.removeAll(CollectionPlace(row: row, slot: column.slot))
        model.set(row, column.slot, emptyValues(fixture.node)[column.slot])
    }

    // MARK: Random parts

    private mutating func number(_ range: ClosedRange<Int>) -> Int { Int.random(in: range, using: &random) }
    private mutating func chance(_ oneIn: Int) -> Bool { number(1...oneIn) == 1 }
    private mutating func node() -> RowID? { model.nodes.randomElement(using: &random) }

    private mutating func text() -> String {
        let length =
            chance(4) ? [470, 471, 480, 900, 1024, 1025, 5000].randomElement(using: &random) ?? 0 : number(0...4)
        return String(repeating: "ab\0"[number(0...1)], count: length) + "\(number(0...3))"
    }

    private mutating func key() -> String {
        String(repeating: "k", count: chance(4) ? number(465...490) : number(0...2)) + "\(number(0...2))"
    }

    // MARK: Comparing

    func compare() throws {
        try fixture.check()
        try #require(connection.count(fixture.node.id) == model.nodes.count)
        try #require(connection.count(fixture.part.id) == model.parts.count)
        for (row, values) in model.rows {
            let table = row.table == fixture.part.id ? fixture.part : fixture.node
            for column in table.columns {
                let found = try read(row, column)
                try #require(found == values[column.slot], "\(table.name).\(column.name) of \(row.key)")
            }
        }
    }

    private func read(_ row: RowID, _ column: StoredColumn) throws -> ModelValue {
        let place = CollectionPlace(row: row, slot: column.slot)
        if let kind = column.collection { return try read(place, kind, column) }
        // Before the record is read: links that wait to be taken away change it.
        _ = connection.count(place)
        let record = try #require(connection.record(row.table, row.key))
        return try read(connection.value(record, column.slot), place, column)
    }

    private func read(_ value: StoredValue, _ place: CollectionPlace, _ column: StoredColumn) throws -> ModelValue {
        guard case .collection(let kind, let id) = value else {
            return column.linkedRow(value).map { .link($0) } ?? .scalar(value)
        }
        let nested = CollectionPlace(row: place.row, slot: place.slot, nestedID: id)
        try #require(connection.exists(nested))
        return try read(nested, #require(CollectionKind(rawValue: kind)), column)
    }

    private func read(_ place: CollectionPlace, _ kind: CollectionKind, _ column: StoredColumn) throws -> ModelValue {
        let count = connection.count(place)
        guard kind != .list else {
            return .list(
                try (0..<count).map { try read(connection.listElement(place, at: $0), place, column) })
        }
        var found: [(key: String, value: StoredValue)] = []
        connection.forEachEntry(place) { record, key in
            found.append((kind == .map ? key() : "", connection.value(record, 0)))
            return true
        }
        try #require(found.count == count)
        if kind == .set { return .set(Set(try found.map { try read($0.value, place, column) })) }
        let pairs = try found.map { ($0.key, try read($0.value, place, column)) }
        return .map(Dictionary(pairs) { first, _ in first })
    }
}

extension String {
    fileprivate subscript(_ index: Int) -> String { String(Array(self)[index]) }
}
