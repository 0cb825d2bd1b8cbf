import Testing

@testable import Firn

private final class PrivateModel: Object {
    @Persisted var name = ""
}

@Suite struct ClassDiscoveryTests {
    final class Nested: Object {
        @Persisted var name = ""
    }

    final class Hidden: Object {
        override class func shouldIncludeInDefaultSchema() -> Bool { false }
    }

    final class Generic<T>: Object {}

    @Test func `every model class of the process is found: nested, private, local`() {
        final class Local: Object {
            @Persisted var name = ""
        }
        let found = ClassDiscovery.modelClasses().map { ObjectIdentifier($0) }
        for type in [Nested.self, Hidden.self, PrivateModel.self, Local.self] as [ObjectBase.Type] {
            #expect(found.filter { $0 == ObjectIdentifier(type) }.count == 1, "\(type)")
        }
        #expect(!found.contains(ObjectIdentifier(Object.self)))
        #expect(!ClassDiscovery.defaultSchemaClasses().contains { $0 == Hidden.self })
    }

    @Test func `a class's name has its outer types, and neither module nor address`() {
        final class Inner: Object {}
        #expect(Nested.className() == "ClassDiscoveryTests.Nested")
        #expect(PrivateModel.className() == "PrivateModel")
        #expect(Inner.className() == "ClassDiscoveryTests.Inner" || Inner.className() == "Inner")
    }

    @Test func `a key path is named by reading it`() {
        final class Node: Object {
            @Persisted var name = ""
            @Persisted var next: Node?
            var other = 0
        }
        #expect(PropertyTracer.name(of: \Node.name) == "name")
        #expect(PropertyTracer.name(of: \Node.next?.next?.name) == "next.next.name")
        #expect(PropertyTracer.name(of: \Node.other) == nil)
    }
}
