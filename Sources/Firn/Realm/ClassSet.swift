import FirnStore

/// The classes of one realm, and whether they fit each other.
struct ClassSet {
    let infos: [ClassInfo]
    /// What each class says in `indexes`.
    private let indexes: [[ObjectIndex]]

    init(_ types: [ObjectBase.Type]) {
        var seen: Set<ObjectIdentifier> = []
        let infos = types.filter { seen.insert(ObjectIdentifier($0)).inserted }.map { ClassInfo.of($0) }
        self.infos = infos
        // Only now: key paths have names where the class is known.
        indexes = infos.map(\.type.indexes)
    }

    /// Throws with everything that is wrong, not only the first thing.
    func check() throws(Realm.Error) {
        var problems = infos.flatMap(\.problems)
        for (info, indexes) in zip(infos, indexes) { problems += Self.problems(of: indexes, in: info) }
        for (name, same) in Dictionary(grouping: infos, by: \.name).sorted(by: { $0.key < $1.key }) where same.count > 1
        {
            problems.append(
                "\(same.count) classes are named '\(name)'; rename one, or leave it out with objectTypes or "
                    + "shouldIncludeInDefaultSchema()")
        }
        let known = Set(infos.map { ObjectIdentifier($0.type) })
        for info in infos {
            for property in info.properties {
                guard let target = property.shape.target, !known.contains(ObjectIdentifier(target)) else { continue }
                problems.append(
                    "\(info.name).\(property.name) links to '\(target.className())', which is not one of the realm's classes; "
                        + "add it to objectTypes")
            }
            for link in info.incomingLinks {
                if !known.contains(ObjectIdentifier(link.originType)) {
                    problems.append(
                        "\(info.name).\(link.name) shows links of '\(link.originType.className())', which is not one of the "
                            + "realm's classes; add it to objectTypes")
                } else if let problem = link.problem(in: info) {
                    problems.append(problem)
                }
            }
        }
        guard problems.isEmpty else {
            throw Realm.Error(
                .schemaMismatch,
                "The classes cannot be a schema:\n" + problems.map { "- \($0)" }.joined(separator: "\n"))
        }
    }

    /// The tables that the classes need.
    var definitions: [TableDefinition] {
        zip(infos, indexes).map { info, indexes in
            TableDefinition(
                name: info.name, isEmbedded: info.isEmbedded, primaryKey: info.primaryKey?.columnName,
                columns: info.properties.map { property in
                    ColumnDefinition(
                        name: property.columnName, type: property.shape.type, isOptional: property.shape.isOptional,
                        collection: property.shape.collection, target: property.shape.target?.className(),
                        isIndexed: property.isIndexed && !property.isPrimaryKey,
                        isUnique: property.isUnique && !property.isPrimaryKey, deleteRule: property.deleteRule)
                },
                indexes: indexes.map { index in
                    IndexDefinition(
                        index.propertyNames.map { info.property($0)?.columnName ?? $0 }, isUnique: index.isUnique)
                })
        }
    }

    private static func problems(of indexes: [ObjectIndex], in info: ClassInfo) -> [String] {
        var problems: [String] = []
        var seen: Set<[String]> = []
        for index in indexes {
            let names = index.propertyNames
            let place = "\(info.name).indexes has an index over \(names.joined(separator: ", "))"
            if !seen.insert(names).inserted { problems.append("\(place) twice; keep one") }
            if Set(names).count != names.count {
                problems.append("\(place), which names a property twice; name it once")
            }
            for name in names {
                guard let property = info.property(name), property.name == name else {
                    problems.append("\(place): '\(name)' is no persisted property; use the Swift name of one")
                    continue
                }
                if !property.hasOrder { problems.append("\(place): a \(property.typeName) has no index") }
            }
        }
        return problems
    }
}
