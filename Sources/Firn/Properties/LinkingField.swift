/// A field of a model class that shows links of other objects, and has no column.
///
/// Callers take a field's address from the class's field list and keep its object alive while they use it.
protocol LinkingField {
    /// The class whose objects have the links.
    static var originType: ObjectBase.Type { get }
    /// Whether the field is a `Persisted`, which holds a slot once its object is managed.
    static var isWrapped: Bool { get }
    /// The property that has the links.
    static func originProperty(at field: UnsafeMutableRawPointer) -> String
    static func untyped(at field: UnsafeMutableRawPointer) -> Any
    /// The same for a managed object.
    static func untyped(_ handle: LinkingHandle) -> Any
    /// Makes a field that is no wrapper show the links to a managed object. The handle's owner does not hold the field.
    static func manage(_ field: UnsafeMutableRawPointer, _ handle: LinkingHandle)
}

extension Persisted: LinkingField where Value: LinkingField {
    static var originType: ObjectBase.Type { Value.originType }
    static var isWrapped: Bool { true }

    static func originProperty(at field: UnsafeMutableRawPointer) -> String {
        withValue(field) { Value.originProperty(at: $0) }
    }

    static func untyped(at field: UnsafeMutableRawPointer) -> Any {
        withValue(field) { Value.untyped(at: $0) }
    }

    static func untyped(_ handle: LinkingHandle) -> Any { Value.untyped(handle) }

    static func manage(_ field: UnsafeMutableRawPointer, _ handle: LinkingHandle) {}

    private static func withValue<R>(_ field: UnsafeMutableRawPointer, _ body: (UnsafeMutableRawPointer) -> R) -> R {
        // SAFETY: see `LinkingField`.
        var value = field.assumingMemoryBound(to: Self.self).pointee.materialized()
        return withUnsafeMutablePointer(to: &value) { body(UnsafeMutableRawPointer($0)) }
    }
}

/// A property that shows the links which a property of another class has to this one.
struct LinkInfo {
    /// The Swift name.
    let name: String
    /// Bytes from the object's address to the field.
    let offset: Int
    let field: any LinkingField.Type
    /// The property that has the links.
    let property: String

    /// What stands in a managed field in place of a slot is this and the property's index: no record has so many slots.
    static let firstSlot = 1 << 24

    var originType: ObjectBase.Type { field.originType }

    /// The field in `object`, which the caller keeps alive while it uses the pointer.
    func address(in object: ObjectBase) -> UnsafeMutableRawPointer {
        // SAFETY: the offset comes from the runtime's field list of the object's class.
        Unmanaged.passUnretained(object).toOpaque() + offset
    }

    /// What is wrong with the property of class `owner`; nil where nothing is.
    func problem(in owner: ClassInfo) -> String? {
        let origin = ClassInfo.of(originType)
        let subject = "\(owner.name).\(name) shows the links of "
        if property.isEmpty { return "\(subject)no property of '\(origin.name)'; write @Persisted(originProperty: …)" }
        guard let found = origin.property(property) else {
            return "\(subject)'\(origin.name).\(property)', which is no persisted property of that class"
        }
        guard found.shape.target == owner.type else {
            return "\(subject)'\(origin.name).\(property)', which is of type \(found.typeName) and does not link to "
                + "'\(owner.name)'"
        }
        return nil
    }
}

extension ClassReader {
    /// The fields of a class that show links, in the style that its other properties have.
    func incomingLinks(of sample: ObjectBase, _ ignored: Set<String>) -> [LinkInfo] {
        let links = Self.fields(of: type).compactMap { field in
            (field.type as? any LinkingField.Type).map { type in
                let name = type.isWrapped && field.name.hasPrefix("_") ? String(field.name.dropFirst()) : field.name
                // SAFETY: the address is that of a field of the sample, which the caller keeps.
                let address = Unmanaged.passUnretained(sample).toOpaque() + field.offset
                return LinkInfo(
                    name: name, offset: field.offset, field: type, property: type.originProperty(at: address))
            }
        }
        let isWrapped = properties.first?.isWrapped
        return links.filter { !ignored.contains($0.name) && $0.field.isWrapped == isWrapped ?? $0.field.isWrapped }
    }
}
