import Firn
import Foundation
import TestSupport
import Testing

/// Arithmetic, comparison and text against Python's decimal module, which computes in the same format.
@Suite struct Decimal128OracleTests {
    private struct Failure: Error, CustomStringConvertible {
        var description: String
    }

    private static let caseCount = 24_000

    @Test func `results are those of Python's decimal module, to the last digit and exponent`() throws {
        try RandomRuns([20_240_601]).run { seed in
            var checked = 0
            for line in try Self.cases(seed: seed) {
                let fields = line.split(separator: "\t", omittingEmptySubsequences: false).map(String.init)
                try #require(fields.count == 4, "unexpected line from the oracle: \(line)")
                let found = try Self.evaluate(fields[0], fields[1], fields[2])
                try #require(found == fields[3], "\(line): found \(found)")
                checked += 1
            }
            try #require(checked == Self.caseCount)
        }
    }

    private static func evaluate(_ operation: String, _ first: String, _ second: String) throws -> String {
        let left = try Decimal128(string: first)
        if operation == "p" {
            try checkRoundTrip(left)
            return spelled(left)
        }
        let right = try Decimal128(string: second)
        switch operation {
        case "+": return spelled(left + right)
        case "-": return spelled(left - right)
        case "*": return spelled(left * right)
        case "/": return spelled(left / right)
        case "c": return try comparison(left, right)
        default: throw Failure(description: "unknown operation \(operation)")
        }
    }

    private static func comparison(_ left: Decimal128, _ right: Decimal128) throws -> String {
        let isLess = left < right
        let isEqual = left == right
        let isGreater = left > right
        try #require([isLess, isEqual, isGreater].count { $0 } == (left.isNaN || right.isNaN ? 0 : 1))
        try #require((left <= right) == (isLess || isEqual))
        try #require((left >= right) == (isGreater || isEqual))
        if isEqual { try #require(left.hashValue == right.hashValue) }
        return isLess ? "<" : isEqual ? "=" : isGreater ? ">" : "?"
    }

    private static func checkRoundTrip(_ number: Decimal128) throws {
        let again = try Decimal128(string: number.stringValue)
        try #require(again == number && again.bits >> 127 == number.bits >> 127, "\(number)")
        try #require(again.stringValue == number.stringValue)
    }

    /// The number as the oracle writes it, decoded here once more from the bits.
    private static func spelled(_ number: Decimal128) -> String {
        let sign = number.bits >> 127 == 1 ? "-" : ""
        if number.isNaN { return "NaN" }
        if number.isInfinite { return sign + "Infinity" }
        let exponent = Int(number.bits >> 113 & 0x3fff) - 6176
        return "\(sign)\(number.bits & (1 << 113 - 1))E\(exponent)"
    }

    private static func cases(seed: UInt64) throws -> [Substring] {
        let script = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "Oracle/decimal128_cases.py")
        let process = Process()
        process.executableURL = URL(filePath: "/usr/bin/env")
        process.arguments = ["python3", script.path(percentEncoded: false), String(seed), String(caseCount)]
        let output = Pipe()
        process.standardOutput = output
        try process.run()
        let data = try output.fileHandleForReading.readToEnd() ?? Data()
        process.waitUntilExit()
        guard process.terminationStatus != 127 else {
            throw Failure(
                description: "python3 is missing: install it (`make setup` does), the expected results come from it")
        }
        guard process.terminationStatus == 0 else {
            throw Failure(description: "\(script.lastPathComponent) failed with status \(process.terminationStatus)")
        }
        return String(decoding: data, as: UTF8.self).split(separator: "\n")
    }
}
