extension List: RealmCollection, _ObjcBridgeable {
    /// Underscored: it is for the members that all collections share.
    public var _querySource: _QuerySource<Element> { _QuerySource(state, .list) { $0 } }

    public var _handedOver: _HandedOver { _HandedOver(state.handle, .list) }

    public static func _resolve(_ handedOver: _HandedOver, in realm: Realm) -> List? {
        handedOver.collection(in: realm).map { List($0) }
    }
}

extension MutableSet: RealmCollection, _ObjcBridgeable {
    /// Underscored: it is for the members that all collections share.
    public var _querySource: _QuerySource<Element> { _QuerySource(state, .set) { $0.inOrder } }

    public var _handedOver: _HandedOver { _HandedOver(state.handle, .set) }

    public static func _resolve(_ handedOver: _HandedOver, in realm: Realm) -> MutableSet? {
        handedOver.collection(in: realm).map { MutableSet($0) }
    }
}

extension Map: RealmKeyedCollection, _ObjcBridgeable {
    /// Underscored: it is for the members that all collections share.
    public var _querySource: _QuerySource<Value> { _QuerySource(state, .map) { Array($0.values) } }

    public var _handedOver: _HandedOver { _HandedOver(state.handle, .map) }

    public static func _resolve(_ handedOver: _HandedOver, in realm: Realm) -> Map? {
        handedOver.collection(in: realm).map { Map($0) }
    }
}
