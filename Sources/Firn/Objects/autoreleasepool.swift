/// Calls its block: there is no pool to drain on Linux. For code that is shared with Apple's platforms.
@inlinable
public func autoreleasepool<Result>(invoking body: () throws -> Result) rethrows -> Result {
    try body()
}
