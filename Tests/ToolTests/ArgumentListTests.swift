import FirnTool
import Testing

@Suite struct ArgumentListTests {
    @Test func `options stand anywhere, with their values behind them or behind an equals sign`() throws {
        var arguments = ArgumentList(["--limit", "3", "file", "--fast", "--seed=9"])
        let limit: Int? = try arguments.integer("limit", in: 1...10)
        let seed: UInt64? = try arguments.integer("seed", in: 0 ... .max)
        #expect(limit == 3 && seed == 9)
        let isFast = (arguments.flag("fast"), arguments.flag("fast"))
        #expect(isFast == (true, false))
        let file = try arguments.operand("FILE")
        #expect(file == "file")
        try arguments.finish()
    }

    @Test func `behind -- every word is an operand`() throws {
        var arguments = ArgumentList(["--", "--limit"])
        let limit = try arguments.value("limit")
        let file = try arguments.operand("FILE")
        #expect(limit == nil && file == "--limit")
        try arguments.finish()
    }

    @Test func `what does not fit is named`() {
        func message(_ words: [String], _ body: (inout ArgumentList) throws -> Void) -> String? {
            let failure = #expect(throws: ToolFailure.self) {
                var arguments = ArgumentList(words)
                try body(&arguments)
            }
            #expect(failure?.isUsage == true)
            return failure?.message
        }
        #expect(message(["--limit"]) { _ = try $0.value("limit") } == "--limit needs a value")
        #expect(message(["--limit", "--fast"]) { _ = try $0.value("limit") } == "--limit needs a value")
        #expect(message(["--fast"]) { _ = try $0.operand("FILE") } == "unknown option '--fast'")
        #expect(message([]) { _ = try $0.operand("FILE") } == "FILE was not given")
        #expect(message(["a"]) { try $0.finish() } == "'a' is one word too many")
        for text in ["x", "0", "11", ""] {
            let message = message(["--limit=\(text)"]) { arguments in
                let _: Int? = try arguments.integer("limit", in: 1...10)
            }
            #expect(message == "--limit takes a whole number from 1 to 10, not '\(text)'")
        }
    }
}
