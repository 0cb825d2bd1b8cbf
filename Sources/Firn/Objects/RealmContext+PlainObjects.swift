import FirnStore
import Foundation

extension RealmContext {
    /// The one live object of a plain class's row.
    func plainObject(_ binding: TableBinding, key: ObjectKey) -> ObjectBase {
        let row = RowID(table: binding.table.id, key: key)
        if !isFrozen, let object = plainObjects.object(row), object.isItself(in: self) { return object }
        let object = binding.info.type.init()
        bind(object, binding, key: key)
        adoptPlain(object)
        return object
    }

    /// Fills an object that was just bound, and all others of its row, and keeps an eye on it.
    func adoptPlain(_ object: ObjectBase) {
        let row = RowID(table: object.binding.table.id, key: object.key)
        for other in plainObjects.objects(row) {
            fill(other)
        }
        fill(object)
        manageFields(of: object)
        // A frozen object is filled for good, and may be let go by any thread.
        if isFrozen { return }
        if isWriting, plainObjects.isFull {
            synchronizePlain()
            plainObjects.releaseUnused()
        }
        plainObjects.insert(object, row, isHeld: isWriting)
    }

    /// In a write, writes what has changed in plain objects; outside, makes sure that nothing has.
    ///
    /// Comes before whatever looks at rows or moves the realm.
    @inline(__always)
    func synchronizePlain() {
        if plainObjects.isEmpty { return }
        if isWriting {
            if !isBroken { writePlainChanges() }
        } else {
            checkPlainUnchanged()
        }
    }

    /// Takes over what the rows hold now.
    func refillPlain() {
        for object in plainObjects.all() {
            fill(object)
        }
    }

    /// Writes what has changed in the plain objects of one row, which is about to be written by other means.
    func writePlainChanges(_ row: RowID) {
        for object in plainObjects.objects(row) {
            writePlainChanges(in: object)
        }
    }

    private func writePlainChanges() {
        for object in plainObjects.all() {
            writePlainChanges(in: object)
        }
    }

    private func writePlainChanges(in object: ObjectBase) {
        let changes = changes(in: object)
        guard !changes.isEmpty, let state = object.attachment as? PlainState, object.locate(in: self) != nil else {
            return
        }
        for (index, value) in changes {
            let slot = object.binding.slots[index]
            if slot != object.binding.primaryKeySlot { state.values[index] = value }
            object.write(value, slot)
        }
        let row = RowID(table: object.binding.table.id, key: object.key)
        for other in plainObjects.objects(row) where other !== object || hasNewKey(changes, object) {
            fill(other)
        }
    }

    /// Whether a primary key is among the changes. It poisons the write, and goes back to what it was.
    private func hasNewKey(_ changes: [(index: Int, value: StoredValue)], _ object: ObjectBase) -> Bool {
        changes.contains { object.binding.slots[$0.index] == object.binding.primaryKeySlot }
    }

    private func checkPlainUnchanged() {
        for object in plainObjects.all() {
            guard let first = changes(in: object).first else { continue }
            let property = object.binding.info.properties[first.index]
            let message =
                "\(object.binding.info.name).\(property.name) (\(object.keyDescription)) was set outside of a write "
                + "transaction; set it in the block of realm.write { … }"
            // A plain property cannot trap when it is set. In a release build the stray value is dropped instead.
            #if DEBUG
            misuse(message)
            #else
            fill(object)
            Logger.shared.log(.error, message)
            #endif
        }
    }

    /// The properties whose fields differ from what they were filled with.
    private func changes(in object: ObjectBase) -> [(index: Int, value: StoredValue)] {
        guard let state = object.attachment as? PlainState else { return [] }
        return withExtendedLifetime(object) {
            var changes: [(index: Int, value: StoredValue)] = []
            for (index, property) in object.binding.info.properties.enumerated() where property.isPlain {
                let value = property.storedValue(in: object)
                if value != state.values[index] { changes.append((index, value)) }
            }
            return changes
        }
    }

    /// Fills an object's fields from its row, where there is one.
    private func fill(_ object: ObjectBase) {
        guard object.locate(in: self) != nil else { return }
        let state = object.attachment as? PlainState ?? PlainState()
        object.attachment = state
        withExtendedLifetime(object) {
            state.values = object.binding.info.properties.enumerated().map { index, property in
                guard property.isPlain else { return .null }
                property.field.load(property.address(in: object), from: object, slot: object.binding.slots[index])
                return property.storedValue(in: object)
            }
        }
    }

    /// Makes the `let` collections and boxes of an object that was just bound live.
    private func manageFields(of object: ObjectBase) {
        let binding = object.binding
        guard !binding.info.fillings.isEmpty || !binding.info.incomingLinks.isEmpty else { return }
        let accessor = makeAccessor(like: object)
        withExtendedLifetime(object) {
            for index in binding.info.fillings {
                let property = binding.info.properties[index]
                property.field.load(property.address(in: object), from: accessor, slot: binding.slots[index])
            }
            for (index, link) in binding.info.incomingLinks.enumerated() {
                link.field.manage(link.address(in: object), LinkingHandle(owner: accessor, index: index))
            }
        }
    }

    /// Another accessor of an object's row, which owns nothing: what hangs from the object may hold it.
    func makeAccessor(like object: ObjectBase) -> ObjectBase {
        let accessor = makeAccessor(object.binding, key: object.key)
        accessor.epoch = object.epoch
        accessor.birth = object.birth
        accessor.isAddedInWrite = object.isAddedInWrite
        accessor.record = object.record
        accessor.stamp = object.stamp
        return accessor
    }
}

extension ObjectBase {
    /// The field of a managed plain object's property.
    final func plainAddress(_ slot: Int) -> UnsafeMutableRawPointer {
        guard let index = binding.slots.firstIndex(of: slot) else {
            misuse("'\(binding.info.name)' has no property in slot \(slot)")
        }
        return binding.info.properties[index].address(in: self)
    }
}
