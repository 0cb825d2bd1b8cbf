// AnyRealmValue has its own none, so it is never optional.
import RealmSwift

class Dog: Object {
    // error: requires that 'AnyRealmValue' conform to '_OptionalPersistable'
    @Persisted var companion: AnyRealmValue?
}
