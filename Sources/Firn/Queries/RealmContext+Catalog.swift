import FirnQuery
import FirnStore

extension RealmContext {
    /// What the names in predicates mean: found anew when the schema has changed.
    var queryCatalog: QueryCatalog {
        if let cachedCatalog, cachedCatalog.counter == connection.schemaCounter { return cachedCatalog.catalog }
        let catalog = QueryCatalog(connection.schema, bindingList)
        cachedCatalog = (connection.schemaCounter, catalog)
        return catalog
    }

    /// A count that moves whenever something that a predicate's answer depends on may have changed, apart from which objects
    /// its own class has.
    func changeCount(of dependencies: Set<QueryDependency>) -> UInt64 {
        var count: UInt64 = 0
        for dependency in dependencies {
            // What no class of the realm has changes without a count.
            guard let binding = bindingList.first(where: { $0.table.id == dependency.table }) else {
                return connection.changeCount
            }
            count &+= dependency.slot.map { binding.columnChanges[$0] } ?? binding.rowChanges
        }
        return count
    }
}

extension QueryCatalog {
    /// What the names in predicates mean where these classes are bound to the tables of a schema.
    convenience init(_ schema: StoredSchema, _ bindings: [TableBinding]) {
        var names: [TableID: [String: Name]] = [:]
        for binding in bindings {
            var others: [String: Name] = [:]
            for property in binding.info.properties where property.name != property.columnName {
                others[property.name] = .column(property.columnName)
            }
            for (link, origin) in zip(binding.info.incomingLinks, binding.linkOrigins) {
                let column = origin.binding.table.columns.first { $0.slot == origin.slot }
                if let column { others[link.name] = .links(from: origin.binding.table.id, column: column.id) }
            }
            if !others.isEmpty { names[binding.table.id] = others }
        }
        self.init(schema, names: names)
    }
}
