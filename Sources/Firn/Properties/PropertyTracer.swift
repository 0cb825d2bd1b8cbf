import Dispatch
import Foundation
import Synchronization

/// Names the property that a key path leads to, by reading the key path on an object that takes note.
///
/// A key path to a class's property has no name on Linux. The fields of a tracing object hold their property's
/// index in place of a slot, so that the getter's cold path comes here.
///
/// A getter must return a value, and a property whose type has no default has none to return. It is called on a thread that
/// ends within it: see `DefaultlessTrace`.
final class PropertyTracer {
    private(set) var names: [String] = []
    /// What a getter calls that has no value to return; nil where it must not come to that.
    fileprivate let leaveGetter: ((PropertyTracer) -> Never)?

    init(leaveGetter: ((PropertyTracer) -> Never)? = nil) {
        self.leaveGetter = leaveGetter
    }

    /// The dotted name of a path of persisted properties, or nil where it leads through anything else.
    static func name<Root: ObjectBase>(of keyPath: PartialKeyPath<Root>) -> String? {
        name(of: keyPath, in: Root.self)
    }

    /// The dotted name of a path of persisted properties of a class, or nil where it leads through anything else.
    static func name(of keyPath: AnyKeyPath, in type: ObjectBase.Type) -> String? {
        canReturn(Swift.type(of: keyPath).valueType)
            ? name(of: keyPath, in: type, with: PropertyTracer()) : DefaultlessTrace.name(of: keyPath, in: type)
    }

    /// Whether the getter of a property has a value to return where a key path ends in a type.
    private static func canReturn(_ type: Any.Type) -> Bool {
        // A path through a link ends in an optional, whatever the property at its end is.
        if let optional = type as? any OptionalType.Type { return canReturn(optional.wrappedType) }
        return (type as? any _Persistable.Type)?._hasDefault ?? true
    }

    fileprivate static func name(
        of keyPath: AnyKeyPath, in type: ObjectBase.Type, with tracer: PropertyTracer
    ) -> String? {
        let object = type.init()
        tracer.attach(to: object)
        _ = object[keyPath: keyPath]
        return tracer.name
    }

    fileprivate var name: String? { names.isEmpty ? nil : names.joined(separator: ".") }

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

/// An optional of any type.
private protocol OptionalType {
    static var wrappedType: Any.Type { get }
}

extension Optional: OptionalType {
    static var wrappedType: Any.Type { Wrapped.self }
}

/// The tracing of key paths that end in a property whose type has no default.
///
/// No value of such a type can be made, so its getter must not return. A thread of its own reads the path, and ends in the
/// getter; what it leaves behind is small, and each key path is read once.
private enum DefaultlessTrace {
    private static let names = Mutex<[Key: String?]>([:])

    /// `@unchecked`: a key path is immutable.
    private struct Key: Hashable, @unchecked Sendable {
        let keyPath: AnyKeyPath
    }

    static func name(of keyPath: AnyKeyPath, in type: ObjectBase.Type) -> String? {
        let key = Key(keyPath: keyPath)
        if let known = names.withLock({ $0[key] }) { return known }
        let trace = Trace(keyPath, type)
        let thread = Thread { trace.run() }
        thread.stackSize = 1 << 20
        thread.start()
        trace.isRead.wait()
        let name = trace.name
        names.withLock { $0[key] = .some(name) }
        return name
    }

    /// `@unchecked`: the thread is done with it before the semaphore is signalled, and whoever started it waits for that.
    private final class Trace: @unchecked Sendable {
        let keyPath: AnyKeyPath
        let type: ObjectBase.Type
        var name: String?
        let isRead = DispatchSemaphore(value: 0)

        init(_ keyPath: AnyKeyPath, _ type: ObjectBase.Type) {
            self.keyPath = keyPath
            self.type = type
        }

        func run() {
            let tracer = PropertyTracer { [self] tracer in
                name = tracer.name
                isRead.signal()
                Thread.exit()
                misuse("A thread went on after its end")
            }
            name = PropertyTracer.name(of: keyPath, in: type, with: tracer)
            isRead.signal()
        }
    }
}

extension ObjectBase {
    /// What the getter of a tracing object does instead of returning, where the property's type has no default.
    final func leaveTracedGetter(of type: Any.Type) -> Never {
        guard let tracer = attachment as? PropertyTracer, let leaveGetter = tracer.leaveGetter else {
            misuse(
                "A key path leads through a property of type \(type), which is no object; name the property itself")
        }
        leaveGetter(tracer)
    }

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
