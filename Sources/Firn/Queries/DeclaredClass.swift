import FirnQuery
import FirnStore
import Synchronization

/// What a predicate may ask of a class, as it and the classes around it declare it: known without a realm.
struct DeclaredClass: Sendable {
    private let catalog: QueryCatalog
    /// The tables by which objects that a predicate compares with are checked.
    private let schema: StoredSchema
    private let table: StoredTable

    /// Of a class, all that its links lead to, and all whose links lead to them. Classes whose links are only followed back, by
    /// `@links`, are looked for among all classes of the process.
    private init(_ type: ObjectBase.Type, linkOrigins: Set<String>) throws(Realm.Error) {
        var types = [type]
        if !linkOrigins.isEmpty {
            types += ClassDiscovery.modelClasses().filter { linkOrigins.contains($0.className()) }
        }
        let classes = ClassSet(Self.reachable(from: types))
        try classes.check()
        do {
            let schema = try StoredSchema(classes.definitions)
            let bindings = classes.infos.compactMap { info in schema[info.name].map { TableBinding(info, $0) } }
            TableBinding.bindTargets(bindings)
            defer { for binding in bindings { binding.unbindTargets() } }
            guard let table = schema[type.className()] else { misuse("'\(type.className())' has no table") }
            self.table = table
            self.schema = schema
            catalog = QueryCatalog(schema, bindings)
        } catch {
            throw Realm.Error.wrapping(error, fileURL: nil)
        }
    }

    private static func reachable(from types: [ObjectBase.Type]) -> [ObjectBase.Type] {
        var found: [ObjectBase.Type] = []
        var names: Set<String> = []
        var waiting = Array(types.reversed())
        while let type = waiting.popLast() {
            guard names.insert(type.className()).inserted else { continue }
            found.append(type)
            let info = ClassInfo.of(type)
            waiting += info.properties.compactMap(\.shape.target) + info.incomingLinks.map(\.originType)
        }
        return found
    }

    /// What is known of a class, from the cache after the first call. Throws for a class that cannot be part of a schema.
    static func of(_ type: ObjectBase.Type, for expression: QueryExpression) throws(Realm.Error) -> DeclaredClass {
        let linkOrigins = expression.linkOrigins
        guard linkOrigins.isEmpty else { return try DeclaredClass(type, linkOrigins: linkOrigins) }
        if let known = cache.withLock({ $0[ObjectIdentifier(type)] }) { return known }
        let made = try DeclaredClass(type, linkOrigins: [])
        cache.withLock { $0[ObjectIdentifier(type)] = made }
        return made
    }

    private static let cache = Mutex<[ObjectIdentifier: DeclaredClass]>([:])

    /// Throws where a predicate does not fit the class.
    func check(_ expression: QueryExpression) throws(Realm.Error) {
        do {
            _ = try BoundPredicate(expression, table: table, in: catalog)
        } catch {
            throw Realm.Error(error)
        }
    }
}

extension DeclaredClass: ObjectArguments {
    /// The object, by a key that says which one it is for whoever reads it.
    func operand(_ object: PredicateObject) throws -> Operand {
        guard let table = schema[object.className] else {
            throw QueryConstant.UnknownArgument(
                description: "'\(object.className)' is not one of the classes that '\(table.name)' is linked with")
        }
        return .constant(object.constant(table.id, at: object.place))
    }
}
