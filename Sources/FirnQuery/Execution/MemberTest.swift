import FirnStore

/// Whether a value is one of several. O(log constants).
struct MemberTest: ValueMatcher {
    enum Members: Sendable {
        /// In ascending order.
        case integers([Int64])
        case wides([Int128])
        /// Folded, in the order of their bytes.
        case texts([[UInt8]], TextFolding?)
    }

    let members: Members
    let matchesAbsent: Bool

    var readsRecordOnly: Bool {
        if case .texts = members { false } else { true }
    }

    @inline(__always)
    func matches(_ record: RecordView, _ slot: Int, _ connection: Connection) -> Bool {
        let entry = record.entry(slot)
        switch members {
        case .integers(let integers):
            guard entry.code &- Tag.int8.rawValue < 4 else { return matchesAbsent }
            return integers.holds {
                $0 < record.int64(entry)
            } equal: {
                $0 == record.int64(entry)
            }
        case .wides(let wides):
            guard let number = WideTest.number(record, slot) else { return matchesAbsent }
            return wides.holds {
                $0 < number
            } equal: {
                $0 == number
            }
        case .texts:
            switch entry.code {
            case Tag.string.rawValue, Tag.data.rawValue, Tag.coded.rawValue:
                return matches(text: record.payload(slot))
            case Tag.blob.rawValue: return matchesBlob(record, slot, connection)
            default: return matchesAbsent
            }
        }
    }

    @inline(never)
    private func matchesBlob(_ record: RecordView, _ slot: Int, _ connection: Connection) -> Bool {
        if record.blob(slot).kind != Tag.string.rawValue {
            return connection.data(record, slot).withUnsafeBytes { matches(text: $0) }
        }
        var string = connection.string(record, slot)
        return string.withUTF8 { matches(text: UnsafeRawBufferPointer($0)) }
    }

    func matches(text: UnsafeRawBufferPointer) -> Bool {
        guard case .texts(let texts, let folding) = members else { return false }
        if let folding { return folding.fold(text).withUnsafeBytes { Self.holds(texts, $0) } }
        return Self.holds(texts, text)
    }

    private static func holds(_ texts: [[UInt8]], _ text: UnsafeRawBufferPointer) -> Bool {
        texts.holds {
            $0.withUnsafeBytes { $0.order(against: text) < 0 }
        } equal: {
            $0.withUnsafeBytes { $0.holdsSameBytes(as: text) }
        }
    }
}

extension Array {
    /// Whether a sorted array has an element that is `equal`, where `precedes` holds for all before it. O(log n).
    @inline(__always)
    func holds(_ precedes: (Element) -> Bool, equal: (Element) -> Bool) -> Bool {
        var low = 0
        var high = count
        while low < high {
            let middle = (low + high) / 2
            if precedes(self[middle]) { low = middle + 1 } else { high = middle }
        }
        return low < count && equal(self[low])
    }
}

extension MemberTest {
    /// One test that holds where any of several does, each of them for one value: a search where all are of one kind.
    static func joining(_ tests: [ValueTest]) -> ValueTest {
        let isAbsentIn = tests.contains(where: \.matchesAbsent)
        if tests.count < 4 { return tests.count == 1 ? tests[0] : tests.isEmpty ? .always(false) : .oneOf(tests) }
        if let integers = tests.values({ if case .integer(let test) = $0 { test.range.lower } else { nil } }) {
            return .member(MemberTest(members: .integers(integers.sorted()), matchesAbsent: isAbsentIn))
        }
        if let wides = tests.values({ if case .wide(let test) = $0 { test.range.lower } else { nil } }) {
            return .member(MemberTest(members: .wides(wides.sorted()), matchesAbsent: isAbsentIn))
        }
        if let texts = tests.values({ if case .text(let test) = $0 { test } else { nil } }) {
            let patterns = texts.map(\.pattern).sorted { $0.lexicographicallyPrecedes($1) }
            return .member(
                MemberTest(members: .texts(patterns, texts.first?.folding), matchesAbsent: isAbsentIn))
        }
        if let targets = tests.values({ if case .link(let test) = $0 { test.targets.keys } else { nil } }) {
            return .link(LinkTest(targets: ObjectTest(keys: targets.flatMap { $0 }.sorted(), isInverted: false)))
        }
        return .oneOf(tests)
    }
}

extension [ValueTest] {
    /// What is made of the tests; nil where nothing can be made of one that is not about nil.
    fileprivate func values<Value>(_ value: (ValueTest) -> Value?) -> [Value]? {
        var values: [Value] = []
        for test in self {
            if case .absence = test { continue }
            guard let found = value(test) else { return nil }
            values.append(found)
        }
        return values
    }
}

extension ValueTest {
    /// The answer for nil, or for what has no value.
    fileprivate var matchesAbsent: Bool {
        switch self {
        case .absence(let test): test.matchesAbsent
        case .integer(let test): test.matchesAbsent
        case .wide(let test): test.matchesAbsent
        case .text(let test): test.matchesAbsent
        default: false
        }
    }
}
