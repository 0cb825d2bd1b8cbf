import FirnStore
import Foundation
import LMDB

extension Realm {
    /// What opening, writing or copying a realm throws: a code, a message that says what to do, and the cause.
    ///
    ///     do {
    ///         _ = try Realm(configuration: configuration)
    ///     } catch Realm.Error.fileNotFound {
    ///         …
    ///     }
    public struct Error: Swift.Error, Sendable {
        /// What kind of error it is.
        public let code: Code

        /// What happened, and what to do.
        public let message: String

        /// The file that the error is about.
        public let fileURL: URL?

        /// The error of the layer below.
        public let cause: (any Swift.Error)?

        init(_ code: Code, _ message: String, fileURL: URL? = nil, cause: (any Swift.Error)? = nil) {
            self.code = code
            let path = fileURL?.path ?? ""
            self.message = path.isEmpty || message.contains(path) ? message : "\(message) (\(path))"
            self.fileURL = fileURL
            self.cause = cause
        }
    }
}

extension Realm.Error: CustomStringConvertible, LocalizedError, CustomNSError {
    /// The domain of the `NSError` that this error becomes.
    public static var errorDomain: String { "io.realm" }

    /// The code's number.
    public var errorCode: Int { code.rawValue }

    /// The message and the file's URL under the keys that Foundation uses.
    public var errorUserInfo: [String: Any] {
        var info: [String: Any] = [NSLocalizedDescriptionKey: message]
        info[NSURLErrorKey] = fileURL
        info[NSUnderlyingErrorKey] = cause
        return info
    }

    /// The message.
    public var errorDescription: String? { message }

    /// The message.
    public var localizedDescription: String { message }

    /// The code and the message.
    public var description: String { "\(code): \(message)" }
}

extension Realm.Error: Equatable {
    /// Whether both have the same code.
    public static func == (left: Realm.Error, right: Realm.Error) -> Bool {
        left.code == right.code
    }
}

extension Realm.Error {
    /// A value that does not fit its property.
    static func unfitting(_ value: Any, _ property: PropertyInfo, of className: String) -> Realm.Error {
        Realm.Error(
            .invalidInput,
            "\(className).\(property.name) is of type \(property.typeName) and cannot hold \(UntypedValue.describe(value))"
        )
    }

    /// A value of the right type that cannot be stored.
    static func unstorable(
        _ error: any Swift.Error, _ property: PropertyInfo, of className: String
    ) -> Realm.Error {
        Realm.Error(
            .invalidInput, "\(className).\(property.name) cannot be stored: \(describe(error))", cause: error)
    }

    /// An error's text in one line: a Codable type's without the types around it.
    static func describe(_ error: any Swift.Error) -> String {
        let context: any CodingErrorContext
        switch error {
        case DecodingError.dataCorrupted(let found), DecodingError.keyNotFound(_, let found),
            DecodingError.typeMismatch(_, let found), DecodingError.valueNotFound(_, let found):
            context = found
        case EncodingError.invalidValue(_, let found): context = found
        default: return "\(error)"
        }
        let path = context.codingPath.map(\.stringValue).joined(separator: ".")
        return context.debugDescription + (path.isEmpty ? "" : " (at \(path))")
    }

    /// An error of the store, as the user of a realm sees it.
    init(_ error: StoreError, fileURL: URL?, context: String? = nil) {
        self.init(
            Code(error), context.map { "\($0): \(error.message)" } ?? error.message, fileURL: fileURL, cause: error)
    }

    /// Any error of the layers below.
    static func wrapping(_ error: any Swift.Error, fileURL: URL?) -> Realm.Error {
        switch error {
        case let error as Realm.Error: error
        case let error as StoreError: Realm.Error(error, fileURL: fileURL)
        case let error as LMDBError: Realm.Error(StoreError(error), fileURL: fileURL)
        default: Realm.Error(.fail, "\(error)", fileURL: fileURL, cause: error)
        }
    }
}

/// Where and why encoding or decoding failed.
private protocol CodingErrorContext {
    var codingPath: [any CodingKey] { get }
    var debugDescription: String { get }
}

extension DecodingError.Context: CodingErrorContext {}
extension EncodingError.Context: CodingErrorContext {}
