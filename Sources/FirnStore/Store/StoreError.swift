import LMDB

/// What the store throws: data or a world that does not allow what was asked.
///
/// The transaction in which it was thrown can go on, unless the error comes from the environment.
package struct StoreError: Error, Sendable {
    /// What went wrong. Open: more may come.
    package struct Code: RawRepresentable, Hashable, Sendable {
        package let rawValue: String

        package init(rawValue: String) {
            self.rawValue = rawValue
        }

        /// Two objects would have the same primary key.
        package static let duplicateKey = Code(rawValue: "duplicateKey")
        /// Two objects have the same values in a unique index at the end of a write.
        package static let duplicateValue = Code(rawValue: "duplicateValue")
        /// A primary key was to be changed after its object was added.
        package static let primaryKeyChanged = Code(rawValue: "primaryKeyChanged")
        /// A string or data of more than `valueByteLimit` bytes.
        package static let valueTooLarge = Code(rawValue: "valueTooLarge")
        /// A map's key that holds `.` or `$`.
        package static let invalidMapKey = Code(rawValue: "invalidMapKey")
        /// An embedded object was given a second owner.
        package static let alreadyOwned = Code(rawValue: "alreadyOwned")
        /// A delete rule refuses that an object goes.
        package static let deletionDenied = Code(rawValue: "deletionDenied")
        /// Collections within collections, deeper than 100 levels.
        package static let nestedTooDeep = Code(rawValue: "nestedTooDeep")
        /// A schema whose rows could not fit into a record.
        package static let recordTooLarge = Code(rawValue: "recordTooLarge")
        /// The program's classes do not fit the file, and no migration was asked for.
        package static let schemaMismatch = Code(rawValue: "schemaMismatch")
        /// The program's schema version is lower than the file's.
        package static let schemaVersionTooLow = Code(rawValue: "schemaVersionTooLow")
        /// Another process changed the schema so that this program's classes no longer fit.
        package static let schemaChanged = Code(rawValue: "schemaChanged")
        /// The object is not, or no longer, there.
        package static let noSuchObject = Code(rawValue: "noSuchObject")
        /// The file was opened for reading only.
        package static let readOnly = Code(rawValue: "readOnly")
        /// The file's format is newer than what this build reads.
        package static let newerFormat = Code(rawValue: "newerFormat")
        /// The file is a database, but not one of Firn's.
        package static let notADatabase = Code(rawValue: "notADatabase")
        /// Bytes of the file are not what the format says.
        package static let corrupted = Code(rawValue: "corrupted")
        /// What LMDB or the system answered; `environment` tells which.
        package static let environment = Code(rawValue: "environment")
    }

    package let code: Code
    /// What happened and what to do about it.
    package let message: String
    /// The error of the layer below, where there was one.
    package let environment: LMDBError?

    package init(_ code: Code, _ message: String, environment: LMDBError? = nil) {
        self.code = code
        self.message = message
        self.environment = environment
    }

    package init(_ error: LMDBError) {
        self.init(.environment, error.message, environment: error)
    }

    /// Wraps whatever a lower layer threw.
    package init(wrapping error: any Error) {
        switch error {
        case let error as StoreError: self = error
        case let error as LMDBError: self.init(error)
        default: self.init(.environment, String(describing: error))
        }
    }
}

extension StoreError: CustomStringConvertible {
    package var description: String { message }
}

/// The largest string (in UTF-8) or data that one property may hold: 16 MiB.
package let valueByteLimit = 16_777_216
