/// A point on the earth's surface, for geospatial queries.
///
/// It is not stored itself: an embedded object with the GeoJSON properties `type` and `coordinates` is.
public struct GeoPoint: Hashable, Sendable {
    /// Degrees, -90 to 90.
    public let latitude: Double
    /// Degrees, -180 to 180.
    public let longitude: Double
    /// Metres, 0 and up. Queries do not look at it.
    public let altitude: Double

    /// A point; nil where a coordinate is NaN or out of range.
    public init?(latitude: Double, longitude: Double, altitude: Double = 0) {
        guard (-90...90).contains(latitude), (-180...180).contains(longitude), altitude >= 0 else { return nil }
        self.latitude = latitude
        self.longitude = longitude
        self.altitude = altitude
    }

    /// A point from latitude and longitude; nil where one is NaN or out of range.
    public init?(_ coordinates: (Double, Double)) {
        self.init(latitude: coordinates.0, longitude: coordinates.1)
    }
}
