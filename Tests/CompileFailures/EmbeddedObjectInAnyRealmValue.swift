// An AnyRealmValue holds no embedded object.
import RealmSwift

class Address: EmbeddedObject {
    @Persisted var street = ""
}

func wrap(_ address: Address) -> AnyRealmValue {
    // error: cannot convert value of type 'Address' to expected argument type 'Object'
    .object(address)
}
