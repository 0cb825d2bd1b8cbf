// The persisted type of a projection is not optional; the property may be.
import Foundation
import RealmSwift

struct Link {
    var url: URL
}

// error: does not conform to protocol
extension Link: FailableCustomPersistable {
    typealias PersistedType = String?
    init?(persistedValue: String?) {
        guard let url = persistedValue.flatMap({ URL(string: $0) }) else { return nil }
        self.url = url
    }
    var persistableValue: String? { url.absoluteString }
}
