import FirnStore
import Foundation

/// Coded values for those who do not know their type: as dictionaries, arrays and single values.
extension CodedValue {
    /// The value without its tags: keyed ones are dictionaries, arrays arrays, null is nil, and `NSNull` within others.
    var untyped: Any? {
        switch self {
        case .scalar(let value): value.untyped
        case .unsigned(let value): value
        case .array(let values): values.map { $0.untyped ?? NSNull() }
        case .keyed(let pairs): Dictionary(pairs.map { ($0.name, $0.value.untyped ?? NSNull()) }) { $1 }
        }
    }

    /// The coded form of a value as `untyped` gives it, or of any `Encodable` one; nil for what has none: objects, what holds
    /// some, and what nests too deep.
    init?(untyped value: Any) {
        self.init(untyped: value, depth: 0)
    }

    private init?(untyped value: Any, depth: Int) {
        guard depth <= Self.depthLimit else { return nil }
        guard let value = UntypedValue.unwrapped(value) else {
            self = .null
            return
        }
        switch value {
        case let value as UndecodedValue:
            guard let coded = try? CodedValue(decoding: value.bytes) else { return nil }
            self = coded
        case let value as AnyRealmValue: self.init(untyped: value._untyped() as Any, depth: depth)
        case is ObjectBase: return nil
        case let value as any CodedScalar: self = value.codedValue
        case let value as NSNumber: self.init(value)
        case is [Any], is any _PersistableCollection:
            if let entries = UntypedValue.untypedEntries(value) {
                self.init(entries, depth: depth)
            } else {
                self.init(UntypedValue.untypedElements(value) ?? [], depth: depth)
            }
        case let entries as [String: Any]: self.init(entries.map { ($0.key, $0.value) }, depth: depth)
        case let value as any Encodable:
            guard let bytes = try? CodedEncoder.encode(value), let coded = try? CodedValue(decoding: bytes) else {
                return nil
            }
            self = coded
        default: return nil
        }
    }

    private init?(_ number: NSNumber) {
        if UntypedValue.isBool(number) {
            self = .scalar(.bool(number.boolValue))
        } else if let value = UntypedValue.integer(number) {
            self = .scalar(.int(value))
        } else if let value = UntypedValue.floating(number) {
            self = .scalar(.double(value))
        } else {
            self = .unsigned(number.uint64Value)
        }
    }

    private init?(_ elements: [Any], depth: Int) {
        var values: [CodedValue] = []
        for element in elements {
            guard let value = CodedValue(untyped: element, depth: depth + 1) else { return nil }
            values.append(value)
        }
        self = .array(values)
    }

    private init?(_ entries: [(key: String, value: Any)], depth: Int) {
        var pairs: [Pair] = []
        for entry in entries {
            guard let value = CodedValue(untyped: entry.value, depth: depth + 1) else { return nil }
            pairs.append(Pair(name: entry.key, value: value))
        }
        self = .keyed(pairs)
    }
}
