import FirnStore

/// The classes of one realm, and whether they fit each other.
struct ClassSet {
    let infos: [ClassInfo]

    init(_ types: [ObjectBase.Type]) {
        var seen: Set<ObjectIdentifier> = []
        infos = types.filter { seen.insert(ObjectIdentifier($0)).inserted }.map { ClassInfo.of($0) }
    }

    /// Throws with everything that is wrong, not only the first thing.
    func check() throws(Realm.Error) {
        var problems = infos.flatMap(\.problems)
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
        infos.map { info in
            TableDefinition(
                name: info.name, isEmbedded: info.isEmbedded, primaryKey: info.primaryKey?.columnName,
                columns: info.properties.map { property in
                    ColumnDefinition(
                        name: property.columnName, type: property.shape.type, isOptional: property.shape.isOptional,
                        collection: property.shape.collection, target: property.shape.target?.className(),
                        isIndexed: property.isIndexed && !property.isPrimaryKey, deleteRule: property.deleteRule)
                })
        }
    }
}
