// Results are what a query finds: nothing is taken from them.
import RealmSwift

class Dog: Object {
    @Persisted var name = ""
}

func removeFirst(of results: Results<Dog>) {
    var results = results
    // error: be equivalent
    results.removeFirst()
}
