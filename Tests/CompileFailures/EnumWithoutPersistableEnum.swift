// An enum is stored when it says that it is a PersistableEnum.
// swift-format-ignore-file: AlwaysUseLowerCamelCase

import Foundation
import RealmSwift

class TODOTag: Object {
    @Persisted var id: UUID = UUID()
    // error: requires that 'TODOTag.TagType' conform to '_Persistable'
    @Persisted var type: TagType

    public enum TagType: String, RawRepresentable {
        case Priority, DueDate
    }
}
