/// States by key, of which one can be picked at random in O(1).
struct KeyedStates<State> {
    private var states: [Int: (state: State, place: Int)] = [:]
    private(set) var keys: [Int] = []

    var count: Int { keys.count }

    func pick(_ generator: inout SeededGenerator) -> Int? {
        keys.randomElement(using: &generator)
    }

    subscript(_ key: Int) -> State? {
        get { states[key]?.state }
        set {
            if let newValue {
                if states[key] != nil {
                    states[key]?.state = newValue
                } else {
                    states[key] = (newValue, keys.count)
                    keys.append(key)
                }
            } else if let place = states.removeValue(forKey: key)?.place {
                let last = keys.removeLast()
                if last != key {
                    keys[place] = last
                    states[last]?.place = place
                }
            }
        }
    }
}
