import FirnStore

extension RealmContext {
    /// Creates an object of a class that the process need not know. An unmanaged one comes back where the values cannot be
    /// stored.
    func dynamicCreate(_ binding: TableBinding, _ value: Any, _ policy: Realm.UpdatePolicy) -> DynamicObject {
        checkIsWriting("An object of class '\(binding.info.name)' was created")
        if binding.info.isEmbedded {
            misuse(
                "'\(binding.info.name)' is embedded: its objects are made by setting a property of their owner to a dictionary"
            )
        }
        guard let known = self.binding(for: binding.table.id) else {
            return createUnknown(binding, value, policy) ?? DynamicObject()
        }
        let object = create(known.info.type, value, policy)
        return object.isManaged ? dynamicObject(object) : DynamicObject()
    }

    /// Creates an object of a class that only the file knows; nil where the values cannot be stored.
    private func createUnknown(_ binding: TableBinding, _ value: Any, _ policy: Realm.UpdatePolicy) -> DynamicObject? {
        if policy != .error, binding.info.primaryKey == nil {
            misuse("'\(binding.info.name)' has no primary key to update by; create its objects without `update:`")
        }
        if policy != .error, let object = value as? DynamicObject, object.context === self, object.binding === binding {
            return object
        }
        if isBroken { return nil }
        return connection.withKeptObjects {
            var adding = DynamicAdding(self, policy, copiesOwned: true)
            defer { refillPlain() }
            do {
                let object = try adding.object(from: value, binding)
                deleteReplaced(adding.replaced)
                return object
            } catch {
                poison(error)
                return nil
            }
        }
    }

    /// Makes a value for a property of a dynamic object one that the property takes: see `DynamicAdding.linkable`.
    func dynamicForm(of value: Any, for slot: Int, of object: DynamicObject) -> Any? {
        if isBroken { return value }
        var adding = DynamicAdding(self, .error, copiesOwned: false)
        do {
            return try adding.linkable(value, for: slot, of: object)
        } catch {
            poison(error)
            return nil
        }
    }
}
