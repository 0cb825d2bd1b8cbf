import Foundation
import RealmSwift
import TestSupport
import Testing

/// What the page "Supported types" of the Swift SDK's documentation says, statement by statement.
///
/// Statements that wait for work still to come: a frozen collection is not live, change listeners on collections, live
/// collections with notifications.
@Suite struct SupportedTypesTests {
    // MARK: Results

    class Contact: Object {
        @Persisted var name = ""
    }

    @Test func `results are evaluated when they are asked, and follow what their query finds`() throws {
        let realm = try TemporaryRealm().open(Contact.self)
        let results = realm.objects(Contact.self).filter("name BEGINSWITH 'L'")
        try realm.write {
            for name in ["Larry", "Liam", "Lisa", "Moe"] { realm.add(Contact(value: [name])) }
        }
        #expect(results.map(\.name) == ["Larry", "Liam", "Lisa"])
        try realm.write { results.first?.name = "Harry" }
        #expect(results.map(\.name) == ["Liam", "Lisa"])
    }

    @Test func `a contact list is divided into sections by first letter`() throws {
        let realm = try TemporaryRealm().open(Contact.self)
        try realm.write {
            for name in ["Moe", "Liam", "Anna", "Lisa", "Larry"] { realm.add(Contact(value: [name])) }
        }
        let contacts: SectionedResults<String, Contact> = realm.objects(Contact.self).sectioned(
            by: { String($0.name.prefix(1)) }, sortDescriptors: [SortDescriptor(keyPath: "name")])
        #expect(contacts.allKeys == ["A", "L", "M"])
        let section: ResultsSection<String, Contact> = contacts[1]
        #expect(section.key == "L")
        #expect(section.map(\.name) == ["Larry", "Liam", "Lisa"])
        try realm.write { section.first?.name = "Harry" }
        #expect(
            contacts.map { "\($0.key): \($0.map(\.name).joined(separator: " "))" } == [
                "A: Anna", "H: Harry", "L: Liam Lisa", "M: Moe",
            ])
    }

    // MARK: Collections as properties

    enum Relations {
        class Person: Object {
            @Persisted var name = ""
            @Persisted var dogs: List<Dog>
            @Persisted var nicknames: MutableSet<String>
            @Persisted var attributes: Map<String, String>
        }

        class Dog: Object {
            @Persisted var name = ""
            @Persisted(originProperty: "dogs") var owners: LinkingObjects<Person>
        }
    }

    @Test func `a list is a to-many relation and linking objects are its inverse`() throws {
        let realm = try TemporaryRealm().open(Relations.Person.self, Relations.Dog.self)
        let person = Relations.Person(value: ["name": "Ann", "dogs": [["name": "Rex"], ["name": "Max"]]])
        try realm.write { realm.add(person) }
        #expect(person.dogs.map(\.name) == ["Rex", "Max"])
        #expect(person.dogs.allSatisfy { $0.owners.map(\.name) == ["Ann"] })
    }

    @Test func `a set has distinct values, and a map one value a key`() throws {
        let realm = try TemporaryRealm().open(Relations.Person.self, Relations.Dog.self)
        let person = Relations.Person()
        try realm.write {
            realm.add(person)
            for name in ["Annie", "Nan", "Annie"] { person.nicknames.insert(name) }
            person.attributes["eyes"] = "brown"
            person.attributes["eyes"] = "green"
        }
        #expect(Set(person.nicknames) == ["Annie", "Nan"])
        #expect(person.nicknames.count == 2)
        #expect(person.attributes.count == 1)
        #expect(person.attributes["eyes"] == "green")
    }

    @Test func `a live list follows the relation in its realm`() throws {
        let directory = try TemporaryRealm()
        let realm = try directory.open(Relations.Person.self, Relations.Dog.self)
        let person = Relations.Person(value: ["name": "Ann"])
        try realm.write { realm.add(person) }
        let dogs = person.dogs
        #expect(dogs.isEmpty)
        let configuration = directory.configuration([Relations.Person.self, Relations.Dog.self])
        try onAnotherThread {
            let realm = try Realm(configuration: configuration)
            try realm.write { realm.objects(Relations.Person.self).first?.dogs.append(Relations.Dog()) }
        }
        #expect(dogs.isEmpty)
        realm.refresh()
        #expect(dogs.count == 1)
    }

    @Test func `an unmanaged list is not live`() throws {
        let realm = try TemporaryRealm().open(Relations.Person.self, Relations.Dog.self)
        let first = Relations.Person(value: ["name": "Ann"])
        let second = Relations.Person(value: first)
        try realm.write {
            realm.add(first)
            first.dogs.append(Relations.Dog())
        }
        #expect(second.dogs.isEmpty)
        second.dogs.append(Relations.Dog())
        #expect(second.dogs.count == 1)
        #expect(first.dogs.count == 1)
    }

    // MARK: The cheat sheet

    enum CheatSheet {
        enum MyPersistableEnum: String, PersistableEnum {
            case first, second
        }

        class MyCustomObjectType: Object {
            @Persisted var name = ""
        }

        class MyEmbeddedObjectType: EmbeddedObject {
            @Persisted var name = ""
        }

        class Properties: Object {
            @Persisted var boolName: Bool
            @Persisted var optBoolName: Bool?
            @Persisted var intName: Int
            @Persisted var optIntName: Int?
            @Persisted var floatName: Float
            @Persisted var optFloatName: Float?
            @Persisted var doubleName: Double
            @Persisted var optDoubleName: Double?
            @Persisted var stringName: String
            @Persisted var optStringName: String?
            @Persisted var dataName: Data
            @Persisted var optDataName: Data?
            @Persisted var dateName: Date
            @Persisted var optDateName: Date?
            @Persisted var decimalName: Decimal128
            @Persisted var optDecimalName: Decimal128?
            @Persisted var uuidName: UUID
            @Persisted var optUuidName: UUID?
            @Persisted var objectIdName: ObjectId
            @Persisted var optObjectIdName: ObjectId?
            @Persisted var listName: List<MyCustomObjectType>
            @Persisted var mutableSetName: MutableSet<String>
            @Persisted var mapName: Map<String, String>
            @Persisted var anyRealmValueName: AnyRealmValue
            @Persisted var optObjectPropertyName: MyCustomObjectType?
            @Persisted var optEmbeddedObjectPropertyName: MyEmbeddedObjectType?
            @Persisted var enumName: MyPersistableEnum
            @Persisted var optEnumName: MyPersistableEnum?
        }

        static let types: [ObjectBase.Type] = [
            Properties.self, MyCustomObjectType.self, MyEmbeddedObjectType.self,
        ]
    }

    @Test func `every property of the cheat sheet is stored and read again`() throws {
        let directory = try TemporaryRealm()
        let date = Date(timeIntervalSince1970: 1_700_000_000)
        let uuid = UUID()
        let id = ObjectId.generate()
        let configuration = directory.configuration(CheatSheet.types)
        try onAnotherThread {
            let realm = try Realm(configuration: configuration)
            let object = CheatSheet.Properties()
            object.boolName = true
            object.optBoolName = false
            object.intName = 1
            object.optIntName = 2
            object.floatName = 1.5
            object.optFloatName = 2.5
            object.doubleName = 3.5
            object.optDoubleName = 4.5
            object.stringName = "a"
            object.optStringName = "b"
            object.dataName = Data([1])
            object.optDataName = Data([2])
            object.dateName = date
            object.optDateName = date
            object.decimalName = 1.25
            object.optDecimalName = 2.25
            object.uuidName = uuid
            object.optUuidName = uuid
            object.objectIdName = id
            object.optObjectIdName = id
            object.listName.append(CheatSheet.MyCustomObjectType(value: ["listed"]))
            object.mutableSetName.insert("element")
            object.mapName["key"] = "value"
            object.anyRealmValueName = .string("any")
            object.optObjectPropertyName = CheatSheet.MyCustomObjectType(value: ["linked"])
            object.optEmbeddedObjectPropertyName = CheatSheet.MyEmbeddedObjectType(value: ["embedded"])
            object.enumName = .second
            object.optEnumName = .second
            try realm.write { realm.add(object) }
        }
        let object = try #require(try Realm(configuration: configuration).objects(CheatSheet.Properties.self).first)
        #expect(object.boolName)
        #expect(object.optBoolName == false)
        #expect(object.intName == 1)
        #expect(object.optIntName == 2)
        #expect(object.floatName == 1.5)
        #expect(object.optFloatName == 2.5)
        #expect(object.doubleName == 3.5)
        #expect(object.optDoubleName == 4.5)
        #expect(object.stringName == "a")
        #expect(object.optStringName == "b")
        #expect(object.dataName == Data([1]))
        #expect(object.optDataName == Data([2]))
        #expect(object.dateName == date)
        #expect(object.optDateName == date)
        #expect(object.decimalName == 1.25)
        #expect(object.optDecimalName == 2.25)
        #expect(object.uuidName == uuid)
        #expect(object.optUuidName == uuid)
        #expect(object.objectIdName == id)
        #expect(object.optObjectIdName == id)
        #expect(object.listName.map(\.name) == ["listed"])
        #expect(Array(object.mutableSetName) == ["element"])
        #expect(object.mapName["key"] == "value")
        #expect(object.anyRealmValueName == .string("any"))
        #expect(object.optObjectPropertyName?.name == "linked")
        #expect(object.optEmbeddedObjectPropertyName?.name == "embedded")
        #expect(object.enumName == .second)
        #expect(object.optEnumName == .second)
    }

    @Test func `every optional of the cheat sheet is nil until it is set, and every other has a default`() throws {
        let realm = try TemporaryRealm().open(types: CheatSheet.types)
        let object = CheatSheet.Properties()
        try realm.write { realm.add(object) }
        #expect(object.optBoolName == nil)
        #expect(object.optIntName == nil)
        #expect(object.optFloatName == nil)
        #expect(object.optDoubleName == nil)
        #expect(object.optStringName == nil)
        #expect(object.optDataName == nil)
        #expect(object.optDateName == nil)
        #expect(object.optDecimalName == nil)
        #expect(object.optUuidName == nil)
        #expect(object.optObjectIdName == nil)
        #expect(object.optObjectPropertyName == nil)
        #expect(object.optEmbeddedObjectPropertyName == nil)
        #expect(object.optEnumName == nil)
        #expect(object.anyRealmValueName == .none)
        #expect(object.listName.isEmpty && object.mutableSetName.isEmpty && object.mapName.isEmpty)
        #expect(!object.boolName && object.intName == 0 && object.stringName.isEmpty && object.dataName.isEmpty)
        #expect(object.enumName == .first)
    }

    /// The sheet's older half, without `@objc`, which Swift does not have on Linux. Its links to objects are the one thing
    /// that needs `@Persisted`.
    enum OlderCheatSheet {
        class Properties: Object {
            dynamic var bool = false
            let optBool = RealmProperty<Bool?>()
            dynamic var int = 0
            let optInt = RealmProperty<Int?>()
            dynamic var float: Float = 0.0
            let optFloat = RealmProperty<Float?>()
            dynamic var double: Double = 0.0
            let optDouble = RealmProperty<Double?>()
            dynamic var string = ""
            dynamic var optString: String? = nil
            dynamic var data = Data()
            dynamic var optData: Data? = nil
            dynamic var date = Date()
            dynamic var optDate: Date? = nil
            dynamic var decimal: Decimal128 = 0
            dynamic var optDecimal: Decimal128?
            dynamic var uuid = UUID()
            dynamic var uuidOpt: UUID?
            dynamic var objectId = ObjectId.generate()
            dynamic var optObjectId: ObjectId?
            let list = List<Int>()
            let set = MutableSet<String>()
            let map = Map<String, String>()
            let any = RealmProperty<AnyRealmValue>()
        }
    }

    @Test func `the older spellings of the cheat sheet are stored and read again`() throws {
        let directory = try TemporaryRealm()
        let configuration = directory.configuration([OlderCheatSheet.Properties.self])
        try onAnotherThread {
            let realm = try Realm(configuration: configuration)
            let object = OlderCheatSheet.Properties()
            object.optBool.value = true
            object.optInt.value = 7
            object.list.append(objectsIn: [1, 2])
            try realm.write {
                realm.add(object)
                object.optFloat.value = 1.5
                object.optDouble.value = 2.5
                object.optString = "text"
                object.list.append(3)
                object.set.insert("element")
                object.map["key"] = "value"
                object.any.value = .int(9)
            }
        }
        let object = try #require(
            try Realm(configuration: configuration).objects(OlderCheatSheet.Properties.self).first)
        #expect(object.optBool.value == true)
        #expect(object.optInt.value == 7)
        #expect(object.optFloat.value == 1.5)
        #expect(object.optDouble.value == 2.5)
        #expect(object.optString == "text")
        #expect(object.optData == nil && object.optDate == nil && object.optDecimal == nil)
        #expect(Array(object.list) == [1, 2, 3])
        #expect(Array(object.set) == ["element"])
        #expect(object.map["key"] == "value")
        #expect(object.any.value == .int(9))
    }

    // MARK: Unique identifiers, size limit

    enum Identifiers {
        class ByObjectId: Object {
            @Persisted(primaryKey: true) var id: ObjectId
            @Persisted(indexed: true) var other: UUID
        }

        class ByUUID: Object {
            @Persisted(primaryKey: true) var id: UUID
            @Persisted(indexed: true) var other: ObjectId
        }
    }

    @Test func `an ObjectId has 12 bytes and a UUID 16, and both are indexed and primary keys`() throws {
        let realm = try TemporaryRealm().open(Identifiers.ByObjectId.self, Identifiers.ByUUID.self)
        let first = Identifiers.ByObjectId()
        let second = Identifiers.ByUUID()
        try realm.write {
            realm.add(first)
            realm.add(second)
        }
        #expect(first.id.stringValue.count == 2 * 12)
        #expect(MemoryLayout.size(ofValue: second.id.uuid) == 16)
        #expect(realm.object(ofType: Identifiers.ByObjectId.self, forPrimaryKey: first.id)?.other == first.other)
        #expect(realm.object(ofType: Identifiers.ByUUID.self, forPrimaryKey: second.id)?.other == second.other)
        #expect(realm.objects(Identifiers.ByUUID.self).filter("other == %@", second.other).first == second)
        #expect(realm.schema["SupportedTypesTests.Identifiers.ByUUID"]?["other"]?.isIndexed == true)
    }

    class Document: Object {
        @Persisted var text = ""
        @Persisted var data = Data()
    }

    @Test func `a value of 16 MB is stored, and one byte more is an error`() throws {
        let realm = try TemporaryRealm().open(Document.self)
        let limit = 16 << 20
        try realm.write { realm.add(Document(value: ["data": Data(count: limit)])) }
        #expect(realm.objects(Document.self).first?.data.count == limit)
        #expect(throws: Realm.Error.self) {
            try realm.write { realm.add(Document(value: ["data": Data(count: limit + 1)])) }
        }
        #expect(throws: Realm.Error.self) {
            try realm.write { realm.objects(Document.self).first?.text = String(repeating: "a", count: limit + 1) }
        }
        #expect(realm.objects(Document.self).count == 1)
        #expect(realm.objects(Document.self).first?.text == "")
    }

    // MARK: AnyRealmCollection

    class MyModel: Object {
        @Persisted var name = ""
    }

    class MyModelOwner: Object {
        @Persisted var models: List<MyModel>
    }

    class ViewController {
        //    let collection: RealmCollection
        //                    ^
        //                    error: protocol 'RealmCollection' can only be used
        //                    as a generic constraint because it has Self or
        //                    associated type requirements
        //
        //    init<C: RealmCollection>(collection: C) where C.ElementType == MyModel {
        //        self.collection = collection
        //    }
        let collection: AnyRealmCollection<MyModel>
        init<C: RealmCollection & _ObjcBridgeable>(collection: C) where C.ElementType == MyModel {
            self.collection = AnyRealmCollection(collection)
        }
    }

    @Test func `a view controller keeps any collection, and what it is asked goes to that`() throws {
        let realm = try TemporaryRealm().open(MyModel.self, MyModelOwner.self)
        let owner = MyModelOwner(value: [[["a"], ["b"]]])
        try realm.write { realm.add(owner) }
        let ofResults = ViewController(collection: realm.objects(MyModel.self))
        let ofList = ViewController(collection: owner.models)
        #expect(ofResults.collection.count == 2)
        #expect(ofList.collection.map(\.name) == ["a", "b"])
        try realm.write { owner.models.remove(at: 0) }
        #expect(ofList.collection.map(\.name) == ["b"])
        #expect(ofResults.collection.count == 2)
    }

    // MARK: MutableSet

    @Test func `a set is filtered and sorted like results`() throws {
        let realm = try TemporaryRealm().open(Sets.Everything.self, Sets.Dog.self)
        let object = Sets.Everything()
        try realm.write {
            realm.add(object)
            for name in ["Rex", "Max", "Moe"] { object.objects.insert(Sets.Dog(value: ["name": name])) }
            for name in ["c", "a", "b"] { object.strings.insert(name) }
        }
        #expect(object.objects.filter("name BEGINSWITH 'M'").sorted(byKeyPath: "name").map(\.name) == ["Max", "Moe"])
        #expect(object.objects.where { $0.name == "Rex" }.count == 1)
        #expect(object.strings.sorted(ascending: false).map(\.self) == ["c", "b", "a"])
    }

    enum Sets {
        class Dog: Object {
            @Persisted var name = ""
            @Persisted var currentCity = ""
            @Persisted var citiesVisited: MutableSet<String>
        }

        class Everything: Object {
            @Persisted var bools: MutableSet<Bool>
            @Persisted var datas: MutableSet<Data>
            @Persisted var dates: MutableSet<Date>
            @Persisted var decimals: MutableSet<Decimal128>
            @Persisted var doubles: MutableSet<Double>
            @Persisted var floats: MutableSet<Float>
            @Persisted var ints: MutableSet<Int>
            @Persisted var int8s: MutableSet<Int8>
            @Persisted var int16s: MutableSet<Int16>
            @Persisted var int32s: MutableSet<Int32>
            @Persisted var int64s: MutableSet<Int64>
            @Persisted var objects: MutableSet<Dog>
            @Persisted var objectIds: MutableSet<ObjectId>
            @Persisted var strings: MutableSet<String>
            @Persisted var uuids: MutableSet<UUID>
            @Persisted var optBools: MutableSet<Bool?>
            @Persisted var optDatas: MutableSet<Data?>
            @Persisted var optDates: MutableSet<Date?>
            @Persisted var optDecimals: MutableSet<Decimal128?>
            @Persisted var optDoubles: MutableSet<Double?>
            @Persisted var optFloats: MutableSet<Float?>
            @Persisted var optInts: MutableSet<Int?>
            @Persisted var optInt8s: MutableSet<Int8?>
            @Persisted var optInt16s: MutableSet<Int16?>
            @Persisted var optInt32s: MutableSet<Int32?>
            @Persisted var optInt64s: MutableSet<Int64?>
            @Persisted var optObjectIds: MutableSet<ObjectId?>
            @Persisted var optStrings: MutableSet<String?>
            @Persisted var optUuids: MutableSet<UUID?>
        }
    }

    @Test func `a set takes each of the types that the page names, and its optional`() throws {
        let realm = try TemporaryRealm().open(Sets.Everything.self, Sets.Dog.self)
        let object = Sets.Everything()
        try realm.write { realm.add(object) }

        func check<Element: RealmCollectionValue>(_ set: MutableSet<Element>, _ elements: Element...) throws {
            try realm.write {
                for element in elements + elements { set.insert(element) }
            }
            #expect(Set(set) == Set(elements), "\(Element.self)")
            #expect(set.count == elements.count, "\(Element.self)")
            #expect(elements.allSatisfy { set.contains($0) }, "\(Element.self)")
        }
        let dates = [Date(timeIntervalSince1970: 0), Date(timeIntervalSince1970: 1.5)]
        let (id, uuid) = (ObjectId.generate(), UUID())
        try check(object.bools, true, false)
        try check(object.datas, Data(), Data([0]))
        try check(object.dates, dates[0], dates[1])
        try check(object.decimals, 1, -1.5)
        try check(object.doubles, 0, 2.5, -.infinity)
        try check(object.floats, 0, 2.5)
        try check(object.ints, .min, 0, .max)
        try check(object.int8s, .min, 0, .max)
        try check(object.int16s, .min, 0, .max)
        try check(object.int32s, .min, 0, .max)
        try check(object.int64s, .min, 0, .max)
        try check(object.objectIds, id, ObjectId())
        try check(object.strings, "", "a", "é")
        try check(object.uuids, uuid)
        try check(object.optBools, true, nil)
        try check(object.optDatas, Data(), nil)
        try check(object.optDates, dates[0], nil)
        try check(object.optDecimals, 1, nil)
        try check(object.optDoubles, 0, nil)
        try check(object.optFloats, 0, nil)
        try check(object.optInts, 0, nil)
        try check(object.optInt8s, 0, nil)
        try check(object.optInt16s, 0, nil)
        try check(object.optInt32s, 0, nil)
        try check(object.optInt64s, 0, nil)
        try check(object.optObjectIds, id, nil)
        try check(object.optStrings, "", nil)
        try check(object.optUuids, uuid, nil)
        let dog = Sets.Dog()
        try realm.write {
            object.objects.insert(dog)
            object.objects.insert(dog)
        }
        #expect(object.objects.count == 1)
        #expect(object.objects.contains(dog))
    }

    @Test func `a set is a reference, unlike Swift's`() throws {
        let dog = Sets.Dog()
        let cities = dog.citiesVisited
        cities.insert("Berlin")
        #expect(dog.citiesVisited.contains("Berlin"))
    }

    @Test func `a set of a dog's cities changes in a write`() throws {
        let realm = try TemporaryRealm().open(Sets.Dog.self)
        let dog = Sets.Dog(value: ["name": "Maui", "currentCity": "New York"])
        try realm.write {
            realm.add(dog)
            dog.citiesVisited.insert(objectsIn: ["New York", "Boston", "Toronto"])
        }
        try realm.write { dog.citiesVisited.remove("Boston") }
        #expect(Set(dog.citiesVisited) == ["New York", "Toronto"])
    }

    @Test func `changing a set outside of a write is refused`() async {
        await #expect(processExitsWith: .failure) {
            let realm = try TemporaryRealm().open(Sets.Dog.self)
            let dog = Sets.Dog()
            try realm.write { realm.add(dog) }
            dog.citiesVisited.insert("Berlin")
        }
    }

    @Test func `a set of a realm opened for reading only cannot be changed`() throws {
        let directory = try TemporaryRealm()
        var configuration = directory.configuration([Sets.Dog.self])
        try onAnotherThread { [configuration] in
            let realm = try Realm(configuration: configuration)
            try realm.write { realm.create(Sets.Dog.self, value: ["citiesVisited": ["Berlin"]]) }
        }
        configuration.readOnly = true
        let realm = try Realm(configuration: configuration)
        let dog = try #require(realm.objects(Sets.Dog.self).first)
        #expect(throws: Realm.Error.self) { try realm.write { dog.citiesVisited.insert("Paris") } }
        #expect(Array(dog.citiesVisited) == ["Berlin"])
    }

    // MARK: Map

    enum Maps {
        class Dog: Object {
            @Persisted var name = ""
            @Persisted var currentCity = ""
            // Map of city name -> favorite park in that city
            @Persisted var favoriteParksByCity: Map<String, String>
        }
    }

    @Test func `a map is a reference, unlike Swift's dictionary`() throws {
        let dog = Maps.Dog()
        let parks = dog.favoriteParksByCity
        parks["New York"] = "Domino Park"
        #expect(dog.favoriteParksByCity["New York"] == "Domino Park")
    }

    @Test func `a map key cannot have . or $, and can when it is percent encoded`() throws {
        let realm = try TemporaryRealm().open(Maps.Dog.self)
        let dog = Maps.Dog()
        try realm.write { realm.add(dog) }
        // Percent encode . or $ characters to use them in map keys
        let mapKey = "New York.Brooklyn"
        let encodedMapKey = "New York%2EBrooklyn"
        let error = #expect(throws: Realm.Error.self) {
            try realm.write { dog.favoriteParksByCity[mapKey] = "Domino Park" }
        }
        #expect(error?.message.contains(encodedMapKey) == true)
        #expect(throws: Realm.Error.self) {
            try realm.write { dog.favoriteParksByCity["US$"] = "Domino Park" }
        }
        try realm.write { dog.favoriteParksByCity[encodedMapKey] = "Domino Park" }
        #expect(dog.favoriteParksByCity.keys.compactMap(\.removingPercentEncoding) == [mapKey])
    }

    // MARK: AnyRealmValue

    enum Anything {
        class Dog: Object {
            @Persisted var name = ""
            @Persisted var currentCity = ""
            @Persisted var companion: AnyRealmValue
        }

        class Indexed: Object {
            @Persisted(indexed: true) var value: AnyRealmValue
        }
    }

    @Test func `a companion is of any of the types that the page names`() throws {
        let realm = try TemporaryRealm().open(Anything.Dog.self)
        let dog = Anything.Dog()
        let friend = Anything.Dog(value: ["name": "Rex"])
        try realm.write {
            realm.add(dog)
            realm.add(friend)
        }
        let values: [AnyRealmValue] = [
            .int(1), .float(1.5), .double(2.5), .decimal128(3.5), .objectId(.generate()), .uuid(UUID()), .bool(true),
            .date(Date(timeIntervalSince1970: 5)), .data(Data([1])), .string("text"), .none,
        ]
        for value in values {
            try realm.write { dog.companion = value }
            #expect(dog.companion == value)
        }
        try realm.write { dog.companion = .object(friend) }
        #expect(dog.companion.object(Anything.Dog.self)?.isSameObject(as: friend) == true)
        let list = List<AnyRealmValue>()
        list.append(objectsIn: [.int(1), .string("two")])
        try realm.write { dog.companion = .list(list) }
        #expect(dog.companion.listValue.map(Array.init) == [.int(1), .string("two")])
        let map = Map<String, AnyRealmValue>()
        map["one"] = .int(1)
        try realm.write { dog.companion = .dictionary(map) }
        #expect(dog.companion.dictionaryValue?["one"] == .int(1))
    }

    @Test func `an AnyRealmValue can be indexed`() throws {
        let realm = try TemporaryRealm().open(Anything.Indexed.self)
        #expect(realm.schema["SupportedTypesTests.Anything.Indexed"]?["value"]?.isIndexed == true)
        try realm.write {
            realm.create(Anything.Indexed.self, value: ["value": 1])
            realm.create(Anything.Indexed.self, value: ["value": "one"])
        }
        #expect(realm.objects(Anything.Indexed.self).count == 2)
    }

    // MARK: Geospatial data

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

    class Company: Object {
        @Persisted(primaryKey: true) var id: Int
        @Persisted var location: CustomGeoPoint?
    }

    @Test func `a point on the earth is an embedded object in the form of GeoJSON`() throws {
        let directory = try TemporaryRealm()
        let configuration = directory.configuration([Company.self, CustomGeoPoint.self])
        try onAnotherThread {
            let realm = try Realm(configuration: configuration)
            let company = Company(value: ["id": 1])
            company.location = CustomGeoPoint(47.68, -122.35)
            try realm.write { realm.add(company) }
        }
        let realm = try Realm(configuration: configuration)
        let location = try #require(realm.object(ofType: Company.self, forPrimaryKey: 1)?.location)
        #expect(location.latitude == 47.68)
        #expect(location.longitude == -122.35)
        #expect(location["type"] as? String == "Point")
        let coordinates = location["coordinates"] as? List<Double>
        #expect(coordinates.map(Array.init) == [-122.35, 47.68])
    }
}
