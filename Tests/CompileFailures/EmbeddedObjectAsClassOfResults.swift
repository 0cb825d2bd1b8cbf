// Embedded objects are found through their owners only.
import RealmSwift

class Address: EmbeddedObject {
    @Persisted var street = ""
}

func addresses(of realm: Realm) {
    // error: requires that 'Address' conform to 'RealmFetchable'
    _ = realm.objects(Address.self)
}
