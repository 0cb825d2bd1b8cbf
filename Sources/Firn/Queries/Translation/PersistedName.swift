import Foundation

/// Names persisted properties, as `PropertyTracer` does, but no properties that are computed from them.
enum PersistedName {
    /// The name of the persisted property that a key path leads to; nil where it leads to anything else.
    ///
    /// A property that is computed from one persisted property looks like that one to the tracer. It is told apart by its type, or by
    /// what it makes of a sample.
    static func of(_ keyPath: AnyKeyPath, in type: ObjectBase.Type, _ valueType: Any.Type) -> String? {
        guard let name = PropertyTracer.name(of: keyPath, in: type) else { return nil }
        let info = ClassInfo.of(type)
        if info.incomingLinks.contains(where: { $0.name == name }) { return name }
        guard let property = info.property(name), property.persistable == valueType else { return nil }
        guard let sample = sample(of: valueType) else { return name }
        let object = type.init()
        object.setValue(sample, forKey: name)
        return object[keyPath: keyPath] as? AnyHashable == sample ? name : nil
    }

    /// A value of the types that properties are mostly computed from.
    private static func sample(of type: Any.Type) -> AnyHashable? {
        switch type {
        case is String.Type, is String?.Type: "sample"
        case is Bool.Type, is Bool?.Type: true
        case is Int.Type, is Int?.Type: 1
        case is Double.Type, is Double?.Type: 1.5
        default: nil
        }
    }
}
