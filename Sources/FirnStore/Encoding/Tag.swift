/// What a record's entry says of its slot: the type of the value and the width of its payload.
///
/// The raw values are on disk: append-only, never reused, below 32 (a narrow record gives a tag five bits).
@usableFromInline package enum Tag: UInt8, CaseIterable, Sendable {
    case null = 0
    case `false` = 1
    case `true` = 2
    case int8 = 3
    case int16 = 4
    case int32 = 5
    case int64 = 6
    case float = 7
    case double = 8
    case decimal128 = 9
    case date = 10
    case string = 11
    case data = 12
    case objectID = 13
    case uuid = 14
    case link = 15
    case typedLink = 16
    case collection = 17
    case blob = 18
    case coded = 19

    /// How many raw values are in use; they are the numbers below it, without a gap.
    @inlinable package static var codeCount: UInt8 { 20 }

    /// The tag with a raw value read from a file, nil if this version of the format has none.
    ///
    /// What `init(rawValue:)` does, in one comparison.
    @inlinable package init?(code: UInt8) {
        guard code < Tag.codeCount else { return nil }
        // SAFETY: an enum without payloads is stored as the ordinal of its case in one byte, and the raw values are
        // the ordinals (a test walks all of them).
        self = unsafeBitCast(code, to: Tag.self)
    }

    /// The byte count every payload of this tag has, nil where it varies (link, string, data, coded).
    package var payloadByteCount: Int? {
        switch self {
        case .null, .false, .true: 0
        case .int8: 1
        case .int16: 2
        case .int32, .float: 4
        case .int64, .double: 8
        case .collection: 9
        case .date, .objectID, .typedLink: 12
        case .blob: 13
        case .decimal128, .uuid: 16
        case .link, .string, .data, .coded: nil
        }
    }

    /// Whether values of this kind may stand in a blob.
    package var mayBeBlob: Bool { self == .string || self == .data || self == .coded }
}
