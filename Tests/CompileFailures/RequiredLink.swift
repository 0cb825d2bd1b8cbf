// A property that links to an object is optional.
import RealmSwift

class Person: Object {
    @Persisted var name = ""
}

class Dog: Object {
    // error: requires that 'Person' conform to '_Persistable'
    @Persisted var owner: Person
}
