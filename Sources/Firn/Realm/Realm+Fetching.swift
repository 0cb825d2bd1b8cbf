import FirnStore
import Foundation

extension Realm {
    /// All objects of a class, live: nothing is read until they are asked for something. In order of primary key where
    /// that is an integer, else of insertion.
    ///
    /// Traps for a class that is not one of the realm's.
    public func objects<Element: RealmFetchable>(_ type: Element.Type) -> Results<Element> {
        let context = context
        return Results(context, context.binding(for: Element._objectType))
    }

    /// The object with a primary key, nil where there is none.
    ///
    /// Traps for a class without primary key, and for a key of another type.
    public func object<Element: Object, KeyType>(ofType type: Element.Type, forPrimaryKey key: KeyType) -> Element? {
        let context = context
        let binding = context.binding(for: type)
        guard let object = context.object(binding, PrimaryKeyValue.stored(key, binding.info)) else { return nil }
        return unsafeDowncast(object, to: Element.self)
    }
}

extension RealmContext {
    /// The object with a primary key in its stored form.
    func object(_ binding: TableBinding, _ key: StoredValue) -> ObjectBase? {
        let table = binding.table.id
        if binding.usesIntegerKey {
            guard case .int(let integer) = key else { return nil }
            let key = objectKey(ofInteger: integer)
            guard let record = connection.record(table, key) else { return nil }
            return makeObject(binding, key: key, record: record.base)
        }
        guard let key = connection.find(table, primaryKey: key) else { return nil }
        return makeObject(binding, key: key)
    }
}

/// Primary keys as callers give them.
enum PrimaryKeyValue {
    /// The stored form of a key. Traps for a class without primary key, and for a key of another type.
    static func stored<Key>(_ key: Key, _ info: ClassInfo) -> StoredValue {
        guard let property = info.primaryKey else {
            misuse("'\(info.name)' has no primary key to look up by; give a property `@Persisted(primaryKey: true)`")
        }
        // The usual types without a cast, which would cost as much as the look-up.
        switch property.shape.type {
        case .int where Key.self == Int.self: return .int(Int64(unsafeCast(key, to: Int.self)))
        case .uuid where Key.self == UUID.self: return .uuid(unsafeCast(key, to: UUID.self))
        case .objectID where Key.self == ObjectId.self: return unsafeCast(key, to: ObjectId.self)._stored().value
        case .string where Key.self == String.self: return .string(unsafeCast(key, to: String.self))
        default: break
        }
        // A dynamic object's key has no type of the program's own.
        let value = info.isDynamic ? UntypedValue.persisted(key) : key
        guard let stored = property.persistable.storedForm(of: value) else {
            misuse(
                "'\(info.name)' has a primary key of type \(property.typeName), and \(UntypedValue.describe(key)) was looked "
                    + "up; look up a value of the key's type")
        }
        return stored
    }

    @inline(__always)
    private static func unsafeCast<From, To>(_ value: From, to type: To.Type) -> To {
        // SAFETY: callers have compared the types.
        withUnsafePointer(to: value) { UnsafeRawPointer($0).assumingMemoryBound(to: To.self).pointee }
    }
}

extension _Persistable {
    /// What a record would hold for something untyped; nil where it does not fit.
    static func storedForm(of value: Any) -> StoredValue? {
        _converted(from: value)?._stored().value
    }
}
