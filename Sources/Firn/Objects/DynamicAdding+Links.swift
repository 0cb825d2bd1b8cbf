import FirnStore

/// What an object's values lead to.
extension DynamicAdding {
    mutating func linkable(_ value: Any, _ target: Target) throws(Realm.Error) -> Any {
        guard UntypedValue.unwrapped(value) != nil else { return value }
        switch target.column.collection {
        case .list, .set:
            guard let elements = UntypedValue.untypedElements(value) else { return value }
            var forms: [Any] = []
            for (position, element) in elements.enumerated() {
                forms.append(try form(of: element, target, .position(position)))
            }
            return forms
        case .map:
            guard let entries = UntypedValue.untypedEntries(value) else { return value }
            var forms: [String: Any] = [:]
            for (key, value) in entries { forms[key] = try form(of: value, target, .key(key)) }
            return forms
        case nil: return try form(of: value, target, .single)
        }
    }

    /// A single value, or an element, in the form that the column takes.
    private mutating func form(of value: Any, _ target: Target, _ place: Place) throws(Realm.Error) -> Any {
        guard let present = UntypedValue.unwrapped(value) else { return value }
        switch target.column.type {
        case .link:
            guard let linked = target.object.binding.targets[target.column.slot] else { return value }
            return try link(present, linked, target, place)
        case .any: return try object(inAny: present) ?? value
        // A Codable value stores itself.
        case .coded: return value
        // All that a dynamic object knows of a type of the program's own is what is stored for it.
        default: return UntypedValue.persisted(present)
        }
    }

    /// The object that a value of any type is, as one of this realm; nil for any other value.
    private mutating func object(inAny value: Any) throws(Realm.Error) -> Any? {
        var value = value
        if case .object(let object)? = value as? AnyRealmValue { value = object }
        guard let object = value as? Object else { return nil }
        if object.context === context { return kept(object) }
        let name = object.classInfo.name
        guard !(object is DynamicObject && !object.isManaged),
            let linked = context.connection.schema[name].flatMap({ context.dynamicBinding(for: $0.id) })
        else { return nil }
        return try madeObject(from: object, linked)
    }

    /// An object of the realm that the call links to, as a dynamic one.
    private func kept(_ object: ObjectBase) -> DynamicObject {
        let object = context.dynamicObject(object)
        if policy != .error, !object.binding.info.isEmbedded {
            context.connection.keep(RowID(table: object.binding.table.id, key: object.key))
        }
        return object
    }

    /// The object for a value that is to be linked to; the value itself where the store refuses it.
    private mutating func link(
        _ value: Any, _ linked: TableBinding, _ target: Target, _ place: Place
    ) throws(Realm.Error) -> Any {
        let value = UntypedValue.persisted(value)
        if let object = value as? ObjectBase, mayLink(to: object, linked, target, place) { return kept(object) }
        return try madeObject(from: value, linked, inPlace: rowInPlace(target, place, linked))
    }

    /// The object that is made or updated for a value; the value itself where the store refuses it.
    private mutating func madeObject(
        from value: Any, _ linked: TableBinding, inPlace: ObjectKey? = nil
    ) throws(Realm.Error) -> Any {
        if let copy = Self.source(value).flatMap({ copies[$0] }), !linked.info.isEmbedded { return copy }
        // An embedded object is made as a row of its own, which the property then takes.
        guard !linked.info.isEmbedded, let known = context.binding(for: linked.table.id) else {
            return try object(from: value, linked, inPlace: inPlace) ?? value
        }
        let typed = try typedObject(from: value, known)
        guard typed.isManaged else { return typed }
        let object = context.dynamicObject(typed)
        if let source = Self.source(value) { copies[source] = object }
        return object
    }

    /// Whether a link can lead to the object as it is. An embedded one has its owner, so that creating another copies it.
    private func mayLink(to object: ObjectBase, _ linked: TableBinding, _ target: Target, _ place: Place) -> Bool {
        guard object.context === context else { return false }
        return !linked.info.isEmbedded || !copiesOwned || stored(target, place) == .link(object.key)
    }

    /// Adds a typed object of a class that the process knows.
    private mutating func typedObject(from value: Any, _ known: TableBinding) throws(Realm.Error) -> ObjectBase {
        var given: [ObjectIdentifier: Set<Int>] = [:]
        let object: ObjectBase
        if let typed = value as? ObjectBase, !typed.isManaged, known.holds(typed) {
            object = typed
        } else {
            object = known.info.type.init()
            var assignment = Assignment(realm: context)
            try assignment.assign(value, to: object)
            given = assignment.given
        }
        var adding = Adding(context, policy, given: policy == .error ? [:] : given)
        adding.addPart(object, known)
        replaced += adding.replaced
        return object
    }

    /// The row to update in place of an object without primary key, which `.modified` does. None for two objects.
    private mutating func rowInPlace(_ target: Target, _ place: Place, _ linked: TableBinding) -> ObjectKey? {
        guard policy == .modified, target.isUpdated, linked.info.primaryKey == nil,
            case .link(let key)? = stored(target, place)
        else { return nil }
        return rowsInPlace.insert(RowID(table: linked.table.id, key: key)).inserted ? key : nil
    }

    /// What stands in the link now.
    private func stored(_ target: Target, _ place: Place) -> StoredValue? {
        let collection = target.place
        switch (target.column.collection, place) {
        case (nil, _):
            return context.connection.record(collection.row.table, collection.row.key).map {
                context.connection.value($0, collection.slot)
            }
        case (.list, .position(let position)):
            guard position < context.connection.count(collection) else { return nil }
            return context.connection.listElement(collection, at: position)
        case (.map, .key(let key)): return context.connection.mapValue(collection, key)
        default: return nil
        }
    }

    static func source(_ value: Any) -> Source? {
        guard let object = UntypedValue.unwrapped(value) as? ObjectBase, let context = object.context else {
            return nil
        }
        return Source(
            realm: ObjectIdentifier(context), row: RowID(table: object.binding.table.id, key: object.key))
    }
}
