/// Ends the process because the program is wrong, with a message that names the fix.
///
/// One function, so that every trap reads alike. What data or the world can cause is an error instead.
@inline(never)
func misuse(_ message: @autoclosure () -> String, file: StaticString = #fileID, line: UInt = #line) -> Never {
    fatalError("Firn: \(message())", file: file, line: line)
}

/// What `body` gives. An error of it is a mistake of the programmer, who chose a call that does not throw.
func untroubled<R>(_ body: () throws(Realm.Error) -> R) -> R {
    do {
        return try body()
    } catch {
        misuse(error.message)
    }
}
