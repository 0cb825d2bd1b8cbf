import Firn
import FirnStore
import FirnTool
import Foundation
import LMDB

/// The file that a run makes.
enum StressFile {
    /// The hidden command that checks a file in a process of its own.
    static let checkCommand = "check-file"

    /// Throws if there is one, since the run deletes it.
    static func mustNotExist(_ path: String) throws(ToolFailure) {
        guard !FileManager.default.fileExists(atPath: path) else {
            throw ToolFailure("\(path) exists; name a file that the run may make and delete")
        }
    }

    static func delete(_ path: String) throws {
        try Environment.deleteFiles(path)
    }

    static func configuration(
        _ path: String, _ types: [ObjectBase.Type], isRelaxed: Bool = false
    ) -> Realm.Configuration {
        var configuration = Realm.Configuration(fileURL: URL(fileURLWithPath: path), objectTypes: types)
        configuration.durability = isRelaxed ? .relaxed : .full
        return configuration
    }

    /// Throws if a file does not keep its invariants. For a process of its own: a damaged page ends it.
    static func check(_ path: String) throws {
        let connection = try Connection(store: Store.open(StoreOptions(path: path, isReadOnly: true)))
        let problems = IntegrityChecker.check(connection)
        guard problems.isEmpty else {
            throw StressFault("the file is damaged:\n" + problems.map(\.description).joined(separator: "\n"))
        }
    }

    /// Runs a hidden command of this executable on a file and gives what it printed. Throws if it fails or dies.
    static func runChild(_ arguments: [String]) throws -> String {
        let (ending, output, errors) = try ChildProcess(arguments).finish()
        switch ending {
        case .exited(0): return output
        case .exited: throw StressFault(errors.replacing("firn-stress: FAULT: ", with: ""))
        case .signalled(let signal):
            throw StressFault("\(arguments.joined(separator: " ")) died of signal \(signal)\n\(errors)")
        }
    }
}
