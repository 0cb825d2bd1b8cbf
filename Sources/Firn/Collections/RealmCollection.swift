/// What all collections of a realm have in common, keyed ones aside.
public protocol RealmCollectionBase<Element>: RandomAccessCollection, CustomStringConvertible,
    ThreadConfined
where Element: RealmCollectionValue, Index == Int {
    /// The type of the elements, as Realm names it.
    typealias ElementType = Element
}

/// Elements of a realm in an order: results, lists, sets, and the objects that link to one.
///
/// All of it but sorting, filtering and the like works for a collection that no realm has, too.
public protocol RealmCollection<Element>: RealmCollectionBase, Equatable {
    /// Where the elements come from. Underscored: it is for the members that all collections share.
    var _elements: _CollectionElements { get }
}

/// What can be put into an `AnyRealmCollection`, in the words of Realm, where it is a bridge to Objective-C.
///
/// Underscored like Realm's; there is nothing to write.
public protocol _ObjcBridgeable {}

/// The elements of a collection that a realm has, or the word that none has it.
///
/// Public, because `RealmCollection` mentions it; what it holds is not.
public struct _CollectionElements {
    let source: ResultsSource?

    init(_ source: ResultsSource?) {
        self.source = source
    }
}

extension RealmCollection {
    /// The elements as a realm has them. Traps for a collection that none has, with what was asked of it.
    func managedSource(_ attempt: String) -> ResultsSource {
        guard let source = _elements.source else {
            misuse("A \(Self.self) that no realm has cannot be \(attempt); add it to one, or use Swift's own ways")
        }
        return source
    }

    /// The position of an element; nil where it is none. O(elements).
    ///
    /// An unmanaged object is no element of a collection that a realm has; a deleted one traps.
    public func index(of element: Element) -> Int? {
        if let source = _elements.source { return source.index(of: element) }
        return firstIndex(of: element)
    }

    /// The text of a collection: a name and the first hundred elements.
    func _describe(_ name: String) -> String {
        var text = "\(name) (\n"
        for (index, element) in prefix(100).enumerated() {
            text += "\t[\(index)] \(String(describing: element).split(separator: "\n").joined(separator: "\n\t")),\n"
        }
        if count > 100 { text += "\t… \(count - 100) more\n" }
        return text + ")"
    }
}
