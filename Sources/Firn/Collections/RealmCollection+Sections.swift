extension RealmCollection {
    // MARK: Objects

    /// The objects in sections, one for each value of a property; sorted by it, and in ascending order unless told otherwise.
    ///
    /// The key path may also lead to a property that is computed from a persisted one, by which the objects are then sorted:
    ///
    ///     class Contact: Object {
    ///         @Persisted var name: String
    ///         var initial: String { String(name.prefix(1)) }
    ///     }
    ///     let contacts = realm.objects(Contact.self).sectioned(by: \.initial)
    ///
    /// Traps for a property that is an object or a collection, and for a collection that no realm has.
    public func sectioned<Key: _Persistable & Hashable>(
        by keyPath: KeyPath<Element, Key>, ascending: Bool = true
    ) -> SectionedResults<Key, Element> where Element: ObjectBase {
        sectioned(sortDescriptors: [SortDescriptor(keyPath: keyPath, ascending: ascending)]) { $0[keyPath: keyPath] }
    }

    /// The objects in sections, one for each value of a property: see `sectioned(by:ascending:)`.
    ///
    /// The first sort descriptor must be by the key path. Traps for another one, and for none.
    public func sectioned<Key: _Persistable & Hashable>(
        by keyPath: KeyPath<Element, Key>, sortDescriptors: [SortDescriptor]
    ) -> SectionedResults<Key, Element> where Element: ObjectBase {
        let name = SortDescriptor(keyPath: keyPath).keyPath
        guard let first = sortDescriptors.first, first.keyPath == name else {
            misuse(
                "'\(Element.className())' was sectioned by '\(name)' and sorted by "
                    + "\(sortDescriptors.first.map { "'\($0.keyPath)'" } ?? "nothing"); sort by '\(name)' first")
        }
        return sectioned(sortDescriptors: sortDescriptors) { $0[keyPath: keyPath] }
    }

    /// The objects in sections, one for each key that a function gives; sorted by at least one sort descriptor.
    ///
    ///     let contacts = realm.objects(Contact.self).sectioned(by: { $0.name.first.map(String.init) }, sortDescriptors: ["name"])
    ///
    /// The function must give the same key as long as nothing in the realm changes. Traps for an empty array, for a key that is an
    /// object or a collection, and for a collection that no realm has.
    public func sectioned<Key: _Persistable & Hashable>(
        by key: @escaping (Element) -> Key, sortDescriptors: [SortDescriptor]
    ) -> SectionedResults<Key, Element> where Element: ObjectBase {
        sectioned(sortDescriptors: sortDescriptors, key)
    }

    // MARK: Values

    /// The values in sections, one for each key that a function gives; sorted.
    ///
    /// Traps for a key that is an object or a collection, and for a collection that no realm has.
    public func sectioned<Key: _Persistable & Hashable>(
        by key: @escaping (Element) -> Key, ascending: Bool = true
    ) -> SectionedResults<Key, Element> where Element.PersistedType: SortableType {
        sectioned(sortDescriptors: [SortDescriptor(keyPath: "self", ascending: ascending)], key)
    }

    /// The elements in sections, one for each key that a function gives: the form to which all others come down.
    public func sectioned<Key: _Persistable & Hashable>(
        sortDescriptors: [SortDescriptor], _ key: @escaping (Element) -> Key
    ) -> SectionedResults<Key, Element> {
        guard !sortDescriptors.isEmpty else {
            misuse(
                "A \(Self.self) was sectioned without a sort descriptor; give at least one, so that sections have an order"
            )
        }
        return SectionedResults(managedSource("sectioned").sorted(by: sortDescriptors), key)
    }
}
