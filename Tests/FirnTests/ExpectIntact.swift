import FirnStore
import Testing

@testable import Firn

/// Expects that what a realm's file holds at its version, or in its open write, fits together.
func expectIntact(_ realm: Realm, sourceLocation: SourceLocation = #_sourceLocation) {
    let problems = IntegrityChecker.check(realm.context.connection)
    #expect(problems.isEmpty, sourceLocation: sourceLocation)
}

/// How many rows a class has, embedded ones too.
func rowCount(_ type: ObjectBase.Type, in realm: Realm) -> Int {
    realm.context.connection.count(realm.context.binding(for: type).table.id)
}
