import FirnStore
import LMDB

extension Realm.Error.Code {
    /// The code for an error of the store.
    init(_ error: StoreError) {
        if let environment = error.environment {
            self = Self.codes[environment.code] ?? .fail
        } else {
            self = Self.storeCodes[error.code] ?? .fail
        }
    }

    private static let storeCodes: [StoreError.Code: Self] = [
        .duplicateKey: .duplicateValue, .duplicateValue: .duplicateValue, .primaryKeyChanged: .invalidInput,
        .valueTooLarge: .invalidInput,
        .invalidMapKey: .invalidInput, .alreadyOwned: .invalidInput, .deletionDenied: .invalidInput,
        .nestedTooDeep: .invalidInput, .recordTooLarge: .invalidInput, .schemaMismatch: .schemaMismatch,
        .schemaVersionTooLow: .fail,
        .schemaChanged: .schemaMismatch, .noSuchObject: .invalidInput, .readOnly: .filePermissionDenied,
        .newerFormat: .unsupportedFileFormatVersion, .notADatabase: .invalidDatabase, .corrupted: .invalidDatabase,
    ]

    private static let codes: [LMDBError.Code: Self] = [
        .fileNotFound: .fileNotFound, .notADatabase: .invalidDatabase, .emptyFile: .invalidDatabase,
        .truncated: .invalidDatabase, .corrupted: .invalidDatabase, .newerFormat: .unsupportedFileFormatVersion,
        .permissionDenied: .filePermissionDenied, .readOnly: .filePermissionDenied, .isDirectory: .fileAccess,
        .diskFull: .outOfDiskSpace, .storeFull: .outOfDiskSpace, .addressSpaceExhausted: .addressSpaceExhausted,
        .alreadyOpenDifferently: .alreadyOpen, .alreadyOpen: .alreadyOpen, .alreadyExists: .fileExists,
        .networkFileSystem: .fileAccess, .ioFailure: .fileOperationFailed, .outgrown: .addressSpaceExhausted,
        .writerTimeout: .timedOut,
    ]
}
