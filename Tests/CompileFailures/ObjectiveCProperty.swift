// Swift on Linux has no @objc; `dynamic var` says the same.
import RealmSwift

class Dog: Object {
    // error: Objective-C interoperability is disabled
    @objc dynamic var name = ""
}
