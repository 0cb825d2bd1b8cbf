import FirnStore

extension RealmContext {
    /// Deletes objects with all that goes with them, as one: see `DeleteRule`. A refusal poisons the write.
    func delete(_ objects: [ObjectBase]) {
        for object in objects {
            checkDeletable(object)
        }
        guard let first = objects.first, !isBroken else { return }
        let rows = objects.map { RowID(table: $0.binding.table.id, key: $0.key) }
        guard delete(rows, of: first.binding) else { return }
        for object in objects {
            object.isDead = true
            object.isDetached = true
        }
    }

    private func checkDeletable(_ object: ObjectBase) {
        guard object.isManaged else {
            misuse(
                "An unmanaged object of class '\(type(of: object).className())' was deleted; only objects that were added to "
                    + "a realm can be")
        }
        checkIsWriting("An object of class '\(object.binding.info.name)' was deleted")
        checkOwnership(of: object)
    }

    /// Deletes rows, as one. False where that is refused.
    @discardableResult
    func delete(_ rows: [RowID], of binding: TableBinding) -> Bool {
        if isBroken { return false }
        do {
            noteDeletions(in: try connection.delete(rows))
            return true
        } catch {
            fail(
                error, "\(rows.count == 1 ? "An object" : "Objects") of class '\(binding.info.name)' cannot be deleted")
            return false
        }
    }

    /// Deletes the objects of a collection, as one, and empties it.
    func deleteObjects(of handle: CollectionHandle) {
        let binding = handle.owner.binding
        checkIsWriting("The objects of \(binding.info.name).\(binding.propertyName(handle.slot)) were deleted")
        checkOwnership(of: handle.owner)
        guard let target = handle.target, !isBroken else { return }
        guard delete(connection.linkedRows(handle.place.row, slot: handle.slot), of: target) else { return }
        do {
            // A map has nil under its keys now.
            if connection.count(handle.place) > 0 { try connection.removeAll(handle.place) }
            noteChange(binding, handle.slot)
        } catch {
            fail(error, "\(binding.info.name).\(binding.propertyName(handle.slot)) was not emptied")
        }
    }

    /// Notes that a column has changed.
    @inline(__always)
    func noteChange(_ binding: TableBinding, _ slot: Int) {
        binding.columnChanges[slot] &+= 1
        // Embedded objects that went took others with them, which may be among anybody's results.
        if let target = binding.targets[slot], target.info.isEmbedded { generation &+= 1 }
    }

    /// Notes that tables have lost objects, and others with them the links to these.
    func noteDeletions(in tables: Set<TableID>) {
        for binding in bindingList where tables.contains(binding.table.id) {
            binding.countDeletion()
        }
    }

    /// Deletes the rows of all the realm's classes, as one. Embedded objects go with their owners, whose class may be none
    /// of the realm's.
    func deleteAll() {
        checkIsWriting("All objects were deleted")
        if isBroken { return }
        let bindings = bindingList.filter { !$0.info.isEmbedded && connection.count($0.table.id) > 0 }
        do {
            noteDeletions(in: try connection.deleteAll(bindings.map(\.table.id)))
        } catch {
            fail(error, "The realm's objects cannot be deleted")
        }
    }
}
