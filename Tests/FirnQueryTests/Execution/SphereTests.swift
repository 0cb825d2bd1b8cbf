import Foundation
import TestSupport
import Testing

@testable import FirnQuery

/// Areas on the sphere, against other ways to the same answer.
@Suite struct SphereTests {
    private typealias Place = GeoArea.Point

    private static func place(_ longitude: Double, _ latitude: Double) -> GeoArea.Point {
        GeoArea.Point(longitude: longitude, latitude: latitude)
    }

    /// The place at a bearing and an angle from another.
    private static func place(from start: GeoArea.Point, bearing: Double, angle: Double) -> GeoArea.Point {
        let latitude = start.latitude * .pi / 180
        let end = asin(sin(latitude) * cos(angle) + cos(latitude) * sin(angle) * cos(bearing))
        let turn = atan2(sin(bearing) * sin(angle) * cos(latitude), cos(angle) - sin(latitude) * sin(end))
        var longitude = start.longitude + turn * 180 / .pi
        if longitude > 180 { longitude -= 360 }
        if longitude < -180 { longitude += 360 }
        return place(longitude, end * 180 / .pi)
    }

    private static func randomPlace(_ generator: inout SeededGenerator) -> GeoArea.Point {
        let poles: [Double] = [89.999, -89.999, 89.5, 0]
        let latitude =
            Int.random(in: 0..<6, using: &generator) == 0
            ? poles.randomElement(using: &generator) ?? 0
            : asin(Double.random(in: -1...1, using: &generator)) * 180 / .pi
        return place(Double.random(in: -180...180, using: &generator), latitude)
    }

    @Test func `a circle has what the haversine formula says is near`() throws {
        try RandomRuns(1...3).run { seed in
            var generator = SeededGenerator(seed: seed)
            for _ in 0..<500 {
                let center = Self.randomPlace(&generator)
                let other = Self.randomPlace(&generator)
                let latitudes = (center.latitude * .pi / 180, other.latitude * .pi / 180)
                let east = (other.longitude - center.longitude) * .pi / 180
                let half =
                    pow(sin((latitudes.1 - latitudes.0) / 2), 2)
                    + cos(latitudes.0) * cos(latitudes.1) * pow(sin(east / 2), 2)
                let distance = 2 * asin(min(1, half.squareRoot()))
                for (radius, isIn) in [(distance + 1e-6, true), (distance - 1e-6, false)] {
                    let area = BoundArea(.circle(center: center, radians: radius))
                    try #require(area.contains(other) == isIn, "\(center) \(other) \(radius)")
                }
            }
        }
    }

    @Test func `a polygon has what its image in a plane has, wherever it lies and whichever way round`() throws {
        try RandomRuns(1...5).run { seed in
            var generator = SeededGenerator(seed: seed)
            for _ in 0..<60 {
                let center = Self.randomPlace(&generator)
                // A star, so that the edges do not cross.
                let count = Int.random(in: 3...12, using: &generator)
                var ring = (0..<count).map { corner -> Place in
                    let bearing =
                        (Double(corner) + Double.random(in: 0..<0.8, using: &generator)) / Double(count) * 2 * .pi
                    return Self.place(
                        from: center, bearing: bearing, angle: Double.random(in: 0.05...1.2, using: &generator))
                }
                ring.append(ring[0])
                if Bool.random(using: &generator) { ring.reverse() }
                let area = BoundArea(.polygon(rings: [ring]))
                for _ in 0..<40 {
                    let point = Self.place(
                        from: center, bearing: Double.random(in: 0...(2 * .pi), using: &generator),
                        angle: Double.random(in: 0...1.3, using: &generator))
                    let expected = Self.isInside(point, ring, around: center)
                    try #require(area.contains(point) == expected, "\(point) in \(ring) around \(center)")
                    let opposite = Self.place(
                        point.longitude > 0 ? point.longitude - 180 : point.longitude + 180, -point.latitude)
                    try #require(!area.contains(opposite), "\(opposite) opposite of \(point) in \(ring)")
                }
            }
        }
    }

    /// Great circles are lines in the gnomonic projection; a point is inside where a ray crosses an odd number of them.
    private static func isInside(_ point: Place, _ ring: [Place], around center: Place) -> Bool {
        func project(_ place: Place) -> (x: Double, y: Double) {
            let (latitude, middle) = (place.latitude * .pi / 180, center.latitude * .pi / 180)
            let east = (place.longitude - center.longitude) * .pi / 180
            let scale = sin(middle) * sin(latitude) + cos(middle) * cos(latitude) * cos(east)
            return (
                cos(latitude) * sin(east) / scale,
                (cos(middle) * sin(latitude) - sin(middle) * cos(latitude) * cos(east)) / scale
            )
        }
        let (x, y) = project(point)
        var isInside = false
        for (start, end) in zip(ring.map(project), ring.dropFirst().map(project)) where (start.y > y) != (end.y > y) {
            if x < (end.x - start.x) * (y - start.y) / (end.y - start.y) + start.x { isInside.toggle() }
        }
        return isInside
    }

    @Test func `a hole is left out`() {
        let outer = [(0, 0), (10, 0), (10, 10), (0, 10), (0, 0)].map { Self.place($0.0, $0.1) }
        let hole = [(4, 4), (6, 4), (6, 6), (4, 6), (4, 4)].map { Self.place($0.0, $0.1) }
        let area = BoundArea(.polygon(rings: [outer, hole]))
        #expect(area.contains(Self.place(2, 2)))
        #expect(!area.contains(Self.place(5, 5)))
        #expect(!area.contains(Self.place(11, 5)))
    }

    @Test func `a box has its edges, and may have the antimeridian within`() {
        let box = BoundArea(.box(bottomLeft: Self.place(10, -5), topRight: Self.place(20, 5)))
        #expect(box.contains(Self.place(10, -5)) && box.contains(Self.place(20, 5)) && box.contains(Self.place(15, 0)))
        #expect(!box.contains(Self.place(9.999, 0)) && !box.contains(Self.place(15, 5.001)))
        let wide = BoundArea(.box(bottomLeft: Self.place(170, -5), topRight: Self.place(-170, 5)))
        #expect(
            wide.contains(Self.place(180, 0)) && wide.contains(Self.place(-180, 0))
                && wide.contains(Self.place(-171, 1)))
        #expect(!wide.contains(Self.place(0, 0)) && !wide.contains(Self.place(169, 0)))
    }
}
