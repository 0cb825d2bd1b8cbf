import FirnStore

/// Distinct elements in the order in which they came: what an unmanaged set holds. What is one element in a realm's set is
/// one here.
struct DistinctElements<Element: RealmCollectionValue> {
    private(set) var inOrder: [Element] = []
    private var identities: Set<ElementIdentity> = []

    func contains(_ element: Element) -> Bool {
        identities.contains(ElementIdentity(element))
    }

    mutating func insert(_ element: Element) {
        if identities.insert(ElementIdentity(element)).inserted { inOrder.append(element) }
    }

    mutating func remove(_ element: Element) {
        let identity = ElementIdentity(element)
        guard identities.remove(identity) != nil,
            let position = inOrder.firstIndex(where: { ElementIdentity($0) == identity })
        else { return }
        inOrder.remove(at: position)
    }

    /// Keeps the elements that are among others, or those that are not.
    mutating func filter(_ others: [Element], areKept: Bool) {
        let others = Set(others.map { ElementIdentity($0) })
        inOrder.removeAll { others.contains(ElementIdentity($0)) != areKept }
        identities = areKept ? identities.intersection(others) : identities.subtracting(others)
    }
}

extension DistinctElements: Hashable {
    static func == (left: DistinctElements, right: DistinctElements) -> Bool {
        left.identities == right.identities
    }

    func hash(into hasher: inout Hasher) {
        hasher.combine(identities)
    }
}

/// What makes an element of a set the same as another, as the sets of a realm see it.
///
/// Values are the same where they are stored alike, but that -0.0 is 0.0, NaN is NaN, and a decimal is one whatever zeros it
/// ends in; of any type, numbers are the same where they are equal, whatever their types. Objects are themselves.
private enum ElementIdentity: Hashable {
    case stored(StoredValue)
    /// The ordered form of a number.
    case number([UInt8])
    /// An object, and what cannot be stored.
    case element(AnyHashable)

    init(_ element: some RealmCollectionValue) {
        switch element._elementForm().form {
        case .stored(let value): self.init(value, isAny: false)
        case .any(let value): self = value.storedScalar.map { Self($0, isAny: true) } ?? .element(element)
        case .object, .unstorable: self = .element(element)
        }
    }

    private init(_ value: StoredValue, isAny: Bool) {
        switch value {
        case .float, .double, .decimal: break
        case .int where isAny: break
        default:
            self = .stored(value)
            return
        }
        var buffer = KeyBuffer()
        OrderedValue.append(value, as: isAny ? .any : .double, to: &buffer)
        self = .number(buffer.withBytes { [UInt8]($0) })
    }
}
