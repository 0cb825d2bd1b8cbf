// A type that Realm does not know needs a projection to one that it does.
import RealmSwift

struct UIImage {
    var bytes: [UInt8]
}

class User: Object {
    // error: requires that 'UIImage' conform to '_Persistable'
    @Persisted var image: UIImage
}
