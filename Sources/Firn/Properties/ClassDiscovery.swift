import CSwiftMetadata

/// Finds the model classes of the process, without a list.
enum ClassDiscovery {
    /// Every class of the images loaded now that can hold objects, in order of name.
    ///
    /// Walks the type sections of all images: some hundred microseconds.
    static func modelClasses() -> [ObjectBase.Type] {
        let found = Found()
        withExtendedLifetime(found) {
            firn_enumerate_subclasses(
                { metadata, context in
                    guard let context else { return false }
                    // SAFETY: `found` outlives the walk, and the walk gives metadata of classes only.
                    let found = Unmanaged<Found>.fromOpaque(context).takeUnretainedValue()
                    if let type = unsafeBitCast(metadata, to: AnyClass.self) as? ObjectBase.Type {
                        found.types.append(type)
                    }
                    return true
                }, Unmanaged.passUnretained(found).toOpaque())
        }
        return found.types.filter { $0 != ObjectBase.self && $0 != Object.self && $0 != EmbeddedObject.self }
    }

    /// The classes that a realm opens when its configuration names none.
    static func defaultSchemaClasses() -> [ObjectBase.Type] {
        modelClasses().filter { $0.shouldIncludeInDefaultSchema() }
    }

    private final class Found {
        var types: [ObjectBase.Type] = []
    }
}
