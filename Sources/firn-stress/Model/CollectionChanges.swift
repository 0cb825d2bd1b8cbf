import Firn

/// A change of a list: of Firn's, or of the array that stands for it.
enum ListChange<Element> {
    case append(Element)
    case insert([Element], at: Int)
    case replace(at: Int, Element)
    case remove(Range<Int>)
    case move(from: Int, to: Int)
    case removeAll

    func apply(to list: inout some ChangeableList<Element>) {
        switch self {
        case .append(let element): list.append(element)
        case .insert(let elements, let index): list.insert(contentsOf: elements, at: index)
        case .replace(let index, let element): list[index] = element
        case .remove(let range): list.removeSubrange(range)
        case .move(let from, let to): list.move(from: from, to: to)
        case .removeAll: list.removeAll()
        }
    }

    /// The change of a list of what stands for these elements.
    func map<Other>(_ transform: (Element) throws -> Other) rethrows -> ListChange<Other> {
        switch self {
        case .append(let element): .append(try transform(element))
        case .insert(let elements, let index): .insert(try elements.map(transform), at: index)
        case .replace(let index, let element): .replace(at: index, try transform(element))
        case .remove(let range): .remove(range)
        case .move(let from, let to): .move(from: from, to: to)
        case .removeAll: .removeAll
        }
    }
}

/// A change of a set.
enum SetChange<Element> {
    case insert([Element])
    case remove(Element)
    case removeAll

    func apply(to set: inout some ChangeableSet<Element>) {
        switch self {
        case .insert(let elements): set.insert(objectsIn: elements)
        case .remove(let element): set.remove(member: element)
        case .removeAll: set.removeAll()
        }
    }

    func map<Other>(_ transform: (Element) throws -> Other) rethrows -> SetChange<Other> {
        switch self {
        case .insert(let elements): .insert(try elements.map(transform))
        case .remove(let element): .remove(try transform(element))
        case .removeAll: .removeAll
        }
    }
}

/// A change of a map.
enum MapChange<Value> {
    case set(String, Value)
    case remove(String)
    case removeAll

    func apply(to map: inout some ChangeableMap<Value>) {
        switch self {
        case .set(let key, let value): map[key] = .some(value)
        case .remove(let key): map[key] = nil
        case .removeAll: map.removeAll()
        }
    }

    func map<Other>(_ transform: (Value) throws -> Other) rethrows -> MapChange<Other> {
        switch self {
        case .set(let key, let value): .set(key, try transform(value))
        case .remove(let key): .remove(key)
        case .removeAll: .removeAll
        }
    }
}

// MARK: What can be changed

protocol ChangeableList<Element> {
    associatedtype Element
    subscript(position: Int) -> Element { get set }
    mutating func append(_ element: Element)
    mutating func insert(contentsOf elements: some Collection<Element>, at index: Int)
    mutating func removeSubrange(_ range: some RangeExpression<Int>)
    mutating func move(from: Int, to: Int)
    mutating func removeAll()
}

extension List: ChangeableList {}

extension Array: ChangeableList {
    mutating func move(from: Int, to: Int) {
        insert(remove(at: from), at: to)
    }

    mutating func removeAll() {
        self = []
    }
}

protocol ChangeableSet<Element> {
    associatedtype Element
    mutating func insert(objectsIn elements: some Sequence<Element>)
    mutating func remove(member: Element)
    mutating func removeAll()
}

extension MutableSet: ChangeableSet {
    func remove(member: Element) {
        remove(member)
    }
}

extension Set: ChangeableSet {
    mutating func insert(objectsIn elements: some Sequence<Element>) {
        formUnion(elements)
    }

    mutating func remove(member: Element) {
        remove(member)
    }

    mutating func removeAll() {
        self = []
    }
}

protocol ChangeableMap<Value> {
    associatedtype Value
    subscript(key: String) -> Value? { get set }
    mutating func removeAll()
}

extension Map: ChangeableMap where Key == String {}

extension Dictionary: ChangeableMap where Key == String {
    mutating func removeAll() {
        self = [:]
    }
}
