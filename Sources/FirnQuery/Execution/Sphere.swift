import Foundation

/// A point of the unit sphere.
struct SpherePoint: Hashable, Sendable {
    let x: Double
    let y: Double
    let z: Double

    init(x: Double, y: Double, z: Double) {
        self.x = x
        self.y = y
        self.z = z
    }

    /// The point at degrees.
    init(_ place: GeoArea.Point) {
        let longitude = place.longitude * .pi / 180
        let latitude = place.latitude * .pi / 180
        self.init(x: cos(latitude) * cos(longitude), y: cos(latitude) * sin(longitude), z: sin(latitude))
    }

    func dot(_ other: SpherePoint) -> Double { x * other.x + y * other.y + z * other.z }

    func cross(_ other: SpherePoint) -> SpherePoint {
        SpherePoint(x: y * other.z - z * other.y, y: z * other.x - x * other.z, z: x * other.y - y * other.x)
    }

    /// The angle between two points, in radians; exact for small ones and for those near π too.
    func angle(to other: SpherePoint) -> Double {
        let product = cross(other)
        return atan2(product.dot(product).squareRoot(), dot(other))
    }

    /// By how much one turns, seen from here, who looks along the great circle from one point to another: positive to the
    /// left.
    func turn(from first: SpherePoint, to second: SpherePoint) -> Double {
        atan2(dot(first.cross(second)), first.dot(second) - dot(first) * dot(second))
    }
}

/// A closed line of great circles, and the smaller of the two areas that it parts.
struct SphereRing: Hashable, Sendable {
    /// The corners, the first one not repeated, so that the area lies to the left.
    private let corners: [SpherePoint]

    /// A ring through corners; those that follow each other at one place count once.
    init(_ places: [GeoArea.Point]) {
        var corners: [SpherePoint] = []
        for corner in places.map({ SpherePoint($0) }) where corner != corners.last { corners.append(corner) }
        if corners.count > 1, corners.first == corners.last { corners.removeLast() }
        self.corners = SphereRing.area(left: corners) > 2 * .pi ? corners.reversed() : corners
    }

    /// The area to the left, from 0 to 4π: triangles with the first corner, each with its sign (Oosterom and Strackee, 1983).
    private static func area(left corners: [SpherePoint]) -> Double {
        guard let first = corners.first else { return 0 }
        var area = 0.0
        for (second, third) in zip(corners.dropFirst(), corners.dropFirst(2)) {
            let volume = first.dot(second.cross(third))
            area += 2 * atan2(volume, 1 + first.dot(second) + second.dot(third) + third.dot(first))
        }
        return area < 0 ? area + 4 * .pi : area
    }

    /// Whether a point lies in the area: the ring goes round it once, to the left.
    func contains(_ point: SpherePoint) -> Bool {
        guard var previous = corners.last else { return false }
        var turn = 0.0
        for corner in corners {
            turn += point.turn(from: previous, to: corner)
            previous = corner
        }
        return turn > .pi
    }
}

/// An area, ready to be asked for points.
struct BoundArea: Sendable {
    private let shape: Shape

    private enum Shape: Sendable {
        case box(bottomLeft: GeoArea.Point, topRight: GeoArea.Point)
        case circle(SpherePoint, radians: Double)
        case polygon(outer: SphereRing, holes: [SphereRing])
    }

    init(_ area: GeoArea) {
        shape =
            switch area {
            case .box(let bottomLeft, let topRight): .box(bottomLeft: bottomLeft, topRight: topRight)
            case .circle(let center, let radians): .circle(SpherePoint(center), radians: radians)
            case .polygon(let rings):
                .polygon(outer: SphereRing(rings.first ?? []), holes: rings.dropFirst().map { SphereRing($0) })
            }
    }

    func contains(_ place: GeoArea.Point) -> Bool {
        switch shape {
        case .box(let bottomLeft, let topRight):
            guard place.latitude >= bottomLeft.latitude, place.latitude <= topRight.latitude else { return false }
            let (west, east) = (bottomLeft.longitude, topRight.longitude)
            return west <= east
                ? place.longitude >= west && place.longitude <= east
                : place.longitude >= west || place.longitude <= east
        case .circle(let center, let radians): return center.angle(to: SpherePoint(place)) <= radians
        case .polygon(let outer, let holes):
            let point = SpherePoint(place)
            return outer.contains(point) && !holes.contains { $0.contains(point) }
        }
    }
}
