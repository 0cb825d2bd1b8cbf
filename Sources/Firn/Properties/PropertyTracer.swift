/// Names the property that a key path leads to, by reading the key path on an object that takes note.
///
/// A key path to a class's property has no name on Linux. The fields of a tracing object hold their property's
/// index in place of a slot, so that the getter's cold path comes here.
final class PropertyTracer {
    private(set) var names: [String] = []

    /// The dotted name of a path of persisted properties, or nil where it leads through anything else.
    static func name<Root: ObjectBase>(of keyPath: PartialKeyPath<Root>) -> String? {
        name(of: keyPath, in: Root.self)
    }

    /// The dotted name of a path of persisted properties of a class, or nil where it leads through anything else.
    static func name(of keyPath: AnyKeyPath, in type: ObjectBase.Type) -> String? {
        let tracer = PropertyTracer()
        let object = type.init()
        tracer.attach(to: object)
        _ = object[keyPath: keyPath]
        return tracer.names.isEmpty ? nil : tracer.names.joined(separator: ".")
    }

    func attach(to object: ObjectBase) {
        object.attachment = self
        let info = ClassInfo.of(type(of: object))
        // A plain property's getter says nothing.
        if info.isPlain { return }
        for (index, property) in info.properties.enumerated() {
            // SAFETY: a Persisted field begins with its slot.
            property.address(in: object).storeBytes(of: firstTracedSlot - Int32(index), as: Int32.self)
        }
        for (index, link) in info.incomingLinks.enumerated() {
            let index = info.properties.count + index
            link.address(in: object).storeBytes(of: firstTracedSlot - Int32(index), as: Int32.self)
        }
    }

    func note(_ object: ObjectBase, _ propertyIndex: Int) {
        let info = ClassInfo.of(type(of: object))
        let linkIndex = propertyIndex - info.properties.count
        names.append(linkIndex < 0 ? info.properties[propertyIndex].name : info.incomingLinks[linkIndex].name)
    }
}

extension ObjectBase {
    /// Takes note of a property that a key path reads.
    ///
    /// Underscored and public for the inlined getter of `Persisted` only.
    public final func _trace(_ propertyIndex: Int) {
        (attachment as? PropertyTracer)?.note(self, propertyIndex)
    }

    /// Takes note of a link, and gives an object on which the rest of the path can be traced.
    final func traceLink(_ propertyIndex: Int, to type: ObjectBase.Type) -> ObjectBase? {
        guard let tracer = attachment as? PropertyTracer else { return nil }
        tracer.note(self, propertyIndex)
        let next = type.init()
        tracer.attach(to: next)
        return next
    }
}
