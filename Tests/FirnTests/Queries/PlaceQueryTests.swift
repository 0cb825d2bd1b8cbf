import Firn
import Testing

/// Objects found by where they lie on the earth.
@Suite struct PlaceQueryTests {
    final class Place: EmbeddedObject {
        @Persisted private var coordinates: List<Double>
        @Persisted private var type = "Point"

        convenience init(_ latitude: Double, _ longitude: Double) {
            self.init()
            coordinates.append(objectsIn: [longitude, latitude])
        }
    }

    final class Shop: Object {
        @Persisted(primaryKey: true) var name: String
        @Persisted var location: Place?
        @Persisted var branches: List<Place>
    }

    private let temporary: TemporaryRealm
    private let realm: Realm

    init() throws {
        temporary = try TemporaryRealm()
        realm = try temporary.open(Shop.self, Place.self)
        try realm.write {
            for (name, latitude, longitude) in [
                ("A", 40.7128, -74.006), ("B", 34.0522, -118.2437), ("C", 51.5074, -0.1278),
            ] {
                let shop = Shop(value: ["name": name])
                shop.location = Place(latitude, longitude)
                shop.branches.append(Place(latitude + 1, longitude))
                realm.add(shop)
            }
            realm.add(Shop(value: ["name": "nowhere"]))
        }
    }

    @Test func `shops are found within boxes, circles and polygons`() throws {
        let shops = realm.objects(Shop.self)
        let center = try #require(GeoPoint(latitude: 41, longitude: -75))
        let radius = try #require(Distance.kilometers(200))
        let circle = GeoCircle(center: center, radius: radius)
        #expect(shops.where { $0.location.geoWithin(circle) }.map(\.name) == ["A"])
        #expect(shops.filter("location geoWithin %@", circle).map(\.name) == ["A"])
        #expect(shops.filter("ANY branches geoWithin %@", circle).map(\.name) == ["A"])
        #expect(shops.where { !$0.location.geoWithin(circle) }.map(\.name) == ["B", "C", "nowhere"])
        let box = try #require(GeoBox(bottomLeft: (30, -120), topRight: (45, -70)))
        #expect(shops.where { $0.location.geoWithin(box) }.map(\.name) == ["A", "B"])
        let polygon = try #require(GeoPolygon(outerRing: [(50, -5), (50, 5), (55, 5), (55, -5), (50, -5)]))
        #expect(shops.where { $0.location.geoWithin(polygon) }.map(\.name) == ["C"])
        #expect(shops.filter("location geoWithin geoCircle({-0.1, 51.5}, 0.001)").map(\.name) == ["C"])
    }
}
