import FirnStore

/// The type of a value of any type, by its name.
struct AnyTypeTest: ValueMatcher {
    /// What a value of any type may be.
    enum Kind: Hashable, Sendable {
        case null, bool, int, float, double, decimal, string, data, date, objectID, uuid, object, list, dictionary
    }

    let kinds: Set<Kind>
    let isInverted: Bool

    func matches(_ record: RecordView, _ slot: Int, _ connection: Connection) -> Bool {
        AnyTypeTest.kind(record, slot).map(kinds.contains) != isInverted
    }

    /// What stands in a slot.
    private static func kind(_ record: RecordView, _ slot: Int) -> Kind? {
        switch record.tag(slot) {
        case .null, nil: .null
        case .false, .true: .bool
        case .int8, .int16, .int32, .int64: .int
        case .float: .float
        case .double: .double
        case .decimal128: .decimal
        case .date: .date
        case .string: .string
        case .data: .data
        case .blob: record.blob(slot).kind == Tag.data.rawValue ? .data : .string
        case .objectID: .objectID
        case .uuid: .uuid
        case .link, .typedLink: .object
        case .collection: record.collection(slot).kind == CollectionKind.list.rawValue ? .list : .dictionary
        case .coded: nil
        }
    }

    /// The kinds that a name stands for; nil for a name that is none.
    static func kinds(named name: String) -> Set<Kind>? {
        switch name.lowercased() {
        case "null", "nil", "none": [.null]
        case "bool", "boolean": [.bool]
        case "int", "integer", "long", "short": [.int]
        case "float": [.float]
        case "double": [.double]
        case "decimal", "decimal128": [.decimal]
        case "numeric", "number": [.int, .float, .double, .decimal]
        case "string": [.string]
        case "data", "binary", "base64": [.data]
        case "date", "timestamp": [.date]
        case "objectid", "oid": [.objectID]
        case "uuid": [.uuid]
        case "object", "link", "objectlink", "dbref": [.object]
        case "list", "array": [.list]
        case "dictionary", "map": [.dictionary]
        case "collection": [.list, .dictionary]
        default: nil
        }
    }
}

/// The case of a `Codable` enum, by its name.
struct CaseNameTest: ValueMatcher {
    /// What is asked of the name.
    let names: ValueTest

    func matches(_ record: RecordView, _ slot: Int, _ connection: Connection) -> Bool {
        names.matches(text: CaseNameTest.name(record, slot, connection))
    }

    /// The name of the case in a slot; nil for anything else.
    static func name(_ record: RecordView, _ slot: Int, _ connection: Connection) -> String? {
        switch record.tag(slot) {
        case .coded: CodedValue.caseName(record.payload(slot))
        case .blob where record.blob(slot).kind == Tag.coded.rawValue:
            if case .coded(let data) = connection.value(record, slot) {
                data.withUnsafeBytes { CodedValue.caseName($0) }
            } else {
                nil
            }
        default: nil
        }
    }
}
