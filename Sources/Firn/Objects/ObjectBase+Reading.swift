import CThreadIdentity
import FirnStore

extension ObjectBase {
    /// Lends the row's record, which is good until `body` returns. `body` runs no user code.
    ///
    /// The realm is the object's own. On another thread, where a frozen object may be read, `body` reads no more through it than
    /// what the record says, and blobs; for anything else it asks the realm for `here`. Traps on another thread where the object is
    /// live, and when the row is gone.
    @inline(__always)
    final func withRecord<R>(_ body: (RealmContext, RecordView) -> R) -> R {
        guard let hotContext else { misuse("A property of an object that is no longer managed was read") }
        // SAFETY: `context` keeps the realm alive as long as `hotContext` is set.
        return hotContext._withUnsafeGuaranteedRef { context in
            if context.threadToken == firn_thread_token(), stamp == context.connection.stamp, let record {
                return body(context, RecordView(record))
            }
            return body(context, currentRecord(context))
        }
    }

    /// Finds the record again: the pointer is stale, or the realm is confined to a queue, or frozen.
    @inline(never)
    private final func currentRecord(_ context: RealmContext) -> RecordView {
        context.checkConfinement(for: self)
        if let record, stamp == context.connection.stamp { return RecordView(record) }
        guard let found = locate(in: context) else {
            if context.isBroken, birth == context.writeSerial { return RealmContext.emptyRecord }
            misuse(
                "An object of class '\(binding.info.name)' (\(keyDescription)) has been deleted or invalidated, and a "
                    + "property of it was used; ask `isInvalidated` before you use an object that may be gone")
        }
        return found
    }

    /// The record at the realm's version, or nil where the row is gone. The thread has been checked.
    final func locate(in context: RealmContext) -> RecordView? {
        guard isItself(in: context) else { return nil }
        let stamp = context.connection.stamp
        guard let found = context.connection.record(binding.table.id, key) else {
            // A write that has broken down hides rows that are not gone.
            if !context.isBroken { isDead = true }
            return nil
        }
        record = found.base
        self.stamp = stamp
        return found
    }

    /// Whether this accessor still stands for the row with its key.
    final func isItself(in context: RealmContext) -> Bool {
        if isDead { return false }
        if epoch == context.identity.epoch { return true }
        guard context.identity.isValid(self) else {
            isDead = true
            return false
        }
        epoch = context.identity.epoch
        return true
    }

    /// The realm's view of the object's class. The object is managed.
    final var binding: TableBinding {
        @inline(__always) get {
            guard let hotBinding else { misuse("An unmanaged object was used as a managed one") }
            // SAFETY: the realm owns the binding, and `context` the realm.
            return hotBinding._withUnsafeGuaranteedRef { $0 }
        }
    }

    /// Lends the realm's view of the object's class, as `binding` for what is done often: it counts no reference.
    @inline(__always)
    final func withBinding<R>(_ body: (TableBinding) -> R) -> R {
        guard let hotBinding else { misuse("An unmanaged object was used as a managed one") }
        // SAFETY: as in `binding`.
        return hotBinding._withUnsafeGuaranteedRef { body($0) }
    }

    /// Whether the object is one of a class in the realm whose view of that this is. Counts no references.
    @inline(__always)
    final func isBound(to binding: TableBinding) -> Bool {
        hotBinding?.toOpaque() == Unmanaged.passUnretained(binding).toOpaque()
    }

    /// Whether the object belongs to a realm, or did.
    final var isManaged: Bool { hotContext != nil }

    @usableFromInline
    final func _readInteger(_ slot: Int) -> Int64 {
        withRecord { $1.int64(slot) }
    }

    @usableFromInline
    final func _readOptionalInteger(_ slot: Int) -> Int64? {
        withRecord { $1.isNull(slot) ? nil : $1.int64(slot) }
    }

    /// The object that a link leads to.
    final func readLink(_ slot: Int) -> ObjectBase? {
        let (context, target) = withRecord { ($0.here, $1.isNull(slot) ? nil : $1.link(slot)) }
        guard let target, let binding = binding.targets[slot] else { return nil }
        return context.makeObject(context.own(binding), key: target)
    }

    @usableFromInline
    final func _trapUnknownCase(_ raw: Any, of type: Any.Type, _ slot: Int) -> Never {
        misuse(
            "\(binding.info.name).\(binding.propertyName(slot)) holds \(UntypedValue.describe(raw)), which no case of "
                + "\(type) has; make the property optional to read such values as nil, or give objects from before it was added a "
                + "value: `results.setValue(value, forKey: \"\(binding.propertyName(slot))\")` in a write")
    }

    /// Which object of its class it is, as messages name it.
    final var keyDescription: String {
        isManaged && binding.table.usesIntegerKey ? "primary key \(integer(ofObjectKey: key))" : "row \(key)"
    }
}
