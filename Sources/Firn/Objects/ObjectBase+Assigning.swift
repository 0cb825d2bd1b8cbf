extension ObjectBase {
    /// Gives an unmanaged object the values of a dictionary, an array in order of declaration, or an object.
    ///
    /// Nested dictionaries, arrays and objects of other realms make nested unmanaged objects. Throws for a value that
    /// does not fit, after having assigned those before it.
    final func assignProperties(from value: Any) throws(Realm.Error) {
        var assignment = Assignment(realm: nil)
        try assignment.assign(value, to: self)
    }
}
