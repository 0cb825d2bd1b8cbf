import FirnTool

/// What `firn query` is asked for; it goes to the process that reads as words.
struct QueryRequest {
    /// How objects are printed.
    enum Format: String, CaseIterable {
        case table
        case json
        case csv
    }

    /// What only this command has.
    struct Options {
        var sort: String?
        var offset: Int?
        var format: Format?
        var isCount: Bool
        var isExplanation: Bool

        /// The first option that was given, to be named where there is none.
        var firstGiven: String? {
            if sort != nil { return "sort" }
            if offset != nil { return "offset" }
            if let format { return format.rawValue }
            return isCount ? "count" : isExplanation ? "explain" : nil
        }

        init(_ arguments: inout ArgumentList) throws(ToolFailure) {
            sort = try arguments.value("sort")
            offset = try arguments.integer("offset", in: 0 ... .max)
            for other in Format.allCases where arguments.flag(other.rawValue) {
                if let format {
                    throw ToolFailure("--\(format.rawValue) and --\(other.rawValue) exclude each other", isUsage: true)
                }
                format = other
            }
            isCount = arguments.flag("count")
            isExplanation = arguments.flag("explain")
        }
    }

    let path: String
    let className: String
    let predicate: String
    /// Key paths, each with whether it ascends.
    let sort: [(keyPath: String, isAscending: Bool)]
    let offset: Int
    let limit: Int?
    let format: Format
    let isCount: Bool
    let isExplanation: Bool

    init(path: String, className: String, predicate: String, options: Options, limit: Int?) {
        self.init([
            path, className, predicate, options.sort ?? "", "\(options.offset ?? 0)", "\(limit ?? -1)",
            (options.format ?? .table).rawValue, "\(options.isCount)", "\(options.isExplanation)",
        ])
    }

    /// A request from the words that `words` gave.
    init(_ words: [String]) {
        precondition(words.count == 9, "a request has all its words")
        (path, className, predicate) = (words[0], words[1], words[2])
        sort = words[3].split(separator: ",").map { part in
            let isDescending = part.hasSuffix(":desc")
            return (String(isDescending ? part.dropLast(":desc".count) : part), !isDescending)
        }
        offset = Int(words[4]) ?? 0
        limit = Int(words[5]).flatMap { $0 < 0 ? nil : $0 }
        format = Format(rawValue: words[6]) ?? .table
        isCount = words[7] == "true"
        isExplanation = words[8] == "true"
    }

    /// The request as words.
    var words: [String] {
        let sort = sort.map { $0.isAscending ? $0.keyPath : $0.keyPath + ":desc" }.joined(separator: ",")
        return [
            path, className, predicate, sort, "\(offset)", "\(limit ?? -1)", format.rawValue, "\(isCount)",
            "\(isExplanation)",
        ]
    }
}
