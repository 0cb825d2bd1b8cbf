// An enum is stored in an AnyRealmValue by its raw value only.
import RealmSwift

enum Priority: String, PersistableEnum { case high, low }

func wrap(_ priority: Priority) -> AnyRealmValue {
    // error: cannot convert value of type 'Priority' to expected argument type 'String'
    .string(priority)
}
