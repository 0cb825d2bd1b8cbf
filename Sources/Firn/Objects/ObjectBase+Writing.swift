import FirnStore

extension ObjectBase {
    /// Writes a value to the row of a managed object.
    ///
    /// A value that cannot be stored poisons the write. Traps outside a write, on another thread, and when the row is
    /// gone.
    final func write(_ value: StoredValue, _ slot: Int) {
        guard let context else { misuse("A property of an object that is no longer managed was set") }
        let binding = self.binding
        context.checkConfinement(for: self)
        context.checkIsWriting("\(binding.info.name).\(binding.propertyName(slot)) was set", "set it")
        if context.isBroken { return }
        guard isItself(in: context) else { trapDeleted(slot) }
        if slot == binding.primaryKeySlot {
            return checkPrimaryKey(value, context)
        }
        do {
            try context.connection.set(binding.table.id, key, slot: slot, value)
            context.noteChange(binding, slot)
        } catch {
            if error.code == .noSuchObject { trapDeleted(slot) }
            context.fail(
                error, "\(binding.info.name).\(binding.propertyName(slot)) (\(keyDescription)) was not set")
        }
    }

    @usableFromInline
    final func _writeInteger(_ value: Int64, _ slot: Int) {
        write(.int(value), slot)
    }

    @usableFromInline
    final func _writeOptionalInteger(_ value: Int64?, _ slot: Int) {
        write(value.map { .int($0) } ?? .null, slot)
    }

    /// Writes a link, adding its target first if that is unmanaged.
    final func writeLink(_ target: ObjectBase?, _ slot: Int) {
        guard let target else { return write(.null, slot) }
        guard let context else { misuse("A property of an object that is no longer managed was set") }
        context.checkConfinement(for: self)
        guard context.isWriting, !context.isBroken else { return write(.null, slot) }
        if let expected = binding.targets[slot], !expected.holds(target) {
            return context.poison(
                Realm.Error(
                    .invalidInput,
                    "\(binding.info.name).\(binding.propertyName(slot)) links to objects of class "
                        + "'\(expected.info.name)', not of its subclass '\(type(of: target).className())'"))
        }
        if !target.isManaged { context.add(target, .error) }
        guard target.isManaged else { return }
        context.checkOwnership(of: target)
        write(.link(target.key), slot)
    }

    private final func checkPrimaryKey(_ value: StoredValue, _ context: RealmContext) {
        let slot = binding.primaryKeySlot
        let current = withRecord { $0.connection.value($1, slot) }
        guard value != current else { return }
        context.poison(
            Realm.Error(
                .invalidInput,
                "\(binding.info.name).\(binding.propertyName(slot)) is the primary key and cannot change once the object "
                    + "is added; add a new object and delete this one"))
    }

    private final func trapDeleted(_ slot: Int) -> Never {
        misuse(
            "\(binding.info.name).\(binding.propertyName(slot)) of a deleted object (\(keyDescription)) was set; ask "
                + "`isInvalidated` before you use an object that may be gone")
    }
}
