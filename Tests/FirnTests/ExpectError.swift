import Firn
import Testing

/// Expects a `Realm.Error` with a code, and returns its message.
@discardableResult
func expectError(
    _ code: Realm.Error.Code, sourceLocation: SourceLocation = #_sourceLocation, _ body: () throws -> Void
) -> String {
    let error = #expect(throws: Realm.Error.self, sourceLocation: sourceLocation, performing: body)
    #expect(error?.code == code, sourceLocation: sourceLocation)
    return error?.message ?? ""
}
