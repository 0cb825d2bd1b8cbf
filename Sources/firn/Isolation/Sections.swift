import FirnTool
import Glibc
import LMDB

extension Report {
    /// Sends a blank line, a title and the lines under it.
    static func send(_ title: String, _ lines: [String]) {
        for line in ["", title] + lines { Report.text(line).send() }
    }

    /// Sends a blank line, a title and the table under it.
    static func send(_ title: String, _ table: TextTable) {
        send(title, table.lines)
    }
}

extension TextTable {
    /// Sizes, in large units and in bytes.
    init(byteCounts: [(name: String, byteCount: Int)]) {
        self.init([.left, .right, .right])
        for (name, byteCount) in byteCounts { add(name, byteCount.byteText, "\(byteCount.grouped) B") }
    }
}

extension EnvironmentStatistics {
    /// The processes that read, with how far they are behind, a line each. This one is left out: it has ended when the user reads
    /// this.
    var otherReaders: [String] {
        var table = TextTable([.left, .left])
        for process in processes where process.processID != Int(getpid()) {
            let lag = process.commitsBehind
            table.add(
                "process \(process.processID)",
                process.readerCount.counted("snapshot")
                    + (lag == 0 ? ", at the newest version" : ", the oldest \(lag.counted("commit")) behind"))
        }
        return table.lines
    }
}
