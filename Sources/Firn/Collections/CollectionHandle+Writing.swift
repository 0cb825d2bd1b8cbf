import CThreadIdentity
import FirnStore

extension CollectionHandle {
    /// The realm, for a change; nil where the store has given the write up, and changes do nothing. Traps outside a
    /// write, on another thread, and where the collection is gone.
    func checkedForChange() -> RealmContext? {
        guard let context = owner.context else { misuse("A collection that is no longer managed was changed") }
        context.checkConfinement(for: owner)
        context.checkIsWriting("\(name) was changed", "change it")
        return context.isBroken ? nil : checked()
    }

    /// Lends the realm for a change; does nothing where `checkedForChange` answers nil.
    @inline(__always)
    func withContextForChange(_ body: (RealmContext) -> Void) {
        guard let hotContext = owner.hotContext else { misuse("A collection that is no longer managed was changed") }
        // SAFETY: `context` keeps the realm alive as long as `hotContext` is set.
        hotContext._withUnsafeGuaranteedRef { context in
            let isChecked =
                context.threadToken == firn_thread_token() && owner.stamp == context.connection.stamp
                && owner.record != nil && context.isWriting && !context.isBroken && nestedID == nil
            if isChecked || checkedForChange() != nil { body(context) }
        }
    }

    /// Changes what is stored. An error poisons the write.
    func perform(
        _ context: RealmContext, _ change: (Connection, CollectionPlace) throws(StoreError) -> Void
    ) {
        if context.isBroken { return }
        do {
            try change(context.connection, place)
            owner.withBinding { context.noteChange($0, slot) }
        } catch {
            context.fail(error, "\(name) (\(owner.keyDescription)) was not changed")
        }
    }

    /// Changes what is stored, where nothing is to be stored first.
    func change(_ change: (Connection, CollectionPlace) throws(StoreError) -> Void) {
        guard let context = checkedForChange() else { return }
        perform(context, change)
    }

    /// Stores one value, as `store` does several. Without an array, but for values of any type.
    func store(
        _ form: _ElementForm, _ put: (Connection, CollectionPlace, StoredValue) throws(StoreError) -> Void
    ) {
        withContextForChange { context in
            switch form.form {
            case .stored(let value):
                perform(context) { connection, place throws(StoreError) in try put(connection, place, value) }
            case .object(let object):
                guard let link = context.link(to: object, target, for: self) else { return }
                perform(context) { connection, place throws(StoreError) in try put(connection, place, link) }
            default:
                guard let values = context.prepare(CollectionOfOne(form), for: self) else { return }
                store(values, context) { connection, place, values throws(StoreError) in
                    try put(connection, place, values[0])
                }
            }
        }
    }

    /// Stores values. What they hold is read, and unmanaged objects are added, before anything changes; a value that
    /// cannot be stored poisons the write instead.
    func store<Element: RealmCollectionValue>(
        _ elements: [Element],
        _ put: (Connection, CollectionPlace, [StoredValue]) throws(StoreError) -> Void
    ) {
        guard let context = checkedForChange(), let values = context.prepare(elements, for: self) else { return }
        store(values, context, put)
    }

    /// Stores values that were prepared.
    func store(
        _ values: PreparedValues, _ context: RealmContext,
        _ put: (Connection, CollectionPlace, [StoredValue]) throws(StoreError) -> Void
    ) {
        perform(context) { connection, place throws(StoreError) in
            try values.write(connection, place) { stored throws(StoreError) in try put(connection, place, stored) }
        }
    }
}
