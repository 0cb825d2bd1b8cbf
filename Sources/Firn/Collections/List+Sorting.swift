// The standard library would set one position after the other, so that an embedded object stood at two for a moment, and lost
// its place in a realm.
extension List {
    /// Sorts the list in place, by a predicate that answers whether its first argument is to stand before its second. Elements
    /// that are equal by it keep their order.
    public func sort(by areInIncreasingOrder: (Element, Element) throws -> Bool) rethrows {
        _take(List(try Array(self).sorted(by: areInIncreasingOrder)), isMerging: false)
    }
}

extension List where Element: Comparable {
    /// Sorts the list in place, in ascending order. Elements that are equal keep their order.
    public func sort() {
        sort(by: <)
    }
}
