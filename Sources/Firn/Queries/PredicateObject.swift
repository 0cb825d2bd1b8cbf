import FirnQuery
import FirnStore

/// An object that a predicate compares with, apart from its realm and thread.
struct PredicateObject: Hashable, Sendable {
    let className: String
    /// The realm's file; nil where the object is no live one.
    let place: Realm.Configuration.Place?
    let key: ObjectKey

    init(_ object: ObjectBase) {
        className = object.isManaged ? object.binding.table.name : type(of: object).className()
        let context = object.isInvalidated ? nil : object.context
        place = context?.configuration.place
        key = context == nil ? .max : object.key
    }

    /// The object as a constant where its class has a table; one that is not of the file is a key that no object ever has, which
    /// nothing equals.
    func constant(_ table: TableID, at place: Realm.Configuration.Place?) -> Constant {
        .link(table: table.rawValue, key: place == self.place ? key : .max)
    }
}

/// What becomes of the objects among a predicate's arguments.
protocol ObjectArguments {
    func operand(_ object: PredicateObject) throws -> Operand
}

extension RealmContext: ObjectArguments {
    /// The object of the realm.
    func operand(_ object: PredicateObject) throws -> Operand {
        guard let table = connection.schema[object.className] else {
            throw QueryConstant.UnknownArgument(
                description: "'\(object.className)' is not one of the realm's classes")
        }
        return .constant(object.constant(table.id, at: configuration.place))
    }
}

/// Leaves places for objects, and keeps these, so that a predicate can be had without a realm.
final class ObjectCollection: ObjectArguments {
    private(set) var objects: [PredicateObject] = []

    func operand(_ object: PredicateObject) -> Operand {
        objects.append(object)
        return .argument(objects.count - 1, .any)
    }
}
