import Foundation
import FuzzTargets

// Feeds inputs to a target: files that are named, and where the build was made for it (`make fuzz`) all that libFuzzer thinks of.

let names = FuzzTarget.all.map(\.name).joined(separator: ", ")
guard CommandLine.arguments.count > 1, let target = FuzzTarget.all.first(where: { $0.name == CommandLine.arguments[1] })
else {
    FileHandle.standardError.write(Data("usage: firn-fuzz TARGET FILE…, where TARGET is one of: \(names)\n".utf8))
    exit(2)
}

#if FUZZING
exit(try fuzz(target))
#else
let run = try target.prepare()
for path in CommandLine.arguments.dropFirst(2) {
    let isGood = try Data(contentsOf: URL(filePath: path)).withUnsafeBytes { try run($0) }
    print("\(path): \(isGood ? "good" : "refused")")
}
#endif
