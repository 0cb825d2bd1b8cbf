import Foundation

/// What the command line asks for.
struct Options {
    var count = 200_000
    var rounds = 5
    /// Where the stores lie whose commits are not to wait for a disk: a memory file system, if there is one.
    var directory = Options.memoryDirectory
    /// Where the stores lie whose commits do.
    var flushedDirectory = FileManager.default.temporaryDirectory.path
    var jsonPath = "benchmarks.json"
    var sides = Side.allCases
    /// Parts of the names of the rows to run; all rows where there are none.
    var wanted: [String] = []
    /// The side that this process imports with while its parent watches its memory.
    var watchedSide: Side?
    /// The file in which this process answers its parent's commits.
    var echoPath: String?

    static let usage = """
        usage: Benchmarks [--count N] [--rounds N] [--directory PATH] [--flushed-directory PATH] [--json FILE] [--only TEXT]...
                          [--raw-only | --firn-only | --sqlite-only]

        --only runs the rows whose names contain the text, and those that they build on.
        """

    init(_ arguments: some Sequence<String>) throws {
        var arguments = arguments.makeIterator()
        while let name = arguments.next() {
            switch name {
            case "--count": count = try Self.number(after: name, &arguments)
            case "--rounds": rounds = try Self.number(after: name, &arguments)
            case "--directory": directory = try Self.value(after: name, &arguments)
            case "--flushed-directory": flushedDirectory = try Self.value(after: name, &arguments)
            case "--json": jsonPath = try Self.value(after: name, &arguments)
            case "--only": wanted.append(try Self.value(after: name, &arguments))
            case "--raw-only": sides = [.raw]
            case "--firn-only": sides = [.firn]
            case "--sqlite-only": sides = [.sqlite]
            case "--echo": echoPath = try Self.value(after: name, &arguments)
            case "--import-watched": watchedSide = Side(rawValue: try Self.value(after: name, &arguments))
            default: throw Misuse(description: "unknown argument \(name)\n\(Self.usage)")
            }
        }
    }

    /// Whether a row is to run.
    func wants(_ row: String) -> Bool {
        wanted.isEmpty || wanted.contains { row.localizedCaseInsensitiveContains($0) }
    }

    struct Misuse: Error, CustomStringConvertible {
        let description: String
    }

    private static func value(after name: String, _ arguments: inout some IteratorProtocol<String>) throws -> String {
        guard let value = arguments.next() else { throw Misuse(description: "\(name) needs a value\n\(usage)") }
        return value
    }

    private static func number(after name: String, _ arguments: inout some IteratorProtocol<String>) throws -> Int {
        guard let number = Int(try value(after: name, &arguments)), number > 0 else {
            throw Misuse(description: "\(name) needs a number above 0\n\(usage)")
        }
        return number
    }

    /// The memory file system if there is one that can be written to, else the temporary directory.
    private static var memoryDirectory: String {
        FileManager.default.isWritableFile(atPath: "/dev/shm")
            ? "/dev/shm" : FileManager.default.temporaryDirectory.path
    }
}
