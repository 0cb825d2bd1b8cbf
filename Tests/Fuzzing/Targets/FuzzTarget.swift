import Foundation

/// Something that is fed any bytes, and must neither trap, nor take long, nor answer wrongly.
package struct FuzzTarget: Sendable {
    /// By which `firn-fuzz` and `make fuzz` call it, and its folder beside this one.
    package let name: String
    /// Makes what inputs are fed to, which a process needs once. The function it gives answers whether an input was good, or was
    /// refused as it should be; what it throws is a finding.
    package let prepare: @Sendable () throws -> (UnsafeRawBufferPointer) throws -> Bool

    /// All targets.
    package static let all = [FuzzTarget(name: "predicate", prepare: { try PredicateTarget().run })]

    /// The inputs that are kept: a seed or a former finding each, in the order of their names.
    package var corpus: [URL] {
        get throws {
            let folder = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            return try FileManager.default.contentsOfDirectory(
                at: folder.appending(path: "\(name)/corpus"), includingPropertiesForKeys: nil
            ).sorted { $0.lastPathComponent < $1.lastPathComponent }
        }
    }
}

/// What a target says of an answer that is wrong.
package struct FuzzFinding: Error, CustomStringConvertible {
    package let description: String

    init(_ description: String) { self.description = description }
}
