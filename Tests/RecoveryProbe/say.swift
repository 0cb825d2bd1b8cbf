import Foundation

/// Prints a line at once, whatever standard output is.
func say(_ line: String) {
    FileHandle.standardOutput.write(Data((line + "\n").utf8))
}
