import FirnStore

/// One call of `add` or `create`: inserts or updates the rows of the unmanaged objects that can be reached from one.
///
/// Linked objects come first, so that a row can link to theirs; a link that closes a cycle is set when both its ends have
/// keys. What records do not hold, collections above all, follows once every object has its row. Not recursive, so that a
/// chain of any length can be added.
struct Adding {
    let context: RealmContext
    let policy: Realm.UpdatePolicy
    /// The properties that `create` was given, by object; all where an object is not listed.
    let given: [ObjectIdentifier: Set<Int>]
    /// The objects whose collections are still to be written.
    var fillings: [Filling] = []
    /// What cascading properties linked to before they were updated.
    var replaced: [RowID] = []

    private var frames: [Frame] = []
    /// The links that are still to be followed, those of the last frame last.
    private var links: [Link] = []
    private var inProgress: Set<ObjectIdentifier> = []
    private var openLinks: [(from: ObjectBase, slot: Int, to: ObjectBase)] = []
    /// The rows without primary key that an object has been found for, to be updated in place.
    private var rowsInPlace: Set<RowID> = []

    /// An object that waits for those that it links to.
    private struct Frame {
        let object: ObjectBase
        let binding: TableBinding
        /// The row that stands in the link through which an object without primary key was reached.
        let linkedKey: ObjectKey?
        /// The row that will be updated.
        let row: ObjectKey?
        let firstLink: Int
    }

    private struct Link {
        let target: ObjectBase
        let propertyIndex: Int
        let place: Place
    }

    /// Where in its property a link stands.
    private enum Place {
        case position(Int)
        case key(String)
    }

    struct Filling {
        let object: ObjectBase
        let properties: [Int]
    }

    init(_ context: RealmContext, _ policy: Realm.UpdatePolicy, given: [ObjectIdentifier: Set<Int>]) {
        self.context = context
        self.policy = policy
        self.given = given
    }

    mutating func add(_ root: ObjectBase, _ binding: TableBinding) {
        if policy == .error { return addPart(root, binding) }
        context.connection.withKeptObjects {
            addPart(root, binding)
            context.deleteReplaced(replaced)
        }
    }

    /// Adds what is part of a larger call, whose concern it is what was replaced.
    mutating func addPart(_ root: ObjectBase, _ binding: TableBinding) {
        if isLinkedToManagedOnly(root, binding) {
            store(root, binding, linkedKey: nil)
        } else {
            addGraph(root, binding)
        }
        fill()
    }

    /// Has nothing that an update replaces take an object along: the call stores it, or links to it. An embedded one goes
    /// with its owner all the same.
    func keep(_ binding: TableBinding, _ key: ObjectKey) {
        if policy != .error, !binding.info.isEmbedded {
            context.connection.keep(RowID(table: binding.table.id, key: key))
        }
    }

    private func keepManaged(_ target: ObjectBase) {
        context.checkOwnership(of: target)
        keep(target.binding, target.key)
    }

    private mutating func addGraph(_ root: ObjectBase, _ binding: TableBinding) {
        push(root, binding, linkedKey: nil)
        while let frame = frames.last {
            guard links.count > frame.firstLink, let link = links.popLast() else {
                frames.removeLast()
                store(frame.object, frame.binding, linkedKey: frame.linkedKey)
                continue
            }
            follow(link, of: frame)
        }
        for link in openLinks where link.from.isManaged && link.to.isManaged {
            let isOfOneClass = link.from.binding.targets[link.slot] != nil
            let value: StoredValue =
                isOfOneClass
                ? .link(link.to.key) : .typedLink(table: link.to.binding.table.id.rawValue, key: link.to.key)
            set(link.from.binding, link.from.key, link.slot, value)
        }
    }

    /// Whether the object can be stored at once, which is the usual case.
    private func isLinkedToManagedOnly(_ object: ObjectBase, _ binding: TableBinding) -> Bool {
        var isManagedOnly = true
        for index in binding.info.links where isManagedOnly {
            let property = binding.info.properties[index]
            property.field.forEachLinkedObject(at: property.address(in: object)) { target in
                if target.isManaged { keepManaged(target) } else { isManagedOnly = false }
            }
        }
        return isManagedOnly
    }

    private mutating func push(_ object: ObjectBase, _ binding: TableBinding, linkedKey: ObjectKey?) {
        inProgress.insert(ObjectIdentifier(object))
        let row = existingKey(object, binding, linkedKey)
        if let row { keep(binding, row) }
        let firstLink = links.count
        for index in binding.info.links where row == nil || isGiven(object, index) {
            let property = binding.info.properties[index]
            let address = property.address(in: object)
            if row != nil, property.shape.collection == .map, property.shape.type == .link,
                let map = property.field.untyped(at: address) as? any AnyMap
            {
                for (key, value) in map.untypedEntries {
                    guard let target = UntypedValue.unwrapped(value) as? ObjectBase else { continue }
                    links.append(Link(target: target, propertyIndex: index, place: .key(key)))
                }
            } else {
                var position = 0
                property.field.forEachLinkedObject(at: address) { target in
                    links.append(Link(target: target, propertyIndex: index, place: .position(position)))
                    position += 1
                }
            }
        }
        links[firstLink...].reverse()
        frames.append(
            Frame(object: object, binding: binding, linkedKey: linkedKey, row: row, firstLink: firstLink))
    }

    /// Looks at one link of an object: its target must be stored before.
    private mutating func follow(_ link: Link, of frame: Frame) {
        let target = link.target
        if target.isManaged { return keepManaged(target) }
        let property = frame.binding.info.properties[link.propertyIndex]
        let slot = frame.binding.slots[link.propertyIndex]
        let expected = property.shape.target
        guard let binding = context.bindings[ObjectIdentifier(type(of: target))],
            expected == nil || expected == binding.info.type
        else { return context.poison(refusal(of: target, property, frame.binding.info)) }
        guard inProgress.contains(ObjectIdentifier(target)) else {
            return push(target, binding, linkedKey: rowInPlace(of: link, frame, binding))
        }
        if property.field.linkedObject(at: property.address(in: frame.object)) === target {
            openLinks.append((frame.object, slot, target))
        }
    }

    private func refusal(of target: ObjectBase, _ property: PropertyInfo, _ info: ClassInfo) -> Realm.Error {
        let name = type(of: target).className()
        guard let expected = property.shape.target else {
            return Realm.Error(
                .invalidInput,
                "\(info.name).\(property.name) links to an object of class '\(name)', which is not one of the realm's "
                    + "classes; add it to objectTypes")
        }
        return Realm.Error(
            .invalidInput,
            "\(info.name).\(property.name) links to objects of class '\(expected.className())', not of its subclass "
                + "'\(name)'")
    }

    /// The row to update in place of an object without primary key, which `.modified` does. None for two objects.
    private mutating func rowInPlace(of link: Link, _ frame: Frame, _ target: TableBinding) -> ObjectKey? {
        guard policy == .modified, target.info.primaryKey == nil, let key = frame.row else { return nil }
        let owner = RowID(table: frame.binding.table.id, key: key)
        let slot = frame.binding.slots[link.propertyIndex]
        let property = frame.binding.info.properties[link.propertyIndex]
        guard case .link(let key)? = storedLink(owner, slot, property.shape.collection, link.place) else { return nil }
        return rowsInPlace.insert(RowID(table: target.table.id, key: key)).inserted ? key : nil
    }

    private func storedLink(_ owner: RowID, _ slot: Int, _ kind: CollectionKind?, _ place: Place) -> StoredValue? {
        let collection = CollectionPlace(row: owner, slot: slot)
        switch (kind, place) {
        case (nil, _):
            return context.connection.record(owner.table, owner.key).map { context.connection.value($0, slot) }
        case (.list, .position(let position)):
            guard position < context.connection.count(collection) else { return nil }
            return context.connection.listElement(collection, at: position)
        case (.map, .key(let key)):
            return context.connection.mapValue(collection, key)
        default:
            return nil
        }
    }

    /// The row that adding an object updates.
    func existingKey(_ object: ObjectBase, _ binding: TableBinding, _ linkedKey: ObjectKey?) -> ObjectKey? {
        guard policy != .error else { return nil }
        guard let primaryKey = binding.info.primaryKey else { return linkedKey }
        return context.connection.find(
            binding.table.id, primaryKey: primaryKey.storedValue(in: object))
    }

    /// Whether an object that updates a row says what its property is to be.
    func isGiven(_ object: ObjectBase, _ propertyIndex: Int) -> Bool {
        given[ObjectIdentifier(object)]?.contains(propertyIndex) ?? true
    }
}
