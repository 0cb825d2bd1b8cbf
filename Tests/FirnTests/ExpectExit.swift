import Testing

/// Expects that a process which has ended wrote these texts to its standard error.
func expect(
    _ result: ExitTest.Result?, says texts: String..., at location: SourceLocation = #_sourceLocation
) {
    let output = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
    for text in texts {
        #expect(output.contains(text), "\(output)", sourceLocation: location)
    }
}
