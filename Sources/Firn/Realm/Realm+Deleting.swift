extension Realm {
    /// Deletes an object. Links to it become nil, and other views of it are invalidated.
    ///
    /// Traps outside a write transaction, for an unmanaged object, one of another realm, and one that is deleted.
    public func delete(_ object: ObjectBase) {
        context.checkConfinement()
        context.delete(object)
    }

    /// Deletes each object of a sequence: see `delete(_:)`.
    public func delete<S: Sequence>(_ objects: S) where S.Element: ObjectBase {
        context.checkConfinement()
        for object in objects {
            context.delete(object)
        }
    }

    /// Deletes all objects that results have now.
    public func delete<Element: ObjectBase>(_ objects: Results<Element>) {
        context.checkConfinement()
        guard let binding = objects.source.binding else { return }
        context.checkIsWriting("Results of class '\(binding.info.name)' were deleted")
        guard objects.source.context === context else {
            misuse("Results of another realm were deleted; ask this realm for the objects")
        }
        for key in objects.source.allKeys() {
            context.delete(binding, key)
        }
    }

    /// Deletes all objects of the realm's classes. Objects of other classes in the file stay.
    public func deleteAll() {
        context.checkConfinement()
        context.deleteAll()
    }
}
