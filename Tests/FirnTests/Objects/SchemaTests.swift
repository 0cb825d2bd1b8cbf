import Firn
import Testing

@Suite struct SchemaTests {
    final class Person: Object {
        @Persisted(primaryKey: true) var id: Int
        @Persisted(indexed: true) var name: String?
        @Persisted var dogs: List<Dog>
        @Persisted var byRole: Map<String, Dog?>
        @Persisted var tags: MutableSet<String>
        @Persisted var home: Address?

        override class func propertiesMapping() -> [String: String] { ["name": "full_name"] }
    }

    final class Dog: Object {
        @Persisted var age: Int8
        @Persisted(originProperty: "dogs") var owners: LinkingObjects<Person>
    }

    final class Address: EmbeddedObject {
        @Persisted var street = ""
    }

    private let schema: Schema

    init() throws {
        schema = try TemporaryRealm().open(Person.self, Dog.self, Address.self).schema
    }

    @Test func `a schema knows its classes by name`() throws {
        #expect(
            schema.objectSchema.map(\.className) == ["SchemaTests.Address", "SchemaTests.Dog", "SchemaTests.Person"])
        let person = try #require(schema["SchemaTests.Person"])
        #expect(person.properties.map(\.name) == ["id", "name", "dogs", "byRole", "tags", "home"])
        #expect(person.primaryKeyProperty?.name == "id")
        #expect(person.objectClass == Person.self)
        #expect(!person.isEmbedded)
        #expect(!person.isAsymmetric)
        #expect(schema["SchemaTests.Address"]?.isEmbedded == true)
        #expect(schema["Nothing"] == nil)
        #expect(person == Person().objectSchema)
        #expect(person != Dog().objectSchema)
    }

    @Test func `a property tells its type, its collection and its class`() throws {
        let person = try #require(schema["SchemaTests.Person"])
        let name = try #require(person["name"])
        #expect(name.columnName == "full_name")
        #expect(name.type == .string)
        #expect(name.isOptional)
        #expect(name.isIndexed)
        #expect(!name.isPrimaryKey)
        #expect(person["id"]?.isPrimaryKey == true)
        let dogs = try #require(person["dogs"])
        #expect(dogs.isArray && !dogs.isSet && !dogs.isMap)
        #expect(dogs.type == .object)
        #expect(dogs.objectClassName == "SchemaTests.Dog")
        #expect(person["byRole"]?.isMap == true)
        #expect(person["byRole"]?.isOptional == true)
        #expect(person["tags"]?.isSet == true)
        #expect(person["tags"]?.type == .string)
        #expect(person["home"]?.objectClassName == "SchemaTests.Address")
        #expect(person["nothing"] == nil)
    }

    @Test func `linking objects are computed properties`() throws {
        let dog = try #require(schema["SchemaTests.Dog"])
        #expect(dog.properties.map(\.name) == ["age"])
        let owners = try #require(dog["owners"])
        #expect(dog.computedProperties == [owners])
        #expect(owners.type == .linkingObjects)
        #expect(owners.isArray)
        #expect(owners.objectClassName == "SchemaTests.Person")
        #expect(owners.linkOriginPropertyName == "dogs")
    }

    @Test func `descriptions are those of Realm`() throws {
        #expect(
            schema["SchemaTests.Address"]?.description == """
                SchemaTests.Address {
                \tstreet {
                \t\ttype = string;
                \t\tcolumnName = street;
                \t\tindexed = NO;
                \t\tisPrimary = NO;
                \t\tarray = NO;
                \t\tset = NO;
                \t\tdictionary = NO;
                \t\toptional = NO;
                \t}
                }
                """)
        #expect(schema.description.hasPrefix("Schema {\n\tSchemaTests.Address {\n\t\tstreet {\n"))
        #expect(schema.description.hasSuffix("\t}\n}"))
    }

    @Test func `types have Realm's numbers`() {
        let types: [PropertyType] = [
            .int, .bool, .string, .data, .date, .float, .double, .object, .linkingObjects, .any, .objectId, .decimal128,
            .UUID,
        ]
        #expect(types.map(\.rawValue) == Array(0...12))
    }
}
