// AnyRealmValue can be indexed, but it is no primary key.
import RealmSwift

class Dog: Object {
    @Persisted(indexed: true) var indexed: AnyRealmValue
    // error: requires that 'AnyRealmValue
    @Persisted(primaryKey: true) var companion: AnyRealmValue
}
