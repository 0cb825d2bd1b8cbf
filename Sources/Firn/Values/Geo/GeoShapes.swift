/// What lies between two parallels and two meridians.
public struct GeoBox: Hashable, Sendable {
    /// The south-western corner.
    public let bottomLeft: GeoPoint
    /// The north-eastern corner.
    public let topRight: GeoPoint

    /// A box between two corners. It reaches east from `bottomLeft` to `topRight`, across the 180th meridian where that is
    /// the way.
    public init(bottomLeft: GeoPoint, topRight: GeoPoint) {
        self.bottomLeft = bottomLeft
        self.topRight = topRight
    }

    /// A box between two corners, each given as latitude and longitude; nil where one is no point.
    public init?(bottomLeft: (Double, Double), topRight: (Double, Double)) {
        guard let bottomLeft = GeoPoint(bottomLeft), let topRight = GeoPoint(topRight) else { return nil }
        self.init(bottomLeft: bottomLeft, topRight: topRight)
    }
}

/// What lies within a distance of a point.
public struct GeoCircle: Hashable, Sendable {
    /// The middle.
    public let center: GeoPoint
    /// The radius in radians of an arc.
    public let radiusInRadians: Double

    /// A circle; nil where the radius is negative or NaN.
    public init?(center: GeoPoint, radiusInRadians: Double) {
        guard let radius = Distance.radians(radiusInRadians) else { return nil }
        self.init(center: center, radius: radius)
    }

    /// A circle of a radius.
    public init(center: GeoPoint, radius: Distance) {
        self.center = center
        radiusInRadians = radius.radians
    }

    /// A circle around latitude and longitude; nil where they are no point, or the radius is negative or NaN.
    public init?(center: (Double, Double), radiusInRadians: Double) {
        guard let center = GeoPoint(center) else { return nil }
        self.init(center: center, radiusInRadians: radiusInRadians)
    }

    /// A circle around latitude and longitude; nil where they are no point.
    public init?(center: (Double, Double), radius: Distance) {
        guard let center = GeoPoint(center) else { return nil }
        self.init(center: center, radius: radius)
    }
}

/// What lies within a ring, but for what lies within other rings in that.
///
/// A ring has at least four points, and ends where it begins. Whether edges cross, and whether the holes lie inside, is for
/// the query that uses the polygon to find out.
public struct GeoPolygon: Hashable, Sendable {
    /// The ring around the polygon.
    public let outerRing: [GeoPoint]
    /// The rings within it that are left out.
    public let holes: [[GeoPoint]]

    /// A polygon; nil where a ring has fewer than four points or does not end where it begins.
    public init?(outerRing: [GeoPoint], holes: [[GeoPoint]] = []) {
        guard Self.isRing(outerRing), holes.allSatisfy(Self.isRing) else { return nil }
        self.outerRing = outerRing
        self.holes = holes
    }

    /// A polygon; nil where a ring has fewer than four points or does not end where it begins.
    public init?(outerRing: [GeoPoint], holes: [GeoPoint]...) {
        self.init(outerRing: outerRing, holes: holes)
    }

    /// A polygon of latitudes and longitudes; nil where one is no point, or a ring is none.
    public init?(outerRing: [(Double, Double)], holes: [[(Double, Double)]] = []) {
        guard let outerRing = Self.points(outerRing) else { return nil }
        let points = holes.compactMap(Self.points)
        guard points.count == holes.count else { return nil }
        self.init(outerRing: outerRing, holes: points)
    }

    /// A polygon of latitudes and longitudes; nil where one is no point, or a ring is none.
    public init?(outerRing: [(Double, Double)], holes: [(Double, Double)]...) {
        self.init(outerRing: outerRing, holes: holes)
    }

    private static func points(_ coordinates: [(Double, Double)]) -> [GeoPoint]? {
        let points = coordinates.compactMap { GeoPoint($0) }
        return points.count == coordinates.count ? points : nil
    }

    private static func isRing(_ points: [GeoPoint]) -> Bool {
        points.count >= 4 && points.first == points.last
    }
}
