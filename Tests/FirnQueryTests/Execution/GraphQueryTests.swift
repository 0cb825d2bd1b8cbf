import FirnQuery
import FirnStore
import Foundation
import LMDB
import TestSupport
import Testing

/// Random predicates of the whole language on random objects that link to each other, against `GraphModel`.
@Suite struct GraphQueryTests {
    struct World {
        let connection: Connection
        let directory = TemporaryDirectory()
        var model = GraphModel(
            collections: ["numbers", "words", "dogs", "tags", "scores", "pets", "friends"], classes: ["Person", "Dog"])
        var generator: SeededGenerator
        /// How many predicates held for some objects and not for all.
        var tellingCount = 0

        var person: StoredTable { get throws { try #require(connection.schema["Person"]) } }
        var dog: StoredTable { get throws { try #require(connection.schema["Dog"]) } }

        init(seed: UInt64) throws {
            generator = SeededGenerator(seed: seed)
            let store = try Store.open(StoreOptions(path: directory.path("a.firn"), durability: .relaxed))
            connection = try Connection(store: store)
            func isIndexed() -> Bool { Bool.random(using: &generator) }
            let person = TableDefinition(
                name: "Person",
                columns: [
                    ColumnDefinition(name: "age", type: .int, isIndexed: isIndexed()),
                    ColumnDefinition(name: "height", type: .double, isOptional: true),
                    ColumnDefinition(name: "name", type: .string, isIndexed: isIndexed()),
                    ColumnDefinition(name: "title", type: .string, isOptional: true, isIndexed: isIndexed()),
                    ColumnDefinition(name: "isGood", type: .bool, isOptional: true),
                    ColumnDefinition(name: "extra", type: .any),
                    ColumnDefinition(name: "dog", type: .link, isOptional: true, target: "Dog"),
                    ColumnDefinition(name: "numbers", type: .int, collection: .list),
                    ColumnDefinition(name: "words", type: .string, isOptional: true, collection: .list),
                    ColumnDefinition(name: "dogs", type: .link, collection: .list, target: "Dog"),
                    ColumnDefinition(name: "tags", type: .string, collection: .set),
                    ColumnDefinition(name: "scores", type: .double, isOptional: true, collection: .map),
                    ColumnDefinition(name: "pets", type: .link, isOptional: true, collection: .map, target: "Dog"),
                ],
                indexes: [["title", "age"], ["isGood", "extra", "name"], ["dog", "height"], ["age", "dog"]]
                    .filter { _ in isIndexed() }.map { IndexDefinition($0) })
            let dog = TableDefinition(
                name: "Dog",
                columns: [
                    ColumnDefinition(name: "age", type: .int, isOptional: true, isIndexed: isIndexed()),
                    ColumnDefinition(name: "name", type: .string),
                    ColumnDefinition(name: "owner", type: .link, isOptional: true, target: "Person"),
                    ColumnDefinition(name: "friends", type: .link, collection: .list, target: "Dog"),
                ])
            try connection.prepare([person, dog], schemaVersion: 0, policy: .migrate)
        }
    }

    @Test func `every predicate finds the objects that plain Swift finds`() throws {
        try RandomRuns(1...3).run { seed in
            var world = try World(seed: seed)
            try world.begin()
            try world.fill(people: 40, dogs: 30)
            for _ in 0..<60 { try world.check() }
            try world.connection.commit()
            for _ in 0..<240 { try world.check() }
            // Predicates that all objects pass, or none, tell little.
            try #require(world.tellingCount > 100, "\(world.tellingCount)")
        }
    }
}

// MARK: Objects

extension GraphQueryTests.World {
    func begin() throws {
        try connection.beginWrite(WriteRequest(holder: WriterDescription(text: "test")))
    }

    mutating func fill(people: Int, dogs: Int) throws {
        for _ in 0..<dogs { try insertDog() }
        for _ in 0..<people { try insertPerson() }
        let peopleKeys = keys("Person")
        for key in keys("Dog") {
            if chance(2) {
                let owner = pick(peopleKeys)
                try connection.set(dog.id, key, slot: slot("owner", of: dog), .link(owner))
                model.objects["Dog"]?[key]?["owner"] = .object("Person", owner)
            }
            let friends = (0..<Int.random(in: 0...3, using: &generator)).map { _ in pick(keys("Dog")) }
            try connection.listInsert(
                place("friends", RowID(table: dog.id, key: key)), friends.map { .link($0) }, at: 0)
            model.objects["Dog"]?[key]?["friends"] = .list(friends.map { .object("Dog", $0) })
        }
    }

    private mutating func insertDog() throws {
        let age = chance(4) ? nil : number()
        let name = word()
        let key = try connection.insert(dog.id) { writer in
            writer.add(age.map { .int($0) } ?? .null)
            writer.add(.string(name))
            writer.add(.null)
            writer.add(.null)
        }
        model.objects["Dog", default: [:]][key] = [
            "age": age.map { .number(Double($0)) } ?? .null, "name": .text(name), "owner": .null, "friends": .list([]),
        ]
    }

    private mutating func insertPerson() throws {
        let age = number()
        let height = chance(4) ? nil : Double(number()) / 2
        let name = word()
        let title = chance(4) ? nil : word()
        let isGood = chance(4) ? nil : chance(2)
        let extra: StoredValue = [.null, .int(number()), .double(Double(number()) / 2), .string(word()), .bool(true)][
            Int.random(in: 0..<5, using: &generator)]
        let ownDog = chance(3) ? nil : pick(keys("Dog"))
        let key = try connection.insert(person.id) { writer in
            writer.add(.int(age))
            writer.add(height.map { .double($0) } ?? .null)
            writer.add(.string(name))
            writer.add(title.map { .string($0) } ?? .null)
            writer.add(isGood.map { .bool($0) } ?? .null)
            writer.add(extra)
            writer.add(ownDog.map { .link($0) } ?? .null)
            for _ in 0..<6 { writer.add(.null) }
        }
        var properties: [String: GraphModel.Value] = [
            "age": .number(Double(age)), "height": height.map { .number($0) } ?? .null, "name": .text(name),
            "title": title.map { .text($0) } ?? .null, "isGood": isGood.map { .bool($0) } ?? .null,
            "extra": modelled(extra), "dog": ownDog.map { .object("Dog", $0) } ?? .null,
        ]
        let row = RowID(table: try person.id, key: key)
        let numbers = several { .int($0.number()) }
        try connection.listInsert(place("numbers", row), numbers, at: 0)
        properties["numbers"] = .list(numbers.map(modelled))
        let words = several { $0.chance(4) ? .null : .string($0.word()) }
        try connection.listInsert(place("words", row), words, at: 0)
        properties["words"] = .list(words.map(modelled))
        let dogs = several { .link($0.pick($0.keys("Dog"))) }
        try connection.listInsert(place("dogs", row), dogs, at: 0)
        properties["dogs"] = .list(dogs.map(modelled))
        var tags: [StoredValue] = []
        for tag in several({ .string($0.word()) }) where try connection.setInsert(place("tags", row), tag) {
            tags.append(tag)
        }
        properties["tags"] = .list(tags.map(modelled))
        var scores: [String: GraphModel.Value] = [:]
        for score in several({ $0.chance(4) ? .null : .double(Double($0.number()) / 2) }) {
            let name = word()
            try connection.mapSet(place("scores", row), name, score)
            scores[name] = modelled(score)
        }
        properties["scores"] = .map(scores)
        var pets: [String: GraphModel.Value] = [:]
        for pet in several({ $0.chance(4) ? .null : .link($0.pick($0.keys("Dog"))) }) {
            let name = word()
            try connection.mapSet(place("pets", row), name, pet)
            pets[name] = modelled(pet)
        }
        properties["pets"] = .map(pets)
        model.objects["Person", default: [:]][key] = properties
    }

    private mutating func several(_ value: (inout Self) -> StoredValue) -> [StoredValue] {
        let count = Int.random(in: 0...3, using: &generator)
        var values: [StoredValue] = []
        for _ in 0..<count { values.append(value(&self)) }
        return values
    }

    private func modelled(_ value: StoredValue) -> GraphModel.Value {
        switch value {
        case .int(let value): .number(Double(value))
        case .double(let value): .number(value)
        case .string(let text): .text(text)
        case .bool(let value): .bool(value)
        case .link(let key): .object("Dog", key)
        default: .null
        }
    }

    private func slot(_ name: String, of table: StoredTable) throws -> Int { try #require(table[name]).slot }

    private func place(_ name: String, _ row: RowID) throws -> CollectionPlace {
        CollectionPlace(row: row, slot: try slot(name, of: #require(connection.schema[row.table])))
    }

    private func keys(_ type: String) -> [UInt64] { (model.objects[type] ?? [:]).keys.sorted() }

    private mutating func chance(_ sides: Int) -> Bool { Int.random(in: 0..<sides, using: &generator) == 0 }

    private mutating func pick<T>(_ values: [T]) -> T { values[Int.random(in: 0..<values.count, using: &generator)] }

    private mutating func number() -> Int64 { Int64.random(in: -2...5, using: &generator) }

    private mutating func word() -> String {
        let letters = ["a", "b", "A", "B", "á", "Á", "z", "日"]
        var word = ""
        for _ in 0..<Int.random(in: 0...2, using: &generator) { word += pick(letters) }
        return word
    }
}

// MARK: Predicates

extension GraphQueryTests.World {
    /// A random predicate, found by the query, by the model, and once more after its text was read.
    mutating func check() throws {
        let expression = predicate("Person", depth: 3, scope: [])
        let table = try person
        let predicate = try BoundPredicate(expression, table: table, in: QueryCatalog(connection.schema))
        // The plan may give the file what a write keeps in memory, and so must this.
        let asked = chance(2) ? predicate.matching(keys("Person"), in: connection) : nil
        let found = predicate.keys(in: connection)
        let expected = model.keys(of: "Person", where: expression)
        if !expected.isEmpty, expected.count < keys("Person").count { tellingCount += 1 }
        try #require(found == expected, "\(expression): \(predicate.explanation(in: connection))")
        try #require(predicate.count(in: connection) == expected.count, "\(expression)")
        try #require(predicate.firstKey(in: connection) == expected.first, "\(expression)")
        try #require((asked ?? expected) == expected, "\(expression)")
        try #require(predicate.matching(keys("Person"), in: connection) == expected, "\(expression)")
        try #require(
            predicate.firstIndex(among: keys("Person"), in: connection)
                == keys("Person").firstIndex { expected.contains($0) }, "\(expression)")
    }

    private mutating func predicate(_ type: String, depth: Int, scope: [String]) -> QueryExpression {
        switch depth > 0 ? Int.random(in: 0..<10, using: &generator) : 9 {
        case 0, 1: return .all(parts(type, depth, scope))
        case 2, 3: return .any(parts(type, depth, scope))
        case 4: return .not(predicate(type, depth: depth - 1, scope: scope))
        case 5: return subquery(type, depth, scope)
        default: return .comparison(comparison(type, scope))
        }
    }

    private mutating func parts(_ type: String, _ depth: Int, _ scope: [String]) -> [QueryExpression] {
        var parts: [QueryExpression] = []
        for _ in 0..<Int.random(in: 1...3, using: &generator) {
            parts.append(predicate(type, depth: depth - 1, scope: scope))
        }
        return parts
    }

    private mutating func subquery(_ type: String, _ depth: Int, _ scope: [String]) -> QueryExpression {
        let name = "v\(scope.count)"
        let collection: QueryPath.Step =
            type == "Person"
            ? pick([.property("dogs"), .property("pets"), .links(from: "Dog", property: "owner")])
            : pick([.property("friends"), .links(from: "Person", property: "dogs")])
        let element = collection == .links(from: "Person", property: "dogs") ? "Person" : "Dog"
        let condition = predicate(element, depth: depth - 1, scope: scope + [name])
        let operation: ComparisonOperator = pick([.equal, .greater, .less, .greaterOrEqual, .notEqual])
        return .comparison(
            Comparison(
                .count(Subquery(QueryPath([collection], from: scope.last), name, condition)), operation,
                .constant(.int(Int64.random(in: 0...2, using: &generator)))))
    }

    /// What a path leads to.
    private enum Kind: CaseIterable {
        case number, text, bool, any, person, dog
    }

    private mutating func comparison(_ type: String, _ scope: [String]) -> Comparison {
        let (path, kind, isMany, isOptional) = path(type, scope)
        if kind == .number || kind == .text, !isMany, chance(5) { return operands(path, kind, type, scope) }
        if chance(6), isMany, kind != .any { return count(path, kind) }
        let quantifier: Quantifier? = isMany ? pick([.any, .any, .all]) : nil
        if chance(6), kind == .number || kind == .text {
            let values = [constant(kind), constant(kind), constant(kind)]
            if kind == .number, chance(2) {
                return Comparison(
                    .path(path), .between, .list(Array(values.prefix(2))), quantifier: quantifier)
            }
            return Comparison(.path(path), .isIn, .list(values), quantifier: quantifier)
        }
        let value: Operand = isOptional && chance(4) ? .constant(.null) : constant(kind)
        var operations: [ComparisonOperator] = [.equal, .notEqual]
        var options: ComparisonOptions = []
        if kind == .number || kind == .text { operations += [.less, .lessOrEqual, .greater, .greaterOrEqual] }
        if kind == .text, value != .constant(.null) {
            operations += [.contains, .beginsWith, .endsWith, .like]
            options = pick([
                [], [], .caseInsensitive, .diacriticInsensitive, [.caseInsensitive, .diacriticInsensitive],
            ])
        }
        let operation = pick(operations)
        if operation.isForOrder { options = [] }
        return Comparison(.path(path), operation, value, options: options, quantifier: quantifier)
    }

    /// A path, or what is reckoned from one, compared with another.
    private mutating func operands(_ path: QueryPath, _ kind: Kind, _ type: String, _ scope: [String]) -> Comparison {
        var left = Operand.path(path)
        let isNumber = kind == .number
        let names =
            type == "Person" ? (isNumber ? ["age", "height"] : ["name", "title"]) : (isNumber ? ["age"] : ["name"])
        let right = Operand.path(QueryPath([.property(pick(names))], from: scope.last))
        switch Int.random(in: 0..<4, using: &generator) {
        case 0:
            left =
                isNumber
                ? .arithmetic(pick([.add, .subtract, .multiply]), left, constant(.number)) : .text(.lowercase, left)
        case 1: left = .coalesced(left, constant(kind))
        case 2:
            left = .choice(
                .comparison(Comparison(right, .equal, .constant(.null))).ifAllowed(names), left, constant(kind))
        default: break
        }
        return Comparison(left, pick([.equal, .notEqual, .less, .greaterOrEqual]), right)
    }

    private mutating func count(_ path: QueryPath, _ kind: Kind) -> Comparison {
        let aggregate: Aggregate = kind == .number ? pick([.count, .sum, .min, .max, .avg]) : .count
        return Comparison(
            .aggregate(aggregate, path), pick([.equal, .less, .greater]),
            .constant(.int(Int64.random(in: 0...4, using: &generator))))
    }

    private mutating func constant(_ kind: Kind) -> Operand {
        switch kind {
        case .number: .constant(chance(2) ? .int(number()) : .double(Double(number())))
        case .text: .constant(.string(chance(4) ? "*" + word() : word()))
        case .bool: .constant(.bool(chance(2)))
        case .any: pick([constant(.number), constant(.text), constant(.bool)])
        case .person: .constant(.link(table: 1, key: pick(keys("Person"))))
        case .dog: .constant(.link(table: 2, key: pick(keys("Dog"))))
        }
    }

    private mutating func path(
        _ type: String, _ scope: [String]
    ) -> (path: QueryPath, kind: Kind, isMany: Bool, isOptional: Bool) {
        var type = type
        var steps: [QueryPath.Step] = []
        var isMany = false
        var isOptional = false
        for _ in 0..<4 {
            let isLast = steps.count == 3 || chance(2)
            if isLast {
                let ends: [(String, Kind, isMany: Bool, isOptional: Bool)] =
                    type == "Person"
                    ? [
                        ("age", .number, false, false), ("height", .number, false, true), ("name", .text, false, false),
                        ("title", .text, false, true), ("isGood", .bool, false, true), ("extra", .any, false, true),
                        ("dog", .dog, false, true), ("numbers", .number, true, false), ("words", .text, true, true),
                        ("dogs", .dog, true, true), ("tags", .text, true, false), ("scores", .number, true, true),
                        ("pets", .dog, true, true),
                    ]
                    : [
                        ("age", .number, false, true), ("name", .text, false, false), ("owner", .person, false, true),
                        ("friends", .dog, true, true),
                    ]
                let end = pick(ends)
                steps.append(.property(end.0))
                return (
                    QueryPath(steps, from: scope.last), end.1, isMany || end.isMany, isOptional || end.isOptional
                )
            }
            let next: [(QueryPath.Step, String, Bool)] =
                type == "Person"
                ? [
                    (.property("dog"), "Dog", false), (.property("dogs"), "Dog", true),
                    (.property("pets"), "Dog", true),
                    (.links(from: "Dog", property: "owner"), "Dog", true),
                ]
                : [
                    (.property("owner"), "Person", false), (.property("friends"), "Dog", true),
                    (.links(from: "Person", property: "dogs"), "Person", true),
                ]
            let step = pick(next)
            steps.append(step.0)
            type = step.1
            isMany = isMany || step.2
            isOptional = isOptional || !step.2 || step.0 == .property("pets")
        }
        preconditionFailure("a path ends after four steps")
    }
}

extension QueryExpression {
    /// The comparison, unless it asks whether a property is nil that never is.
    fileprivate func ifAllowed(_ names: [String]) -> QueryExpression {
        guard case .comparison(let comparison) = self, case .path(let path) = comparison.left,
            ["height", "title"].contains(path.ownProperty)
        else { return .always(names.count > 1) }
        return self
    }
}
