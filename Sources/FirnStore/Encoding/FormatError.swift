/// Bytes that are not what the format says they should be.
package struct FormatError: Error, Hashable, Sendable, CustomStringConvertible {
    /// What is wrong, for the reader of an integrity report.
    package let message: String
    /// Where, counted from the start of the bytes that were examined.
    package let byteOffset: Int

    /// An error about the byte at an offset.
    package init(_ message: String, at byteOffset: Int) {
        self.message = message
        self.byteOffset = byteOffset
    }

    /// The same error seen from an enclosing piece of bytes, which starts `distance` bytes earlier.
    package func moved(by distance: Int, in place: String) -> FormatError {
        FormatError("\(place): \(message)", at: byteOffset + distance)
    }

    /// The message with its offset.
    package var description: String { "\(message) (byte \(byteOffset))" }
}
