// An enum with associated values is stored when it says that it is PersistableCodable.
// swift-format-ignore-file: AlwaysUseLowerCamelCase

import Foundation
import RealmSwift

class TODOTag: Object {
    @Persisted var id: UUID = UUID()
    // error: requires that 'TODOTag.TagType' conform to '_Persistable'
    @Persisted var type: TagType

    public enum TagType {
        case Priority(value: String)
        case DueDate(due: Date)
    }
}
