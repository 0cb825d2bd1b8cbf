import FirnStore

extension Realm {
    /// Deletes an object, its embedded objects, and what its properties cascade to (`DeleteRule`).
    ///
    /// Links to what goes are taken away: a property becomes nil, lists and sets lose the element, a map keeps the key with
    /// nil. Other views of what goes are invalidated. Where a rule denies the deletion, nothing is deleted, and the write
    /// transaction throws the refusal at its end.
    ///
    /// Traps outside a write transaction, for an unmanaged object, one of another realm, and one that is deleted.
    public func delete(_ object: ObjectBase) {
        context.delete([object])
    }

    /// Deletes the objects of a sequence, judged together: see `delete(_:)` of an object.
    public func delete<S: Sequence>(_ objects: S) where S.Element: ObjectBase {
        context.delete(Array(objects))
    }

    /// Deletes all objects that results have now, judged together: see `delete(_:)` of an object.
    public func delete<Element: ObjectBase>(_ objects: Results<Element>) {
        guard let binding = objects.source.binding else { return }
        context.checkIsWriting("Results of class '\(binding.info.name)' were deleted")
        guard objects.source.context === context else {
            misuse("Results of another realm were deleted; ask this realm for the objects")
        }
        context.delete(objects.source.allKeys().map { RowID(table: binding.table.id, key: $0) }, of: binding)
    }

    /// Deletes all objects of a list, judged together, which empties it: see `delete(_:)` of an object.
    public func delete<Element: ObjectBase & RealmCollectionValue>(_ list: List<Element>) {
        switch list.state {
        case .managed(let handle):
            context.deleteObjects(of: handle)
        case .unmanaged:
            context.delete(Array(list))
            list.removeAll()
        }
    }

    /// Deletes all objects of a set, judged together, which empties it: see `delete(_:)` of an object.
    public func delete<Element: ObjectBase & RealmCollectionValue>(_ set: MutableSet<Element>) {
        switch set.state {
        case .managed(let handle):
            context.deleteObjects(of: handle)
        case .unmanaged:
            context.delete(Array(set))
            set.removeAll()
        }
    }

    /// Deletes all objects of a map, judged together, and empties it: see `delete(_:)` of an object.
    public func delete<Key: _MapKey, Value: ObjectBase & RealmCollectionValue & _OptionalPersistable>(
        _ map: Map<Key, Value?>
    ) {
        switch map.state {
        case .managed(let handle):
            context.deleteObjects(of: handle)
        case .unmanaged(let values):
            context.delete(values.values.compactMap { $0 })
            map.removeAll()
        }
    }

    /// Deletes all objects of the realm's classes, judged together. Objects of other classes in the file stay.
    public func deleteAll() {
        context.deleteAll()
    }
}
