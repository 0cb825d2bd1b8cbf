import FirnStore

extension RealmContext {
    /// Adds an unmanaged object and what it links to. A refused one stays unmanaged, and poisons the write.
    func add(_ object: ObjectBase, _ policy: Realm.UpdatePolicy) {
        let binding = binding(for: type(of: object))
        checkIsWriting("An object of class '\(binding.info.name)' was added")
        if policy != .error, binding.info.primaryKey == nil {
            misuse("'\(binding.info.name)' has no primary key to update by; add its objects without `update:`")
        }
        if object.isManaged { return checkOwnership(of: object) }
        if isBroken { return }
        var adding = Adding(self, policy, given: [:])
        adding.add(object, binding)
    }

    /// Creates an object from untyped values. An unmanaged one comes back where they cannot be stored.
    func create(_ type: ObjectBase.Type, _ value: Any, _ policy: Realm.UpdatePolicy) -> ObjectBase {
        checkIsWriting("An object of class '\(type.className())' was created")
        let binding = binding(for: type)
        if policy != .error, binding.info.primaryKey == nil {
            misuse("'\(binding.info.name)' has no primary key to update by; create its objects without `update:`")
        }
        if policy != .error, let object = value as? ObjectBase, object.context === self, object.binding === binding {
            return object
        }
        let object = type.init()
        if isBroken { return object }
        var assignment = Assignment(realm: self)
        do {
            try assignment.assign(value, to: object)
        } catch {
            poison(error)
            return type.init()
        }
        var adding = Adding(self, policy, given: policy == .error ? [:] : assignment.given)
        adding.add(object, binding)
        return object
    }
}
