extension Realm.Error {
    /// The kinds of error, with Realm's numbers, but those from 1001 on. An open set: more may come.
    public struct Code: RawRepresentable, Hashable, Sendable {
        /// The number.
        public let rawValue: Int

        /// A code of any number.
        public init(rawValue: Int) {
            self.rawValue = rawValue
        }

        /// Something else.
        public static let fail = Code(rawValue: 1)
        /// The file could not be read or written.
        public static let fileAccess = Code(rawValue: 2)
        /// The file may not be read or written.
        public static let filePermissionDenied = Code(rawValue: 3)
        /// There is a file already.
        public static let fileExists = Code(rawValue: 4)
        /// There is no file.
        public static let fileNotFound = Code(rawValue: 5)
        /// The file is of an older format that must be upgraded first.
        public static let fileFormatUpgradeRequired = Code(rawValue: 6)
        /// The lock file belongs to another version.
        public static let incompatibleLockFile = Code(rawValue: 8)
        /// The process has no address space left for the file.
        public static let addressSpaceExhausted = Code(rawValue: 9)
        /// The file's schema is another one.
        public static let schemaMismatch = Code(rawValue: 10)
        /// The file is open, or open with other settings.
        public static let alreadyOpen = Code(rawValue: 12)
        /// A value that cannot be stored.
        public static let invalidInput = Code(rawValue: 13)
        /// The disk, or the store's own limit, is full.
        public static let outOfDiskSpace = Code(rawValue: 14)
        /// The file is open in a way that excludes this one.
        public static let incompatibleSession = Code(rawValue: 15)
        /// The file is of a format that this version does not know.
        public static let unsupportedFileFormatVersion = Code(rawValue: 16)
        /// An operation on the file failed.
        public static let fileOperationFailed = Code(rawValue: 19)
        /// The file is no database, or a damaged one.
        public static let invalidDatabase = Code(rawValue: 20)
        /// Two objects have the same values of what is unique, at the end of a write or when it is made unique. Not Realm's.
        public static let duplicateValue = Code(rawValue: 1001)
        /// A write had no turn for as long as it may wait. Not one of Realm's codes.
        public static let timedOut = Code(rawValue: 1002)
    }

    /// See `Code.fail`.
    public static var fail: Code { .fail }
    /// See `Code.fileAccess`.
    public static var fileAccess: Code { .fileAccess }
    /// See `Code.filePermissionDenied`.
    public static var filePermissionDenied: Code { .filePermissionDenied }
    /// See `Code.fileExists`.
    public static var fileExists: Code { .fileExists }
    /// See `Code.fileNotFound`.
    public static var fileNotFound: Code { .fileNotFound }
    /// See `Code.fileFormatUpgradeRequired`.
    public static var fileFormatUpgradeRequired: Code { .fileFormatUpgradeRequired }
    /// See `Code.incompatibleLockFile`.
    public static var incompatibleLockFile: Code { .incompatibleLockFile }
    /// See `Code.addressSpaceExhausted`.
    public static var addressSpaceExhausted: Code { .addressSpaceExhausted }
    /// See `Code.schemaMismatch`.
    public static var schemaMismatch: Code { .schemaMismatch }
    /// See `Code.alreadyOpen`.
    public static var alreadyOpen: Code { .alreadyOpen }
    /// See `Code.invalidInput`.
    public static var invalidInput: Code { .invalidInput }
    /// See `Code.outOfDiskSpace`.
    public static var outOfDiskSpace: Code { .outOfDiskSpace }
    /// See `Code.incompatibleSession`.
    public static var incompatibleSession: Code { .incompatibleSession }
    /// See `Code.unsupportedFileFormatVersion`.
    public static var unsupportedFileFormatVersion: Code { .unsupportedFileFormatVersion }
    /// See `Code.fileOperationFailed`.
    public static var fileOperationFailed: Code { .fileOperationFailed }
    /// See `Code.invalidDatabase`.
    public static var invalidDatabase: Code { .invalidDatabase }
    /// See `Code.duplicateValue`.
    public static var duplicateValue: Code { .duplicateValue }
    /// See `Code.timedOut`.
    public static var timedOut: Code { .timedOut }
}

extension Realm.Error.Code {
    /// Lets `catch Realm.Error.fileNotFound` match.
    public static func ~= (code: Self, error: any Swift.Error) -> Bool {
        (error as? Realm.Error)?.code == code
    }
}

extension Realm.Error.Code: CustomStringConvertible {
    /// The code's name.
    public var description: String {
        Self.names[self] ?? "code \(rawValue)"
    }

    private static let names: [Self: String] = [
        .fail: "fail",
        .fileAccess: "fileAccess",
        .filePermissionDenied: "filePermissionDenied",
        .fileExists: "fileExists",
        .fileNotFound: "fileNotFound",
        .fileFormatUpgradeRequired: "fileFormatUpgradeRequired",
        .incompatibleLockFile: "incompatibleLockFile",
        .addressSpaceExhausted: "addressSpaceExhausted",
        .schemaMismatch: "schemaMismatch",
        .alreadyOpen: "alreadyOpen",
        .invalidInput: "invalidInput",
        .outOfDiskSpace: "outOfDiskSpace",
        .incompatibleSession: "incompatibleSession",
        .unsupportedFileFormatVersion: "unsupportedFileFormatVersion",
        .fileOperationFailed: "fileOperationFailed",
        .invalidDatabase: "invalidDatabase",
        .duplicateValue: "duplicateValue",
        .timedOut: "timedOut",
    ]
}
