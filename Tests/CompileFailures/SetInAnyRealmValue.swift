// An AnyRealmValue holds lists and maps, but no set.
import RealmSwift

func wrap(_ set: MutableSet<AnyRealmValue>) -> AnyRealmValue {
    // error: has no member 'set'
    .set(set)
}
