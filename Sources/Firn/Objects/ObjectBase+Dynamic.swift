import FirnStore

extension ObjectBase {
    /// The property named `key`, by its Swift or its column name.
    ///
    /// Traps where the class has no such property. Setting a value that does not fit poisons the write transaction; on
    /// an unmanaged object it is an error that `Realm.add` reports.
    public final subscript(key: String) -> Any? {
        get {
            if let dynamic = self as? DynamicObject {
                guard let context else { return dynamic[unmanaged: key] }
                context.checkConfinement(for: self)
                let here = context.here
                here.synchronizePlain()
                let value = untypedValue(of: property(key))
                // A value of any type may be an object of a class that the realm has.
                return (value as? Object).map { here.dynamicObject($0) } ?? value
            }
            return incomingLinks(key) ?? untypedValue(of: property(key))
        }
        set {
            if let dynamic = self as? DynamicObject, !isManaged {
                dynamic[unmanaged: key] = newValue
            } else {
                setUntyped(newValue, of: property(key))
            }
        }
    }

    /// The property named `key`: see `subscript(key:)`.
    public final func value(forKey key: String) -> Any? {
        self[key]
    }

    /// Sets the property named `key`: see `subscript(key:)`.
    public final func setValue(_ value: Any?, forKey key: String) {
        self[key] = value
    }

    /// What a dotted path of properties leads to; nil where something on the way is nil.
    ///
    /// Through a collection it gives the array of what the elements have. `@count`, `@sum`, `@min`, `@max` and `@avg` stand
    /// before what they are of: `dogs.@avg.age`. Traps for an unknown property.
    public final func value(forKeyPath keyPath: String) -> Any? {
        KeyedValue.value(keyPath) { key in key == "self" ? self : self[key] }
    }

    /// What is known of the object's class.
    final var classInfo: ClassInfo {
        isManaged ? binding.info : ClassInfo.of(type(of: self))
    }

    private final func property(_ name: String) -> PropertyInfo {
        let info = classInfo
        guard let property = info.property(name) else {
            misuse(
                "'\(info.name)' has no persisted property '\(name)'; it has "
                    + info.properties.map(\.name).joined(separator: ", "))
        }
        return property
    }

    /// The links of other objects that a property of this one shows; nil for any other property.
    private final func incomingLinks(_ name: String) -> Any? {
        let links = classInfo.incomingLinks
        guard let index = links.firstIndex(where: { $0.name == name }) else { return nil }
        if isManaged { return links[index].field.untyped(LinkingHandle(owner: self, index: index)) }
        return withExtendedLifetime(self) { () -> Any in
            links[index].field.untyped(at: links[index].address(in: self))
        }
    }

    final func untypedValue(of property: PropertyInfo) -> Any? {
        guard let slot = slot(of: property) else {
            return withExtendedLifetime(self) { property.field.untyped(at: property.address(in: self)) }
        }
        return property.field.untyped(self, slot: slot)
    }

    /// The property as a record holds it.
    final func storedValue(of property: PropertyInfo) -> StoredValue {
        guard let slot = slot(of: property) else {
            return withExtendedLifetime(self) { property.storedValue(in: self) }
        }
        if property.isPlain { return property.storedValue(in: self) }
        return withRecord { $0.connection.value($1, slot) }
    }

    private final func setUntyped(_ value: Any?, of property: PropertyInfo) {
        var value = value ?? (Optional<Any>.none as Any)
        if let slot = slot(of: property) {
            if let context, let dynamic = self as? DynamicObject {
                checkIsWriting(slot)
                guard let form = context.dynamicForm(of: value, for: slot, of: dynamic) else { return }
                value = form
            }
            if !property.field.assign(value, to: self, slot: slot) {
                poisonWrite(.unfitting(value, property, of: classInfo.name), slot)
            }
            if binding.info.isDynamic { context?.refillPlain() }
        } else {
            let error = Realm.Error.unfitting(value, property, of: classInfo.name)
            withExtendedLifetime(self) {
                if !property.assign(value, in: self) { attachment = Defect(error) }
            }
        }
    }

    private final func poisonWrite(_ error: Realm.Error, _ slot: Int) {
        checkIsWriting(slot)
        context?.poison(error)
    }

    /// Traps where a managed object's property cannot be set now.
    final func checkIsWriting(_ slot: Int) {
        guard let context else { return }
        context.checkConfinement(for: self)
        context.checkIsWriting("\(binding.info.name).\(binding.propertyName(slot)) was set", "set it")
    }

    /// The slot of a property, nil while unmanaged.
    private final func slot(of property: PropertyInfo) -> Int? {
        guard isManaged, let index = binding.info.index(of: property.name) else { return nil }
        return binding.slots[index]
    }
}
