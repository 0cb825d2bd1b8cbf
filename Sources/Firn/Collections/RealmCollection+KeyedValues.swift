extension RealmCollection {
    /// The array of what the elements have under a key, nil included; `self` gives the elements.
    ///
    /// Traps where the elements have no such property.
    public func value(forKey key: String) -> Any? {
        value(forKeyPath: key)
    }

    /// The array of what a dotted key path leads to from each element; or a number: `@count`, and `@sum`, `@min`, `@max` and
    /// `@avg` of a property, as in `@avg.age`.
    ///
    /// Through a collection it gives an array of arrays. Traps for an unknown property.
    public func value(forKeyPath keyPath: String) -> Any? {
        if keyPath.hasPrefix("@") { return untypedResult(keyPath) }
        return untypedElements.map { KeyedValue.value(of: $0, keyPath) }
    }

    /// Sets a property of all objects: see `ObjectBase.setValue(_:forKey:)`.
    public func setValue(_ value: Any?, forKey key: String) {
        for element in untypedElements {
            guard let object = element as? ObjectBase else {
                misuse("The elements of a \(Self.self) have no property '\(key)' to set")
            }
            object.setValue(value, forKey: key)
        }
    }
}

extension RealmKeyedCollection {
    /// The value for a key; nil where there is none.
    public func value(forKey key: String) -> Any? {
        value(forKeyPath: key)
    }

    /// What a dotted key path leads to from the value for its first key; or of all values, as for a collection: `@count`,
    /// `@avg.age`, and `@allKeys` and `@allValues` too.
    public func value(forKeyPath keyPath: String) -> Any? {
        switch keyPath {
        case "@allKeys": keys.map(\._storedKey)
        case "@allValues": untypedElements
        case _ where keyPath.hasPrefix("@"): untypedResult(keyPath)
        default: KeyedValue.value(keyPath) { Key._key($0).flatMap { self[$0] }?._untypedElement() }
        }
    }

    /// Sets the value for a key; nil removes it. Traps for a value of another type.
    public func setValue(_ value: Any?, forKey key: String) {
        guard let typedKey = Key._key(key) else { misuse("'\(key)' is not a key of type \(Key.self)") }
        guard let value = value.flatMap(UntypedValue.unwrapped) else { return removeObject(for: typedKey) }
        guard let typedValue = Value._convertedElement(from: value) else {
            misuse("\(UntypedValue.describe(value)) was set for '\(key)' in a map of \(Value.self)")
        }
        updateValue(typedValue, forKey: typedKey)
    }
}
