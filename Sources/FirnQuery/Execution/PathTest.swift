import FirnStore

/// A comparison with constants of what a path leads to.
struct PathTest: Sendable {
    /// Of how many of the values the test must hold.
    enum Reach: Sendable {
        /// Of the one that there is.
        case one
        case any
        case all
    }

    let path: BoundPath
    let reach: Reach
    let test: ValueTest
    /// The answer where a link on the way is nil, or a key is not there.
    let matchesNothing: Bool
    /// The answer for an object, where the path leads to objects.
    let objects: ObjectTest?

    var cost: Int { 30 + test.cost }

    func matches(_ scope: Scope, _ connection: Connection) -> Bool {
        let isAll = reach == .all
        // Any: look for one that holds. All: look for one that does not.
        let isExhausted = path.forEachSite(scope, connection) { site in matches(site, connection) == isAll }
        return isExhausted == isAll
    }

    private func matches(_ site: BoundPath.Site, _ connection: Connection) -> Bool {
        switch site {
        case .value(let record, let slot): test.matches(record, slot, connection)
        case .object(let key): objects?.matches(key) ?? false
        case .key(let key): test.matches(text: key)
        case .nothing: matchesNothing
        }
    }
}

/// Whether an object is one of several.
struct ObjectTest: Sendable {
    /// In ascending order.
    let keys: [ObjectKey]
    let isInverted: Bool

    func matches(_ key: ObjectKey) -> Bool {
        let isMember = keys.holds {
            $0 < key
        } equal: {
            $0 == key
        }
        return isMember != isInverted
    }
}

extension ValueTest {
    /// The answer for a text that stands in no record, or for none.
    func matches(text: String?) -> Bool {
        switch self {
        case .text(let test): return text.map { $0.withBytes(test.matches) } ?? test.matchesAbsent
        case .member(let test): return text.map { $0.withBytes(test.matches(text:)) } ?? test.matchesAbsent
        case .absence(let test): return (text == nil) == test.matchesAbsent
        case .all(let tests): return tests.allSatisfy { $0.matches(text: text) }
        case .oneOf(let tests): return tests.contains { $0.matches(text: text) }
        case .always(let answer): return answer
        default: return false
        }
    }
}

extension String {
    /// Lends the UTF-8.
    fileprivate func withBytes<R>(_ body: (UnsafeRawBufferPointer) -> R) -> R {
        var text = self
        return text.withUTF8 { body(UnsafeRawBufferPointer($0)) }
    }
}
