import FirnQuery

/// A shape on the sphere that a query may ask for.
protocol GeoShape {
    /// The shape as queries have it.
    var area: GeoArea { get }
}

extension GeoBox: GeoShape {
    var area: GeoArea { .box(bottomLeft: bottomLeft.place, topRight: topRight.place) }
}

extension GeoCircle: GeoShape {
    var area: GeoArea { .circle(center: center.place, radians: radiusInRadians) }
}

extension GeoPolygon: GeoShape {
    var area: GeoArea { .polygon(rings: ([outerRing] + holes).map { $0.map(\.place) }) }
}

extension GeoPoint {
    fileprivate var place: GeoArea.Point { GeoArea.Point(longitude: longitude, latitude: latitude) }
}
