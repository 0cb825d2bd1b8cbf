import FirnQuery
import Foundation

/// A predicate for the objects of a class, made once and used as often as one likes.
///
///     let isOld = try ObjectPredicate<Dog>("age > %@", 9)
///     let isRex = try ObjectPredicate<Dog> { $0.name == "Rex" }
///     let dogs = realm.objects(Dog.self).filter(isOld && !isRex)
///
/// It is read, and checked against the properties that the class declares, when it is made: that throws for text that is no
/// predicate, for an unknown property and for a value of another type, and says where (`Realm.Error.position`). Whatever takes
/// predicate text takes one as well; used again it costs neither, which is the fastest way to ask one question often.
///
/// It belongs to no realm and no thread. Objects among the arguments are kept by their keys, and are those of their file; one that
/// is unmanaged or deleted equals nothing.
public struct ObjectPredicate<Root: ObjectBase>: Sendable {
    let checked: CheckedPredicate

    private init(_ template: QueryExpression, _ objects: [PredicateObject]) throws(Realm.Error) {
        checked = try CheckedPredicate(template, objects, of: Root.self)
    }

    init(_ content: some PredicateContent) throws(Realm.Error) {
        let objects = ObjectCollection()
        try self.init(content.expression(in: objects), objects.objects)
    }

    /// A predicate from text: see `RealmQueryable.filter(_:_:)`.
    /// - Throws: `Realm.Error` where the text cannot be read, names an unknown property or does not fit its type.
    public init(_ format: String, _ arguments: Any?...) throws(Realm.Error) {
        try self.init(PredicateText(format: format, arguments: arguments))
    }

    /// A predicate from text and an array of arguments: see `init(_:_:)`.
    public init(format: String, argumentArray arguments: [Any]? = nil) throws(Realm.Error) {
        try self.init(PredicateText(format: format, arguments: arguments ?? []))
    }

    /// A predicate that Swift checks: see `Query`. The closure is called once, now.
    /// - Throws: `Realm.Error` for a value that no property could have.
    public init(where predicate: (Query<Root>) -> Query<Bool>) throws(Realm.Error) {
        let objects = ObjectCollection()
        try self.init(Query.expression(predicate, in: objects), objects.objects)
    }

    /// The predicate of an `NSPredicate` that was made from text, of others, or of an `ObjectPredicate`.
    /// - Throws: `Realm.Error` for one that was made from a block, and where it does not fit the class.
    public init(_ predicate: NSPredicate) throws(Realm.Error) {
        let objects = ObjectCollection()
        try self.init(predicate.expression(in: objects), objects.objects)
    }

    /// A predicate of Foundation: the value of `#Predicate`. <doc:Queries> says what may be in it.
    /// - Throws: `Realm.Error` for what no query can ask, with the name of the operator, and where it does not fit the class.
    public init(_ predicate: Predicate<Root>) throws(Realm.Error) {
        let translator = PredicateTranslator()
        try self.init(translator.expression(of: predicate), translator.objects.objects)
    }

    /// The same predicate for calls that take an `NSPredicate`, and to be joined with others by `NSCompoundPredicate`.
    public var nsPredicate: NSPredicate { NSPredicate(content: checked) }
}

// MARK: Joining

extension ObjectPredicate {
    /// Joins the trees of predicates, each of which fits the class, so that what comes out does.
    private init(_ parts: [ObjectPredicate], _ join: ([QueryExpression]) -> QueryExpression) {
        let objects = ObjectCollection()
        do {
            var expressions: [QueryExpression] = []
            for part in parts { expressions.append(try part.checked.expression(in: objects)) }
            try self.init(join(expressions), objects.objects)
        } catch {
            misuse("Predicates of '\(Root.className())' cannot be joined: \(error.message)")
        }
    }

    /// Both predicates.
    public static func && (left: ObjectPredicate, right: ObjectPredicate) -> ObjectPredicate {
        ObjectPredicate([left, right]) { .conjunction($0) }
    }

    /// Either predicate.
    public static func || (left: ObjectPredicate, right: ObjectPredicate) -> ObjectPredicate {
        ObjectPredicate([left, right]) { .disjunction($0) }
    }

    /// The opposite of a predicate.
    public static prefix func ! (predicate: ObjectPredicate) -> ObjectPredicate {
        ObjectPredicate([predicate]) { .not($0[0]) }
    }
}

// MARK: Text

extension ObjectPredicate: CustomStringConvertible {
    /// The predicate as text, which makes an equal one; objects are shown by their keys, and cannot be read.
    public var description: String { checked.text }
}

extension ObjectPredicate: Hashable {
    /// Whether both have the same text, and compare with the same objects.
    public static func == (left: ObjectPredicate, right: ObjectPredicate) -> Bool {
        left.checked === right.checked
            || (left.checked.text == right.checked.text && left.checked.objects == right.checked.objects)
    }

    /// Hashes the text.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(checked.text)
    }
}
