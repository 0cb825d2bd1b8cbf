import Firn
import Testing

@Suite struct GeoTests {
    class CustomGeoPoint: EmbeddedObject {
        @Persisted private var type: String = "Point"
        @Persisted private var coordinates: List<Double>
        public var latitude: Double { return coordinates[1] }
        public var longitude: Double { return coordinates[0] }
        convenience init(_ latitude: Double, _ longitude: Double) {
            self.init()
            // Longitude comes first in the coordinates array of a GeoJson document
            coordinates.append(objectsIn: [longitude, latitude])
        }
    }

    class Shop: Object {
        @Persisted var location: CustomGeoPoint?
    }

    @Test func `a GeoJSON point is stored as an embedded object`() throws {
        let directory = try TemporaryRealm()
        let realm = try directory.open(Shop.self, CustomGeoPoint.self)
        let shop = Shop()
        shop.location = CustomGeoPoint(47.68, -122.35)
        try realm.write { realm.add(shop) }
        #expect(shop.location?.latitude == 47.68)
        #expect(shop.location?.longitude == -122.35)
    }

    @Test func `points are within the earth's coordinates`() {
        #expect(GeoPoint(latitude: 90, longitude: -180) != nil)
        #expect(GeoPoint(latitude: 90.1, longitude: 0) == nil)
        #expect(GeoPoint(latitude: 0, longitude: 180.1) == nil)
        #expect(GeoPoint(latitude: .nan, longitude: 0) == nil)
        #expect(GeoPoint(latitude: 0, longitude: .nan) == nil)
        #expect(GeoPoint(latitude: 0, longitude: 0, altitude: -1) == nil)
        #expect(GeoPoint(latitude: 0, longitude: 0, altitude: .nan) == nil)
        #expect(GeoPoint(latitude: 1, longitude: 2) == GeoPoint((1, 2)))
    }

    @Test func `distances are not negative, and convert`() throws {
        #expect(Distance.kilometers(-1) == nil)
        #expect(Distance.miles(.nan) == nil)
        #expect(Distance.radians(-0.1) == nil)
        #expect(Distance.degrees(-0.1) == nil)
        let distance = try #require(Distance.kilometers(6378.1))
        #expect(distance.radians == 1)
        #expect(abs(distance.asDegrees() - 57.29577951308232) < 1e-12)
        #expect(try abs(#require(Distance.miles(1)).asKilometers() - 1.609344) < 1e-12)
        #expect(try abs(#require(Distance.degrees(180)).radians - .pi) < 1e-12)
        #expect(abs(distance.asMiles() - 3963.1676) < 0.001)
    }

    @Test func `circles have a radius and polygons closed rings`() throws {
        #expect(GeoCircle(center: (0, 0), radiusInRadians: -1) == nil)
        #expect(GeoCircle(center: (91, 0), radiusInRadians: 1) == nil)
        #expect(try GeoCircle(center: (0, 0), radius: #require(.kilometers(10))) != nil)
        #expect(GeoBox(bottomLeft: (0, 0), topRight: (91, 0)) == nil)
        #expect(GeoBox(bottomLeft: (2, 2), topRight: (1, 1)) != nil)
        let ring = [(0.0, 0.0), (0.0, 1.0), (1.0, 1.0), (0.0, 0.0)]
        #expect(GeoPolygon(outerRing: ring) != nil)
        #expect(GeoPolygon(outerRing: ring, holes: ring, ring)?.holes.count == 2)
        #expect(GeoPolygon(outerRing: Array(ring.dropLast())) == nil)
        #expect(GeoPolygon(outerRing: ring + [(1, 2)]) == nil)
        #expect(GeoPolygon(outerRing: ring, holes: [Array(ring.dropFirst())]) == nil)
        #expect(GeoPolygon(outerRing: [(91, 0)] + ring) == nil)
    }
}
