import Firn
import Foundation

final class Country: Object {
    @Persisted(primaryKey: true) var iso: String
    @Persisted var name: String
    @Persisted var capital: String?
    @Persisted var continent: String
    @Persisted var population: Int
    @Persisted var area: Double
    @Persisted var currency: String?
    @Persisted var languages: String
}

final class City: Object {
    @Persisted(primaryKey: true) var geonameID: Int
    @Persisted(indexed: true) var uuid: UUID
    @Persisted(indexed: true) var objectID: ObjectId
    @Persisted var name: String
    @Persisted var latitude: Double
    @Persisted var longitude: Double
    @Persisted var population: Int
    @Persisted var timeZone: String
    @Persisted var alternateNames: String
    @Persisted var country: Country?
}

extension Country {
    convenience init(_ row: CSVReader.Row) throws {
        self.init()
        iso = try row["iso"]
        name = try row["name"]
        capital = try row["capital"].nonEmpty
        continent = try row["continentcode"]
        population = try row.number("population")
        area = try row.number("areakm2")
        currency = try row["currencycode"].nonEmpty
        languages = try row["languages"]
    }
}

extension City {
    convenience init(_ row: CSVReader.Row, countries: [String: Country]) throws {
        self.init()
        geonameID = try row.number("geonameid")
        uuid = Self.uuid(of: geonameID)
        objectID = try Self.objectID(of: geonameID)
        name = try row["name"]
        latitude = try row.number("latitude")
        longitude = try row.number("longitude")
        population = try row.number("population")
        timeZone = try row["timezone"]
        alternateNames = try row["alternatenames"]
        country = countries[try row["countrycode"]]
    }

    /// The UUID of a city (version 8, the number within), the same in every run.
    static func uuid(of geonameID: Int) -> UUID {
        let number = UInt64(geonameID)
        // The golden ratio's bits scatter the UUIDs, as random ones would be; the number stays readable at the end.
        let scattered = number &* 0x9E37_79B9_7F4A_7C15
        var bytes = (scattered.bigEndian, number.bigEndian)
        return withUnsafeMutableBytes(of: &bytes) { bytes in
            bytes[6] = bytes[6] & 0x0F | 0x80
            bytes[8] = 0x80
            return UUID(uuid: bytes.load(as: uuid_t.self))
        }
    }

    /// The ObjectId of a city, the same in every run.
    static func objectID(of geonameID: Int) throws -> ObjectId {
        try ObjectId(string: String(format: "%024lx", geonameID))
    }
}

extension String {
    fileprivate var nonEmpty: String? {
        isEmpty ? nil : self
    }
}
