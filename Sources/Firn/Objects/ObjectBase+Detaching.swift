extension ObjectBase {
    /// A plain unmanaged copy with copies of all that it links to, to be edited without a write and saved later:
    ///
    ///     let draft = person.detached()
    ///     draft.name = "Ann"
    ///     try realm.write { realm.add(draft, update: .modified) }
    ///
    /// Each object is copied once, however many links lead to it, so that cycles stay cycles. Embedded objects are parts of their
    /// owner. Objects that are more than `depth` links away are left out: a link to one is nil, and lists, sets and maps are without
    /// it, so that saving such a copy takes these links away. Of an unmanaged object it is a copy as well. Costs reading all that is
    /// copied.
    ///
    /// Traps for a deleted object, for one of another thread, for a dynamic one, and where a value cannot be read.
    public final func detached(depth: Int = .max) -> Self {
        Self.detached([self], depth)[0]
    }

    fileprivate static func detached<Element: ObjectBase>(_ objects: [Element], _ depth: Int) -> [Element] {
        guard depth >= 0 else { misuse("An object was to be detached to depth \(depth); that cannot be negative") }
        for case let object as DynamicObject in objects {
            misuse(
                "A dynamic object of class '\(object.classInfo.name)' was detached, which has no type of its own to copy to"
            )
        }
        var assignment = Assignment(detachedTo: depth)
        do throws(Realm.Error) {
            return try assignment.detached(objects).map { unsafeDowncast($0, to: Element.self) }
        } catch {
            misuse("An object of class '\(objects[0].classInfo.name)' cannot be detached: \(error.message)")
        }
    }
}

extension Sequence where Element: ObjectBase {
    /// Unmanaged copies of the objects; what several of them link to is copied once. See `ObjectBase.detached(depth:)`.
    public func detached(depth: Int = .max) -> [Element] {
        ObjectBase.detached(Array(self), depth)
    }
}
