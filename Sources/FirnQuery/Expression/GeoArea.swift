/// An area on the sphere. Longitudes and latitudes are degrees.
package enum GeoArea: Hashable, Sendable {
    /// A place on the sphere.
    package struct Point: Hashable, Sendable {
        package let longitude: Double
        package let latitude: Double

        /// A place by its degrees, from -180 to 180 and from -90 to 90.
        package init(longitude: Double, latitude: Double) {
            self.longitude = longitude
            self.latitude = latitude
        }
    }

    /// Between two parallels and two meridians; the meridians may have the antimeridian between them.
    case box(bottomLeft: Point, topRight: Point)
    /// Not further from the centre than an angle.
    case circle(center: Point, radians: Double)
    /// Within the first ring and in none of the others; the edges are parts of great circles.
    case polygon(rings: [[Point]])
}
