import Firn
import Foundation

/// Imports the cities of the world into a database, finds them again and changes them.
@main struct Demo {
    let realm: Realm
    let file: URL

    static func main() {
        do {
            let path = CommandLine.arguments.dropFirst().first ?? "cities.firn"
            try Demo(file: URL(fileURLWithPath: path)).run()
        } catch {
            FileHandle.standardError.write(Data("\(error)\n".utf8))
            exit(1)
        }
    }

    init(file: URL) throws {
        self.file = file
        print("Cities of the world. Data: GeoNames (geonames.org), CC BY 4.0. Database: \(file.path)\n")
        realm = try Terminal.step("open the database") {
            try Realm(configuration: .init(fileURL: file, objectTypes: [Country.self, City.self]))
        }
    }

    func run() throws {
        try importEverything()
        try lookUp()
        printLargestCities(of: "JP")
        try change()
        try rollBack()
        try delete()
        try printSummary()
    }

    // MARK: Import

    /// A second import finds every object by its primary key and brings it back to what the file says.
    private func importEverything() throws {
        let known = realm.objects(City.self).count
        Terminal.heading(known == 0 ? "Import" : "Import, over the \(known) cities that are there")
        let countryRows = try Terminal.step("read countries.csv") { try CSVReader.rows(of: Self.resource("countries")) }
        try Terminal.step("store \(countryRows.count) countries") {
            try realm.write {
                for row in countryRows {
                    realm.add(try Country(row), update: .modified)
                }
            }
        }
        let cityRows = try Terminal.step("read cities.csv") { try CSVReader.rows(of: Self.resource("cities")) }
        try Terminal.step("store \(cityRows.count) cities, each linked to its country") {
            let countries = Dictionary(uniqueKeysWithValues: realm.objects(Country.self).map { ($0.iso, $0) })
            let citiesPerTransaction = 2000
            for start in stride(from: 0, to: cityRows.count, by: citiesPerTransaction) {
                let end = min(start + citiesPerTransaction, cityRows.count)
                try realm.write {
                    for row in cityRows[start..<end] {
                        realm.add(try City(row, countries: countries), update: .modified)
                    }
                }
                Terminal.progress(end, of: cityRows.count, "cities")
            }
        }
    }

    private static func resource(_ name: String) throws -> URL {
        guard let file = Bundle.module.url(forResource: name, withExtension: "csv") else {
            throw CocoaError(.fileNoSuchFile)
        }
        return file
    }

    // MARK: Reading

    private func lookUp() throws {
        Terminal.heading("Look up one city by each of its three keys")
        let cities = Repository<City>(realm: realm)
        let sapporo = 2_128_295
        let byNumber = Terminal.step("by primary key \(sapporo)") { cities.find(primaryKey: sapporo) }
        Terminal.line(describe(byNumber))
        let uuid = City.uuid(of: sapporo)
        let byUUID = try Terminal.step("by UUID \(uuid)") { try cities.find(\.uuid, equals: uuid).first }
        Terminal.line(describe(byUUID))
        let objectID = try City.objectID(of: sapporo)
        let byObjectID = try Terminal.step("by ObjectId \(objectID)") {
            try cities.find(\.objectID, equals: objectID).first
        }
        Terminal.line(describe(byObjectID))
    }

    private func describe(_ city: City?) -> String {
        guard let city else { return "not found" }
        return "\(city.name), \(city.country?.name ?? "no country"): \(city.population) people at "
            + "\(city.latitude), \(city.longitude)"
    }

    private func printLargestCities(of iso: String) {
        guard let country = realm.object(ofType: Country.self, forPrimaryKey: iso) else { return }
        Terminal.heading("The ten largest cities of \(country.name), through the link")
        let largest = Terminal.step("cities whose country is \(country.name), sorted") {
            let cities = realm.objects(City.self).filter("country == %@", country)
            return Array(cities.sorted(byKeyPath: "population", ascending: false).prefix(10))
        }
        for (rank, city) in largest.enumerated() {
            let name = "\(rank + 1).".padding(toLength: 4, withPad: " ", startingAt: 0) + city.name
            Terminal.line(
                name.padding(toLength: 30, withPad: " ", startingAt: 0) + String(format: "%12ld", city.population))
        }
    }

    // MARK: Writing

    private func change() throws {
        Terminal.heading("Change")
        guard let iceland = realm.object(ofType: Country.self, forPrimaryKey: "IS") else { return }
        let cities = realm.objects(City.self).filter("country == %@", iceland)
        try Terminal.step("one more inhabitant for each city of \(iceland.name)") {
            try realm.write {
                for city in cities {
                    city.population += 1
                }
            }
        }
        Terminal.line("\(cities.count) cities changed")
    }

    private struct Regret: Error {}

    private func rollBack() throws {
        Terminal.heading("Roll back")
        let before = realm.objects(City.self).count
        try Terminal.step("delete every city, then throw") {
            do {
                try realm.write {
                    realm.delete(realm.objects(City.self))
                    Terminal.line("within the transaction: \(realm.objects(City.self).count) cities")
                    throw Regret()
                }
            } catch is Regret {}
        }
        Terminal.line("after it: \(realm.objects(City.self).count) cities, as before: \(before)")
    }

    private func delete() throws {
        Terminal.heading("Delete")
        let small = realm.objects(City.self).filter("population < %@", 1000)
        let count = small.count
        try Terminal.step("delete the \(count) cities of less than 1,000 people") {
            try realm.write {
                realm.delete(small)
            }
        }
        guard let monaco = realm.object(ofType: Country.self, forPrimaryKey: "MC") else { return }
        let cities = Array(realm.objects(City.self).filter("country == %@", monaco))
        try Terminal.step("delete the country \(monaco.name)") {
            try realm.write {
                realm.delete(monaco)
            }
        }
        for city in cities {
            Terminal.line("\(city.name) stays, with \(city.country?.name ?? "no country")")
        }
    }

    // MARK: The end

    private func printSummary() throws {
        Terminal.heading("The end")
        let cities = realm.objects(City.self)
        let people = Terminal.step("add up the people of \(cities.count) cities") {
            cities.reduce(0) { $0 + $1.population }
        }
        Terminal.line("\(people) people in \(cities.count) cities of \(realm.objects(Country.self).count) countries")
        let size = try FileManager.default.attributesOfItem(atPath: file.path)[.size] as? Int ?? 0
        Terminal.line(String(format: "%@ is %.1f MiB", file.lastPathComponent, Double(size) / 1_048_576))
    }
}
