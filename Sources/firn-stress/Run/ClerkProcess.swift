import FirnTool
import Foundation

/// A process that works as one clerk until it is killed. Writes a byte after each thing done.
enum ClerkProcess {
    static let command = "clerk"

    static func run(_ path: String, id: Int, seed: UInt64) throws {
        let clerk = Clerk(id: id, path: path, seed: seed, commits: nil, end: nil)
        _ = try clerk.work {
            var done: UInt8 = 1
            _ = write(STDOUT_FILENO, &done, 1)
            return false
        }
    }
}

/// Processes that write beside the threads. One after the other is killed, wherever it is, and another takes its place.
struct ClerkProcesses {
    private let path: String
    private let ids: Range<Int>
    private var generator: SeededGenerator
    private var children: [ChildProcess] = []
    private(set) var killCount = 0

    init(_ path: String, ids: Range<Int>, seed: UInt64) throws {
        self.path = path
        self.ids = ids
        generator = SeededGenerator(seed: seed, stream: 1 << 62)
        for id in ids { children.append(try start(id)) }
    }

    private mutating func start(_ id: Int) throws -> ChildProcess {
        try ChildProcess([ClerkProcess.command, path, "--clerk", String(id), "--seed", String(generator.next())])
    }

    /// Kills a random one after it did some more, and starts it again.
    mutating func killOne() throws {
        let index = Int.random(in: children.indices, using: &generator)
        let child = children[index]
        var left = Int.random(in: 1...40, using: &generator)
        while left > 0 {
            switch child.read() {
            case .output(let bytes)?: left -= bytes.count
            case .errors(let bytes)?: throw StressFault("a clerk said: \(String(decoding: bytes, as: UTF8.self))")
            case .nothing?: break
            case nil: throw StressFault("a clerk ended by itself: \(child.wait())")
            }
        }
        let end = ContinuousClock.now + .microseconds(Int.random(in: 0...2000, using: &generator))
        while ContinuousClock.now < end {}
        child.kill()
        let ending = child.wait()
        guard ending == .signalled(SIGKILL) else { throw StressFault("a clerk ended by itself: \(ending)") }
        killCount += 1
        children[index] = try start(ids.lowerBound + index)
    }

    /// Kills them all.
    mutating func stop() throws {
        for child in children {
            child.kill()
            let (ending, _, errors) = child.finish()
            guard ending == .signalled(SIGKILL) else {
                throw StressFault("a clerk ended by itself: \(ending)\n\(errors)")
            }
        }
        children = []
    }
}
