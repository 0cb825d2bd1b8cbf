import FirnQuery
import FirnStore
import Foundation

/// Predicate text and arguments, read, checked against a schema and asked of its objects by whatever plan.
///
/// An input is the text, a record separator (1E), and an argument for each placeholder, as `FuzzInput` takes them.
final class PredicateTarget {
    private let world: PredicateWorld

    init() throws { world = try PredicateWorld() }

    /// Whether the schema allows the predicate.
    func run(_ bytes: UnsafeRawBufferPointer) throws -> Bool {
        var input = FuzzInput(bytes)
        let text = input.text()
        guard let template = try template(text) else { return false }
        let arguments = (0..<template.argumentCount).map { _ in input.argument() }
        guard let expression = try? template.expression(arguments: arguments, operand: Self.operand) else {
            return false
        }
        let keys = try keys(expression)

        // What is printed reads as the same predicate; some arguments have no text.
        if arguments.contains(where: Self.hasNoText) || text.contains("%K") && arguments.contains(where: Self.isOddName)
        {
            return keys != nil
        }
        let printed = expression.description
        guard let again = try self.template(printed)?.unfilled else { throw FuzzFinding("cannot be read: \(printed)") }
        guard again.description == printed else { throw FuzzFinding("\(printed) reads as \(again)") }
        guard try self.keys(again) == keys else { throw FuzzFinding("\(printed) finds others when it is read again") }
        return keys != nil
    }

    private func template(_ text: String) throws -> PredicateTemplate? {
        do {
            return try PredicateTemplate(text)
        } catch {
            guard let position = error.position, 0...text.count ~= position else {
                throw FuzzFinding("\(error.position.map(String.init) ?? "no position") of \(text.debugDescription)")
            }
            return nil
        }
    }

    /// The keys of the objects that match, as all ways of executing agree; nil where the schema refuses the predicate.
    private func keys(_ expression: QueryExpression) throws -> [ObjectKey]? {
        guard let predicate = try? BoundPredicate(expression, table: world.row, in: world.catalog) else { return nil }
        let keys = predicate.keys(in: world.connection)
        let scanned = predicate.matching(world.connection.keys(in: world.row.id), in: world.connection)
        guard keys == scanned, predicate.count(in: world.connection) == keys.count,
            predicate.firstKey(in: world.connection) == keys.first
        else { throw FuzzFinding("\(predicate.explanation(in: world.connection)) finds \(keys), a scan \(scanned)") }
        return keys
    }

    // MARK: Arguments

    private static func operand(_ argument: Any?) -> Operand {
        switch argument {
        case let constants as [Constant]: .list(constants.map { .constant($0) })
        case let constant as Constant: .constant(constant)
        case let text as String: .constant(.string(text))
        default: .constant(.null)
        }
    }

    private static func isOddName(_ argument: Any?) -> Bool {
        guard let name = argument as? String else { return false }
        let isPlain = name.allSatisfy { $0.isLetter || $0.isNumber || "_.".contains($0) }
        return !isPlain || (try? PredicateTemplate("#\(name) == nil")) == nil
    }

    private static func hasNoText(_ argument: Any?) -> Bool {
        let constants = argument as? [Constant] ?? (argument as? Constant).map { [$0] } ?? []
        return constants.contains { constant in
            switch constant {
            case .link: true
            case .double(let value): value.isNaN
            default: false
            }
        }
    }
}

extension PredicateTemplate {
    /// The predicate of a text without placeholders; nil where it has some.
    fileprivate var unfilled: QueryExpression? {
        try? expression(arguments: []) { _ in .constant(.null) }
    }
}
