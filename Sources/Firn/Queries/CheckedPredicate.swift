import FirnQuery
import FirnStore
import Synchronization

/// A predicate that fits its class, and what it has become in the realms where it was used: what all copies of an
/// `ObjectPredicate` share.
final class CheckedPredicate: Sendable {
    /// The tree, with a place for each object that it compares with.
    let template: QueryExpression
    /// The objects for those places.
    let objects: [PredicateObject]
    /// The tree in words.
    let text: String
    /// Its forms in realms, the one that was made last first.
    private let known = Mutex<[BoundPredicate]>([])

    /// How many realms, of one file or several, have their own forms remembered.
    private static var memory: Int { 8 }

    /// Throws where `template` does not fit the class.
    init(
        _ template: QueryExpression, _ objects: [PredicateObject], of type: ObjectBase.Type
    ) throws(Realm.Error) {
        self.template = template
        self.objects = objects
        // The properties of such a class are known to its file alone.
        if type == DynamicObject.self {
            text = template.description
            return
        }
        let declared = try DeclaredClass.of(type, for: template)
        let expression = try Self.filled(template, objects, in: declared)
        try declared.check(expression)
        text = expression.description
    }

    /// The predicate in a realm. Cheap but for the first time. Throws where it does not fit the class there.
    func bound(to binding: TableBinding, in context: RealmContext) throws(Realm.Error) -> BoundPredicate {
        let catalog = context.queryCatalog
        let remembered = known.withLock { known in known.first { $0.isFor(catalog, binding.table.id) } }
        if let remembered { return remembered }
        let expression = try expression(in: context)
        let made: BoundPredicate
        do {
            made = try BoundPredicate(expression, table: binding.table, in: catalog)
        } catch {
            throw Realm.Error(error)
        }
        known.withLock { known in
            if known.count == Self.memory { known.removeLast() }
            known.insert(made, at: 0)
        }
        return made
    }

    private static func filled(
        _ template: QueryExpression, _ objects: [PredicateObject], in arguments: some ObjectArguments
    ) throws(Realm.Error) -> QueryExpression {
        if objects.isEmpty { return template }
        do {
            return try PredicateTemplate(template, argumentCount: objects.count).expression(arguments: objects) {
                guard let object = $0 as? PredicateObject else { return .constant(.null) }
                return try arguments.operand(object)
            }
        } catch {
            throw Realm.Error(error)
        }
    }
}

extension CheckedPredicate: PredicateContent {
    func expression(in objects: some ObjectArguments) throws(Realm.Error) -> QueryExpression {
        try Self.filled(template, self.objects, in: objects)
    }
}
