import FirnStore
import FirnTool
import Glibc
import LMDB

/// The `firn` command line tool.
enum Tool {
    /// The exit codes that scripts may rely on.
    enum ExitCode {
        static let success: Int32 = 0
        static let problems: Int32 = 1
        static let failure: Int32 = 2
    }

    static let version = "0.1.0"

    static let usage = """
        Usage: firn COMMAND [OPTIONS] FILE

        Looks at a Firn database file. Needs none of its model classes, and never writes to it.

        Commands:
          info FILE     shows a file's format, schema, objects, sizes and readers
          check FILE    reads the whole file and tells every place that is not as it must be
          query FILE CLASS [PREDICATE]
                        prints the objects of a class, those for which a predicate holds
          help          shows this

        Options of info:
          --live        shows who reads the file now instead, how far behind, and how many bytes are live, free and pinned

        Options of check:
          --limit N     stops after N problems (100)

        Options of query:
          --sort KEYPATH[:desc],...   sorts by values, also of linked objects; ties keep the order of their keys
          --offset N, --limit N       leaves out the first N, prints at most N
          --table, --json, --csv      prints aligned columns with long values cut (the default), or all of each value
          --count                     prints the number of objects alone
          --explain                   prints the plan alone: where the objects come from, and what is asked of each

          --version     shows the versions of firn, of the file format and of LMDB
          --help        shows this

        Exit codes: 0 all is well; 1 check found problems; 2 the command line is wrong or the file cannot be read.
        """

    /// Runs a command line and gives its exit code.
    static func run(_ arguments: [String]) -> Int32 {
        do {
            return try dispatch(arguments)
        } catch {
            StandardError.write("firn: \(error.message)\n")
            if error.isUsage { StandardError.write("Try 'firn help'.\n") }
            return ExitCode.failure
        }
    }

    private static func dispatch(_ words: [String]) throws(ToolFailure) -> Int32 {
        if words.first == Isolation.argument { return Isolation.runInChild(Array(words.dropFirst())) }
        var arguments = ArgumentList(words)
        if arguments.flag("help") {
            print(usage)
            return ExitCode.success
        }
        if arguments.flag("version") {
            printVersion()
            return ExitCode.success
        }
        let limit: Int? = try arguments.integer("limit", in: 1 ... .max)
        let options = try QueryRequest.Options(&arguments)
        let isLive = arguments.flag("live")
        let command = try arguments.operand("a command")
        switch command {
        case "query":
            let request = QueryRequest(
                path: try arguments.operand("the file to query"),
                className: try arguments.operand("the class to query"),
                predicate: try arguments.optionalOperand() ?? "TRUEPREDICATE", options: options, limit: limit)
            try arguments.finish()
            if isLive { throw unknownOption("live") }
            return try QueryCommand(request: request).run()
        case "help":
            print(usage)
            return ExitCode.success
        case "info", "check":
            let path = try arguments.operand("the file to \(command == "info" ? "show" : "check")")
            try arguments.finish()
            if let name = options.firstGiven { throw unknownOption(name) }
            if command == "info" {
                if limit != nil { throw unknownOption("limit") }
                return try InfoCommand(path: path, isLive: isLive).run()
            }
            if isLive { throw unknownOption("live") }
            return try CheckCommand(path: path, problemLimit: limit ?? 100).run()
        default:
            throw ToolFailure("unknown command '\(command)'", isUsage: true)
        }
    }

    private static func unknownOption(_ name: String) -> ToolFailure {
        ToolFailure("unknown option '--\(name)'", isUsage: true)
    }

    private static func printVersion() {
        let lmdb = Calls.version()
        print(
            "firn \(version) (reads formats up to \(FormatHeader.currentVersion), "
                + "LMDB \(lmdb.major).\(lmdb.minor).\(lmdb.patch))")
    }
}
