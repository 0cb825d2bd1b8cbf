import FirnQuery
import Foundation
import Testing

@Suite struct PredicateParsingTests {
    /// The constants that these tests pass as arguments.
    private static func constant(_ argument: Any?) throws -> Constant {
        switch argument {
        case nil, is NSNull: return .null
        case let value as Constant: return value
        case let value as Bool: return .bool(value)
        case let value as Int: return .int(Int64(value))
        case let value as Double: return .double(value)
        case let value as String: return .string(value)
        default: throw Unconvertible()
        }
    }

    private struct Unconvertible: Error, CustomStringConvertible {
        var description: String { "no constant can be made of it" }
    }

    private func parse(_ text: String, _ arguments: Any?...) throws -> QueryExpression {
        try PredicateTemplate(text).expression(arguments: arguments, constant: Self.constant)
    }

    /// The one comparison that a text consists of.
    private func comparison(_ text: String, _ arguments: Any?...) throws -> Comparison {
        let expression = try PredicateTemplate(text).expression(arguments: arguments, constant: Self.constant)
        guard case .comparison(let comparison) = expression else {
            Issue.record("\(text) is no single comparison")
            return Comparison("", .equal, .null)
        }
        return comparison
    }

    // MARK: Comparisons

    @Test(
        arguments: [
            ("==", .equal), ("=", .equal), ("!=", .notEqual), ("<>", .notEqual), ("<", .less), (">", .greater),
            ("<=", .lessOrEqual), ("=<", .lessOrEqual), (">=", .greaterOrEqual), ("=>", .greaterOrEqual),
        ] as [(String, ComparisonOperator)])
    func `each operator is read, with spaces around it and without`(sign: String, operation: ComparisonOperator) throws
    {
        for text in ["age \(sign) 3", "age\(sign)3", " age\t\(sign)\n3 "] {
            let found = try comparison(text)
            #expect(found.property == "age" && found.operation == operation && found.constant == .int(3), "\(text)")
        }
    }

    @Test(
        arguments: [
            ("3 < age", .greater), ("3 <= age", .greaterOrEqual), ("3 > age", .less), ("3 >= age", .lessOrEqual),
            ("3 == age", .equal), ("3 != age", .notEqual),
        ] as [(String, ComparisonOperator)])
    func `a constant on the left turns the operator around`(text: String, operation: ComparisonOperator) throws {
        let found = try comparison(text)
        #expect(found.property == "age" && found.operation == operation && found.constant == .int(3))
    }

    @Test(
        arguments: [
            ("a CONTAINS 'x'", .contains, []), ("a contains[c] 'x'", .contains, .caseInsensitive),
            ("a BEGINSWITH[d] 'x'", .beginsWith, .diacriticInsensitive),
            ("a endsWith [ dc ] 'x'", .endsWith, [.caseInsensitive, .diacriticInsensitive]),
            ("a ==[CD] 'x'", .equal, [.caseInsensitive, .diacriticInsensitive]),
            ("'x' =[c] a", .equal, .caseInsensitive),
        ] as [(String, ComparisonOperator, ComparisonOptions)])
    func `operators of texts are keywords of any case, with options in brackets`(
        text: String, operation: ComparisonOperator, options: ComparisonOptions
    ) throws {
        let found = try comparison(text)
        #expect(found.operation == operation && found.options == options && found.constant == .string("x"))
    }

    // MARK: Literals

    @Test(
        arguments: [
            ("7", .int(7)), ("-7", .int(-7)), ("+7", .int(7)), ("- 7", .int(-7)), ("007", .int(7)), ("0x1F", .int(31)),
            ("0b101", .int(5)), ("0o17", .int(15)), ("9223372036854775807", .int(.max)),
            ("-9223372036854775808", .int(.min)), ("1.5", .double(1.5)), ("-1.5", .double(-1.5)), (".5", .double(0.5)),
            ("1.", .double(1)), ("1e3", .double(1000)), ("1E-3", .double(0.001)), ("2.5e+2", .double(250)),
            ("1e400", .double(.infinity)), ("TRUE", .bool(true)), ("yes", .bool(true)), ("False", .bool(false)),
            ("NO", .bool(false)), ("nil", .null), ("NULL", .null), ("NIL", .null), ("null", .null),
        ] as [(String, Constant)])
    func `numbers, truth values and nil are read`(literal: String, constant: Constant) throws {
        #expect(try comparison("a == \(literal)").constant == constant)
        #expect(try comparison("\(literal) == a").constant == constant)
    }

    @Test(arguments: [
        (#"'say "hi"'"#, #"say "hi""#), (#""it's""#, "it's"), (#"'it\'s'"#, "it's"), (#"'a\\b'"#, #"a\b"#),
        (#"'\n\r\t'"#, "\n\r\t"), (#"'\u00e9\x41'"#, "éA"), (#"'\ud83d\ude00'"#, "😀"), (#"'\U0001F600'"#, "😀"),
        ("'日本'", "日本"), ("''", ""), ("'%@ %K'", "%@ %K"), ("'a AND b'", "a AND b"),
        (#"'\a\b\f\v\0'"#, "\u{7}\u{8}\u{c}\u{b}\0"),
    ])
    func `strings are read in both quotes, with escapes`(literal: String, text: String) throws {
        #expect(try comparison("a == \(literal)").constant == .string(text))
    }

    // MARK: Names

    @Test(arguments: [
        ("名前", "名前"), ("größe", "größe"), ("_a1", "_a1"), ("#and", "and"), ("#SELF", "SELF"), ("android", "android"),
        ("nothing", "nothing"),
    ])
    func `names may be of any script, and with # in front also keywords`(written: String, name: String) throws {
        #expect(try comparison("\(written) == 1").property == name)
    }

    // MARK: Compounds

    @Test func `AND joins, parentheses group, and the parts come in one list`() throws {
        let parsed = try parse("a == 1 AND b == 2 && (c == 3 and TRUEPREDICATE)")
        guard case .all(let parts) = parsed else {
            Issue.record("\(parsed)")
            return
        }
        #expect(parts.count == 4)
        #expect(parts.first == .comparison(Comparison("a", .equal, .int(1), position: 0)))
        #expect(parts.last == .always(true))
        #expect(try parse("((a == 1))") == .comparison(Comparison("a", .equal, .int(1), position: 2)))
        #expect(try parse("TRUEPREDICATE") == .always(true))
        #expect(try parse("falsepredicate") == .always(false))
    }

    @Test func `parentheses nest a hundred deep, and no deeper`() throws {
        func nested(_ depth: Int) -> String {
            String(repeating: "(", count: depth) + "a == 1" + String(repeating: ")", count: depth)
        }
        _ = try parse(nested(100))
        let error = #expect(throws: QueryError.self) { try parse(nested(100_000)) }
        #expect(error?.code == .malformed && error?.position == 100)
    }

    @Test func `a very long conjunction is read`() throws {
        let text = Array(repeating: "a != 1", count: 5_000).joined(separator: " AND ")
        guard case .all(let parts) = try parse(text) else {
            Issue.record("not a conjunction")
            return
        }
        #expect(parts.count == 5_000)
    }

    // MARK: Arguments

    @Test func `placeholders take the arguments in their order`() throws {
        #expect(try comparison("%K == %@", "name", "x") == Comparison("name", .equal, .string("x"), position: 0))
        #expect(try comparison("%@ < %K", 5, "age") == Comparison("age", .greater, .int(5), position: 0))
        #expect(try comparison("a == %@", nil).constant == .null)
        #expect(try comparison("a == %@", NSNull()).constant == .null)
        #expect(try comparison("a == %@", Constant.link(table: 1, key: 2)).constant == .link(table: 1, key: 2))
    }

    @Test(arguments: ["%d", "%i", "%D", "%hd", "%ld", "%lld", "%qi", "%zd", "%u", "%lu", "%llu", "%x", "%lX"])
    func `placeholders of integers take integers and truth values alone`(placeholder: String) throws {
        #expect(try comparison("a == \(placeholder)", 5).constant == .int(5))
        #expect(try comparison("a == \(placeholder)", true).constant == .bool(true))
        for argument in [1.5, "5", nil] as [Any?] {
            let error = #expect(throws: QueryError.self) { try parse("a == \(placeholder)", argument) }
            #expect(error?.code == .invalidArgument && error?.message.contains("must be an integer") == true)
        }
    }

    @Test(arguments: ["%f", "%lf", "%g", "%e", "%Lf", "%F", "%G"])
    func `placeholders of floating-point numbers take numbers alone`(placeholder: String) throws {
        #expect(try comparison("a == \(placeholder)", 1.5).constant == .double(1.5))
        #expect(try comparison("a == \(placeholder)", 5).constant == .int(5))
        #expect(throws: QueryError.self) { try parse("a == \(placeholder)", "5") }
    }

    @Test func `too few and too many arguments are errors that count them`() {
        let few = #expect(throws: QueryError.self) { try parse("a == %@ AND b == %@", 1) }
        #expect(few?.code == .invalidArgument)
        #expect(few?.message == "“a == %@ AND b == %@” takes 2 arguments, but 1 was given")
        let many = #expect(throws: QueryError.self) { try parse("a == 1", 1, 2) }
        #expect(many?.message == "“a == 1” takes 0 arguments, but 2 were given")
    }

    @Test func `an argument that no constant can be made of is an error with its number and cause`() {
        let error = #expect(throws: QueryError.self) { try parse("a == 1 AND b == %@", Date.self) }
        #expect(error?.code == .invalidArgument && error?.position == 11)
        #expect(error?.message.contains("Argument 1 of") == true)
        #expect(error?.cause is Unconvertible)
    }

    @Test func `a property name must be text, and key paths are for later`() {
        for argument in [5, "", nil] as [Any?] {
            #expect(throws: QueryError.self) { try parse("%K == 1", argument) }
        }
        let error = #expect(throws: QueryError.self) { try parse("%K == 1", "owner.name") }
        #expect(error?.code == .notSupported)
    }

    // MARK: Refusals

    @Test(arguments: [
        ("a == 1 OR b == 2", 7), ("a == 1 || b == 2", 7), ("NOT a == 1", 0), ("!(a == 1)", 0), ("a IN {1, 2}", 2),
        ("a IN %@", 2), ("a BETWEEN {1, 2}", 2), ("a LIKE 'x*'", 2), ("a MATCHES 'x'", 2), ("ANY a.b == 1", 0),
        ("some a == 1", 0), ("ALL a == 1", 0), ("NONE a == 1", 0), ("SUBQUERY(a, $x, $x.b == 1).@count > 0", 0),
        ("SELF == 1", 0), ("self.a == 1", 0), ("a.b == 1", 1), ("a.@count > 1", 1), ("@count == 1", 0),
        ("a[0] == 1", 1), ("a['k'] == 1", 1), ("a + 1 == 2", 2), ("a == 1 + 1", 7), ("a == b", 0), ("1 == 1", 0),
        ("'x' CONTAINS a", 4), ("'x' IN a", 4), ("(a) == 1", 0), ("a == (1)", 5), ("a == -b", 5), ("$x == 1", 0),
        ("a ==[n] 'x'", 5), ("uppercase(a) == 'X'", 9), ("a == %s", 5), ("a == 5 %% 2", 7), ("a := 5", 2),
        ("FUNCTION(a, 'b') == 1", 0), ("CAST(a, 'b') == 1", 0), ("a CONTAINS {'x'}", 11),
        ("日本 == 1 OR 日本 == 2", 8),
    ])
    func `what is not supported yet says so, and where`(text: String, position: Int) {
        let error = #expect(throws: QueryError.self) { try PredicateTemplate(text) }
        #expect(error?.code == .notSupported, "\(error?.message ?? "")")
        #expect(error?.message.contains("not supported yet") == true)
        #expect(error?.message.contains("(at character \(position + 1))") == true)
        #expect(error?.position == position)
    }

    @Test(arguments: [
        ("", 0), ("   ", 3), ("a", 1), ("a ==", 4), ("== 1", 0), ("a 1", 2), ("a == 1 b == 2", 7), ("a == 1 AND", 10),
        ("AND a == 1", 0), ("(a == 1", 7), ("a == 1)", 6), ("()", 1), ("a == 'x", 5), (#"a == "x'"#, 5),
        (#"a == 'x\q'"#, 7), (#"a == 'x\"#, 7), (#"a == '\u12'"#, 6), (#"a == '\ud800'"#, 6), ("a == 'it''", 9),
        ("a == 1.2.3", 5), ("a == 12x", 5), ("a == 0xZZ", 5), ("a == 0x", 5), ("a == 9223372036854775808", 5),
        ("a == -9223372036854775809", 6), ("a == 99999999999999999999", 5), ("a == 1e", 5), ("a ==[x] 'x'", 5),
        ("a ==[] 'x'", 5), ("a ==[c 'x'", 7), ("a === 1", 4), ("a == ;", 5), ("a == 1 ; b", 7), ("a & b", 2),
        ("a == %", 5), ("a == %y", 5), ("a == %lK", 5), ("# == 1", 0), ("1 < a < 5", 6), ("a == AND", 5),
        ("TRUEPREDICATE a", 14), ("éé ==", 5), ("a == \u{7f}", 5), ("a = = 1", 4),
    ])
    func `text that is no predicate is a typed error that says where`(text: String, position: Int) {
        let error = #expect(throws: QueryError.self) { try PredicateTemplate(text) }
        #expect(error?.code == .malformed, "\(error?.message ?? "")")
        #expect(error?.position == position, "\(error?.message ?? "")")
    }

    @Test func `random text gives a predicate or a typed error, never a trap`() {
        let pieces = [
            "a", "b1", "==", "=", "<", ">", "!", "&&", "||", "(", ")", "[", "]", "c", "'x'", "'", "\"", "\\", "%@",
            "%K",
            "%", "%d", "1", "-", ".", "1.5", "0x", "e", "AND", "OR", "NOT", "nil", "TRUEPREDICATE", "#", "{", "}", ",",
            "$", "@", "é", "日", "\0", " ", "CONTAINS", "[cd]", "🙂", ":",
        ]
        var generator = SystemRandomNumberGenerator()
        for _ in 0..<5000 {
            let text = (0..<Int.random(in: 1...9, using: &generator)).map { _ in
                pieces[Int.random(in: 0..<pieces.count, using: &generator)]
            }.joined(separator: Bool.random(using: &generator) ? " " : "")
            if case .failure(let error) = Result(catching: { try PredicateTemplate(text) }) {
                #expect(error is QueryError, "\(text)")
            }
        }
    }

    @Test func `a cached text gives the same template, and errors come every time`() throws {
        let first = try PredicateTemplate.cached("a == %@ AND b == 1")
        let second = try PredicateTemplate.cached("a == %@ AND b == 1")
        #expect(first.text == second.text && first.argumentCount == 1)
        #expect(
            try first.expression(arguments: [5], constant: Self.constant)
                == second.expression(arguments: [5], constant: Self.constant))
        for _ in 0..<2 {
            #expect(throws: QueryError.self) { try PredicateTemplate.cached("a ==") }
        }
        for index in 0..<1000 { _ = try PredicateTemplate.cached("a == \(index)") }
        #expect(try PredicateTemplate.cached("a == 3").text == "a == 3")
    }
}
