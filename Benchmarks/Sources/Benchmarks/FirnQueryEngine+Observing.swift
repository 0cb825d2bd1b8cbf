import Dispatch
import Firn

/// What observers cost.
extension FirnQueryEngine {
    /// The median time in which an observer is told of one object that comes to a filter's results or goes, and how many there are
    /// in the end.
    func timeToTell(of changes: Int, scoreAbove bound: Double) throws -> (time: Double, count: Int) {
        let watched = realm.objects(QueryItem.self).filter(try ObjectPredicate("score > %@ AND active == true", bound))
        var calls = 0
        let token = watched.observe { _ in calls += 1 }
        realm.refresh()
        let items = Array(realm.objects(QueryItem.self).filter("score > %@", bound).limit(changes / 2))
        var times: [Double] = []
        // Each is changed and changed back.
        for item in items + items {
            try realm.write { item.active.toggle() }
            let start = ContinuousClock.now
            realm.refresh()
            times.append((ContinuousClock.now - start).seconds)
        }
        guard calls == 1 + times.count else {
            throw Disagreement(description: "an observer was called \(calls) times for \(times.count) changes")
        }
        token.invalidate()
        return (times.sorted()[times.count / 2], watched.count)
    }

    /// The median time from the end of a commit to the call of an observer on a queue.
    func timeToQueue(_ commits: Int) throws -> Double {
        let latch = Latch()
        guard let item = realm.objects(QueryItem.self).first else { return 0 }
        let token = realm.objects(QueryItem.self).filter("code == %@", item.code).observe(
            on: DispatchQueue(label: "observer")
        ) { _ in latch.open() }
        _ = latch.wait()
        var times: [Double] = []
        for _ in 0..<commits {
            try realm.write { item.active.toggle() }
            let start = ContinuousClock.now
            times.append((latch.wait() - start).seconds)
        }
        token.invalidate()
        return times.sorted()[commits / 2]
    }

    /// The median time from passing a block to a queue to its call.
    static func timeOfDispatch(_ blocks: Int) -> Double {
        let latch = Latch()
        let queue = DispatchQueue(label: "observer")
        var times: [Double] = []
        for _ in 0..<blocks {
            let start = ContinuousClock.now
            queue.async { latch.open() }
            times.append((latch.wait() - start).seconds)
        }
        return times.sorted()[blocks / 2]
    }
}
