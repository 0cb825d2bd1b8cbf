import FirnStore

extension RealmContext {
    /// Adds an unmanaged object and what it links to. A refused one stays unmanaged, and poisons the write.
    func add(_ object: ObjectBase, _ policy: Realm.UpdatePolicy) {
        let binding = binding(for: type(of: object))
        checkIsWriting("An object of class '\(binding.info.name)' was added")
        if policy != .error, binding.info.primaryKey == nil {
            misuse("'\(binding.info.name)' has no primary key to update by; add its objects without `update:`")
        }
        if object.isManaged { return checkOwnership(of: object) }
        if isBroken { return }
        var adding = Adding(self, policy, given: [:])
        adding.add(object, binding)
    }

    /// Creates an object from untyped values. An unmanaged one comes back where they cannot be stored.
    func create(_ type: ObjectBase.Type, _ value: Any, _ policy: Realm.UpdatePolicy) -> ObjectBase {
        checkIsWriting("An object of class '\(type.className())' was created")
        let binding = binding(for: type)
        if policy != .error, binding.info.primaryKey == nil {
            misuse("'\(binding.info.name)' has no primary key to update by; create its objects without `update:`")
        }
        if policy != .error, let object = value as? ObjectBase, object.context === self, object.binding === binding {
            return object
        }
        let object = type.init()
        if isBroken { return object }
        var assignment = Assignment(realm: self)
        do {
            try assignment.assign(value, to: object)
        } catch {
            poison(error)
            return type.init()
        }
        var adding = Adding(self, policy, given: policy == .error ? [:] : assignment.given)
        adding.add(object, binding)
        return object
    }
}

/// One call of `add` or `create`: inserts the unmanaged objects that can be reached from one, linked ones first.
///
/// Not recursive, so that a chain of any length can be added. A link that closes a cycle is set when both its ends
/// have keys.
private struct Adding {
    private let context: RealmContext
    private let policy: Realm.UpdatePolicy
    /// The properties that `create` was given, by object; all where an object is not listed.
    private let given: [ObjectIdentifier: Set<Int>]

    private var frames: [Frame] = []
    private var inProgress: Set<ObjectIdentifier> = []
    private var openLinks: [(from: ObjectBase, slot: Int, to: ObjectBase)] = []

    private struct Frame {
        let object: ObjectBase
        let binding: TableBinding
        /// The row that stands in the link through which this object was reached.
        let linkedKey: ObjectKey?
        var nextLink = 0
    }

    init(_ context: RealmContext, _ policy: Realm.UpdatePolicy, given: [ObjectIdentifier: Set<Int>]) {
        self.context = context
        self.policy = policy
        self.given = given
    }

    mutating func add(_ root: ObjectBase, _ binding: TableBinding) {
        if isLinkedToManagedOnly(root, binding) { return store(root, binding, linkedKey: nil) }
        push(root, binding, linkedKey: nil)
        while let frame = frames.last {
            guard frame.nextLink < frame.binding.info.links.count else {
                frames.removeLast()
                store(frame.object, frame.binding, linkedKey: frame.linkedKey)
                continue
            }
            frames[frames.count - 1].nextLink += 1
            follow(frame, frame.binding.info.links[frame.nextLink])
        }
        for link in openLinks where link.from.isManaged && link.to.isManaged {
            set(link.from.binding, link.from.key, link.slot, .link(link.to.key))
        }
    }

    /// Whether the object can be stored at once, which is the usual case.
    private func isLinkedToManagedOnly(_ object: ObjectBase, _ binding: TableBinding) -> Bool {
        for index in binding.info.links {
            let property = binding.info.properties[index]
            guard let target = property.field.linkedObject(at: property.address(in: object)) else { continue }
            guard target.isManaged else { return false }
            context.checkOwnership(of: target)
        }
        return true
    }

    private mutating func push(_ object: ObjectBase, _ binding: TableBinding, linkedKey: ObjectKey?) {
        inProgress.insert(ObjectIdentifier(object))
        frames.append(Frame(object: object, binding: binding, linkedKey: linkedKey))
    }

    /// Looks at one link of an object: its target must be stored before.
    private mutating func follow(_ frame: Frame, _ propertyIndex: Int) {
        let property = frame.binding.info.properties[propertyIndex]
        let slot = frame.binding.slots[propertyIndex]
        guard let target = property.field.linkedObject(at: property.address(in: frame.object)) else { return }
        if target.isManaged { return context.checkOwnership(of: target) }
        guard let binding = frame.binding.targets[slot], type(of: target) == binding.info.type else {
            return context.poison(
                Realm.Error(
                    .invalidInput,
                    "\(frame.binding.info.name).\(property.name) links to objects of class "
                        + "'\(property.shape.target?.className() ?? property.typeName)', not of its subclass "
                        + "'\(type(of: target).className())'"))
        }
        if inProgress.contains(ObjectIdentifier(target)) {
            openLinks.append((frame.object, slot, target))
        } else {
            push(target, binding, linkedKey: linkedKey(frame, slot, binding))
        }
    }

    /// The row to update in place of an object without primary key, which `.modified` does.
    private func linkedKey(_ frame: Frame, _ slot: Int, _ target: TableBinding) -> ObjectKey? {
        guard policy == .modified, target.info.primaryKey == nil else { return nil }
        guard let key = existingKey(frame.object, frame.binding, frame.linkedKey),
            let record = context.connection.record(frame.binding.table.id, key), !record.isNull(slot)
        else { return nil }
        return record.link(slot)
    }

    private func existingKey(_ object: ObjectBase, _ binding: TableBinding, _ linkedKey: ObjectKey?) -> ObjectKey? {
        guard policy != .error else { return nil }
        guard let primaryKey = binding.info.primaryKey else { return linkedKey }
        return context.connection.find(
            binding.table.id, primaryKey: primaryKey.storedValue(in: object))
    }

    /// Inserts or updates the object's row, and makes the object its live view.
    private mutating func store(_ object: ObjectBase, _ binding: TableBinding, linkedKey: ObjectKey?) {
        // A link may have led here twice, or the write may have broken down on the way.
        if object.isManaged || context.isBroken { return }
        if let defect = object.attachment as? Defect { return context.poison(defect.error) }
        // All values first: making a default runs the user's code, which may use the realm.
        var values = context.scratch
        context.scratch = []
        defer {
            values.removeAll(keepingCapacity: true)
            context.scratch = values
        }
        for property in binding.info.properties {
            values.append(property.storedValue(in: object))
        }
        let existing = existingKey(object, binding, linkedKey)
        if existing != nil, let value = values.first(where: { $0.variableByteCount > valueByteLimit }) {
            // Before any other value is set: what is refused changes nothing.
            return context.fail(
                .valueTooLarge(value.variableByteCount), "An object of class '\(binding.info.name)' was not updated")
        }
        guard let key = existing ?? insert(binding, values) else { return }
        if existing != nil {
            if binding.info.isPlain { context.writePlainChanges(RowID(table: binding.table.id, key: key)) }
            let given = given[ObjectIdentifier(object)]
            for (index, value) in values.enumerated()
            where binding.slots[index] != binding.primaryKeySlot && given?.contains(index) ?? true {
                set(binding, key, binding.slots[index], value)
            }
        }
        context.bind(object, binding, key: key)
        object.isAddedInWrite = true
        context.openWrite?.hasAdded = true
        if binding.info.isPlain { context.adoptPlain(object) }
        // A chain of objects that own each other would be freed recursively.
        for index in binding.info.links {
            let property = binding.info.properties[index]
            property.field.discard(at: property.address(in: object))
        }
    }

    private func insert(_ binding: TableBinding, _ values: [StoredValue]) -> ObjectKey? {
        let table = binding.table.id
        do {
            let key = try context.connection.insert(table) { writer in
                for source in binding.recipe {
                    switch source {
                    case .property(let index): writer.add(values[index])
                    case .constant(let value): writer.add(value)
                    }
                }
            }
            binding.rowChanges &+= 1
            note(RowID(table: table, key: key), binding)
            return key
        } catch {
            context.fail(error, "An object of class '\(binding.info.name)' was not added")
            return nil
        }
    }

    private func note(_ row: RowID, _ binding: TableBinding) {
        if !binding.table.usesIntegerKey {
            if context.openWrite?.firstNewKeys[row.table] == nil {
                context.openWrite?.firstNewKeys[row.table] = row.key
            }
        } else if context.openWrite?.deleted.contains(row) == true {
            context.identity.noteReuse(row)
        }
    }

    private func set(_ binding: TableBinding, _ key: ObjectKey, _ slot: Int, _ value: StoredValue) {
        if context.isBroken { return }
        do {
            try context.connection.set(binding.table.id, key, slot: slot, value)
            binding.columnChanges[slot] &+= 1
        } catch {
            context.fail(error, "\(binding.info.name).\(binding.propertyName(slot)) was not set")
        }
    }
}
