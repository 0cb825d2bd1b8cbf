// An embedded object is added with its owner only.
import RealmSwift

class Address: EmbeddedObject {
    @Persisted var street = ""
}

func add(_ address: Address, to realm: Realm) {
    // error:
    realm.add(address)
}
