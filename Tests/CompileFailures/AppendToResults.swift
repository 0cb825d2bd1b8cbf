// Results are what a query finds: nothing is added to them.
import RealmSwift

class Dog: Object {
    @Persisted var name = ""
}

func add(_ dog: Dog, to results: Results<Dog>) {
    // error: has no member 'append'
    results.append(dog)
}
