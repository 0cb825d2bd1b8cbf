import Glibc

/// The process that is killed: makes one transaction after the other, and acknowledges each on standard output by its
/// number, eight bytes in this machine's order. It begins with the number that it found in the file.
struct CrashWriter {
    static let command = "crash-writer"

    let path: String
    let seed: UInt64
    let isRelaxed: Bool

    func run() throws {
        let file = try StressRealm(path: path, isRelaxed: isRelaxed)
        var model = StressModel(seed: seed, sequence: file.sequence)
        acknowledge(model.sequence)
        while true {
            try file.make(model.advance())
            acknowledge(model.sequence)
        }
    }

    private func acknowledge(_ sequence: Int) {
        withUnsafeBytes(of: UInt64(sequence)) { bytes in
            _ = write(STDOUT_FILENO, bytes.baseAddress, bytes.count)
        }
    }
}
