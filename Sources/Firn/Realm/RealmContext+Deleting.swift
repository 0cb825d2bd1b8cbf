import FirnStore

extension RealmContext {
    /// Deletes an object's row. Links to it become nil.
    func delete(_ object: ObjectBase) {
        guard object.isManaged else {
            misuse(
                "An unmanaged object of class '\(type(of: object).className())' was deleted; only objects that were added to "
                    + "a realm can be")
        }
        checkIsWriting("An object of class '\(object.binding.info.name)' was deleted")
        checkOwnership(of: object)
        if isBroken { return }
        delete(object.binding, object.key)
        if !isBroken {
            object.isDead = true
            object.isDetached = true
        }
    }

    func delete(_ binding: TableBinding, _ key: ObjectKey) {
        if isBroken { return }
        do {
            try connection.delete(binding.table.id, key)
            openWrite?.deleted.insert(RowID(table: binding.table.id, key: key))
            binding.countDeletion()
        } catch {
            fail(error, "An object of class '\(binding.info.name)' was not deleted")
        }
    }

    /// Notes that tables have lost objects, and others with them the links to these.
    func noteDeletions(in tables: Set<TableID>) {
        for binding in bindingList where tables.contains(binding.table.id) {
            binding.countDeletion()
        }
    }

    /// Deletes the rows of all the realm's classes.
    func deleteAll() {
        checkIsWriting("All objects were deleted")
        for binding in bindingList where !isBroken && connection.count(binding.table.id) > 0 {
            deleteAll(of: binding)
        }
    }

    private func deleteAll(of binding: TableBinding) {
        let table = binding.table.id
        do {
            for key in connection.keys(in: table) {
                openWrite?.deleted.insert(RowID(table: table, key: key))
            }
            try connection.deleteAll(table)
            binding.countDeletion()
        } catch {
            fail(error, "The objects of class '\(binding.info.name)' were not deleted")
        }
    }
}
