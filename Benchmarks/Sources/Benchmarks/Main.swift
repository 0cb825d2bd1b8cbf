import Foundation

/// Compares Firn with LMDB used directly: same data, same run, each side checked against the other.
@main struct Main {
    static func main() {
        do {
            let options = try Options(CommandLine.arguments.dropFirst())
            if let path = options.echoPath {
                try ProcessEcho.answer(at: path)
            } else if let side = options.watchedSide {
                try WatchedImport.run(options, side: side)
            } else {
                try run(options)
            }
        } catch {
            Progress.clear()
            FileHandle.standardError.write(Data("\(error)\n".utf8))
            exit(1)
        }
    }

    private static func run(_ options: Options) throws {
        var series = try Rounds(options: options).run()
        var memory = Series(
            workload: "memory while importing, beyond the file", limit: .value(400 * 1_048_576),
            unit: Measurement.Unit.bytes.rawValue)
        for side in options.sides where side != .sqlite && options.wants(memory.workload) {
            Progress.show("memory while importing, \(side.rawValue)")
            memory.values[side] = [try WatchedImport(side: side, options: options).peak()]
        }
        if !memory.values.isEmpty { series.append(memory) }
        var echo = Series(
            workload: "a commit, and another process's answer to it", limit: .value(0.05),
            unit: Measurement.Unit.secondsPerObject.rawValue)
        if options.sides.contains(.firn), options.wants(echo.workload) {
            Progress.show(echo.workload)
            echo.values[.firn] = [try ProcessEcho(options: options).time(commits: 200)]
            series.append(echo)
        }
        Progress.clear()
        let report = Report(options: options, series: series)
        report.printTable()
        try report.writeJSON()
    }
}
