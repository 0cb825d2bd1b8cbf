/// One way in which a program's classes differ from the stored schema.
package struct SchemaDifference: Equatable, Sendable, CustomStringConvertible {
    package enum Kind: Equatable, Sendable {
        case tableAdded
        case columnAdded
        case columnRemoved
        /// Another type, collection kind or link target, or required where it was optional: its values go.
        case columnReplaced
        case columnMadeOptional
        case primaryKeyChanged
        case indexAdded
        case uniqueIndexAdded
        case indexRemoved
        case deleteRuleChanged
        case embeddedChanged
    }

    package let kind: Kind
    package let table: String
    /// The property, where one is concerned.
    package let column: String?
    package let description: String

    /// Whether the program must raise its schema version (and may have to migrate) before it can open the file.
    package var needsVersion: Bool {
        switch kind {
        case .tableAdded, .indexAdded, .uniqueIndexAdded, .indexRemoved, .deleteRuleChanged: false
        default: true
        }
    }

    /// Whether a program that raises its schema version loses what is stored.
    var losesValues: Bool { kind == .columnRemoved || kind == .columnReplaced }

    /// Whether a program that is running with the classes can no longer work with the file.
    var breaksBinding: Bool {
        switch kind {
        case .tableAdded, .columnAdded, .columnReplaced, .columnMadeOptional, .primaryKeyChanged, .embeddedChanged: true
        case .columnRemoved, .indexAdded, .uniqueIndexAdded, .indexRemoved, .deleteRuleChanged: false
        }
    }

    /// Whether a program that is running with the classes may no longer write: what it declares unique would not be kept so.
    var breaksWriting: Bool { breaksBinding || kind == .uniqueIndexAdded }
}

extension StoredSchema {
    /// How `definitions` differ from this schema. Tables that they do not name are no difference.
    package func differences(to definitions: [TableDefinition]) -> [SchemaDifference] {
        definitions.flatMap { definition -> [SchemaDifference] in
            guard let table = self[definition.name] else {
                return [
                    SchemaDifference(
                        kind: .tableAdded, table: definition.name, column: nil,
                        description: "class '\(definition.name)' was added")
                ]
            }
            return differences(of: table, to: definition)
        }
    }

    private func differences(of table: StoredTable, to definition: TableDefinition) -> [SchemaDifference] {
        var found: [SchemaDifference] = []
        func add(_ kind: SchemaDifference.Kind, _ column: String?, _ what: String) {
            let place = column.map { "property '\(definition.name).\($0)'" } ?? "class '\(definition.name)'"
            found.append(
                SchemaDifference(kind: kind, table: definition.name, column: column, description: "\(place) \(what)"))
        }
        if table.isEmbedded != definition.isEmbedded {
            add(.embeddedChanged, nil, definition.isEmbedded ? "was made embedded" : "was made top-level")
        }
        if table.primaryKey?.name != definition.primaryKey {
            let old = table.primaryKey.map { "'\($0.name)'" } ?? "none"
            add(
                .primaryKeyChanged, nil,
                "has primary key \(definition.primaryKey.map { "'\($0)'" } ?? "none"), was \(old)")
        } else if let key = table.primaryKey, let column = definition.columns.first(where: { $0.name == key.name }),
            !canBecome(key, column, in: table)
        {
            add(.primaryKeyChanged, nil, "has a primary key '\(key.name)' of another type")
        }
        var staying: Set<String> = []
        for column in definition.columns {
            guard let stored = table[column.name] else {
                add(.columnAdded, column.name, "was added")
                continue
            }
            let target = stored.target.flatMap { self[$0]?.name }
            if stored.type != column.type || stored.collection != column.collection || target != column.target {
                add(.columnReplaced, column.name, "has type \(describe(column)), was \(describe(stored))")
                continue
            }
            if stored.isOptional, !column.isOptional {
                add(.columnReplaced, column.name, "was made required")
                continue
            }
            if !stored.isOptional, column.isOptional { add(.columnMadeOptional, column.name, "was made optional") }
            staying.insert(column.name)
            if stored.deleteRule != column.deleteRule {
                add(
                    .deleteRuleChanged, column.name,
                    "has the delete rule '\(column.deleteRule)', had '\(stored.deleteRule)'")
            }
        }
        for column in table.columns where !definition.columns.contains(where: { $0.name == column.name }) {
            add(.columnRemoved, column.name, "was removed")
        }
        // What becomes of the indexes of other columns follows from what becomes of these.
        let stored = table.indexes.map(table.definition).filter { staying.isSuperset(of: $0.columns) }
        let wanted = definition.allIndexes.filter { staying.isSuperset(of: $0.columns) }
        for index in wanted where !stored.contains(index) {
            add(index.isUnique ? .uniqueIndexAdded : .indexAdded, index.onlyColumn, "has a new \(index.text)")
        }
        for index in stored where !wanted.contains(index) {
            add(.indexRemoved, index.onlyColumn, "no longer has its \(index.text)")
        }
        return found
    }

    /// Whether objects keep their identity when their primary key becomes `column`.
    private func canBecome(_ key: StoredColumn, _ column: ColumnDefinition, in table: StoredTable) -> Bool {
        // A required integer is the object key itself; an optional one has an index.
        guard key.type == column.type, key.isOptional != column.isOptional else { return key.type == column.type }
        return column.isOptional && !table.usesIntegerKey
    }

    private func describe(_ column: ColumnDefinition) -> String {
        describe(column.type, column.collection, column.target)
    }

    private func describe(_ column: StoredColumn) -> String {
        describe(column.type, column.collection, column.target.flatMap { self[$0]?.name })
    }

    private func describe(_ type: ColumnType, _ collection: CollectionKind?, _ target: String?) -> String {
        let element = target ?? type.name
        return switch collection {
        case nil: element
        case .list: "list<\(element)>"
        case .set: "set<\(element)>"
        case .map: "map<string, \(element)>"
        }
    }
}

extension IndexDefinition {
    fileprivate var onlyColumn: String? { columns.count == 1 ? columns[0] : nil }

    fileprivate var text: String {
        let kind = isUnique ? "unique index" : "index"
        return columns.count == 1 ? kind : "\(kind) over \(columns.joined(separator: ", "))"
    }
}
