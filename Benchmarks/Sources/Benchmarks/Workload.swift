import Foundation

/// What is measured, in which unit, and the answer that both sides must agree on.
struct Measurement {
    var value: Double
    var unit: Unit
    var answer: String

    enum Unit: String {
        case secondsPerObject = "s/object"
        case bytes
        /// A multiple of a time that was measured with it.
        case multiple
    }
}

/// One line of the table.
struct Workload<Engine, Input> {
    let name: String
    /// The rows that leave in the store what this one works on.
    var needs: [String] = []
    /// Who has an answer to it.
    var sides = Side.allCases
    /// How large Firn's value may be, as a multiple of raw LMDB's; nil: not promised, only shown.
    let limit: Double?
    let measure: (Store<Engine>, Input) throws -> Measurement

    static func timed<Answer>(_ objects: Int, _ work: () throws -> Answer) throws -> Measurement {
        let start = ContinuousClock.now
        let answer = try work()
        return Measurement(
            value: (ContinuousClock.now - start).seconds / Double(objects), unit: .secondsPerObject, answer: "\(answer)"
        )
    }
}

/// A side's answer that is not the other's, or not the data's.
struct Disagreement: Error, CustomStringConvertible {
    let description: String
}

extension Duration {
    var seconds: Double {
        Double(components.seconds) + Double(components.attoseconds) * 1e-18
    }
}
