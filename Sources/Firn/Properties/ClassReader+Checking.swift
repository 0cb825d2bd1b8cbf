import FirnStore

/// What a class can be told to be wrong by itself, whatever realm it is in.
extension ClassReader {
    mutating func checkKeys() {
        let name = type.className()
        let keys = properties.filter(\.isPrimaryKey)
        if type is EmbeddedObject.Type, let key = keys.first {
            problems.append(
                "\(name).\(key.name) cannot be a primary key: embedded objects are found through their owner; "
                    + "leave it out, or make the class an Object")
        }
        if keys.count > 1 {
            problems.append(
                "\(name) has \(keys.count) primary keys (\(keys.map(\.name).joined(separator: ", "))); keep one")
        }
        for key in keys where key.shape.collection != nil || !Self.keyTypes.contains(key.shape.type) {
            problems.append(
                "\(name).\(key.name) cannot be the primary key: a \(key.typeName) is not allowed, "
                    + "use an integer, String, ObjectId or UUID")
        }
        for property in properties
        where property.isIndexed && !property.isPrimaryKey && (!property.hasOrder || property.shape.type == .link) {
            problems.append("\(name).\(property.name) cannot be indexed: a \(property.typeName) has no index")
        }
    }

    private static let keyTypes: Set<ColumnType> = [.int, .string, .objectID, .uuid]

    mutating func checkNames() {
        let name = type.className()
        if name.utf8.count > 57 {
            problems.append("The class name '\(name)' is longer than 57 bytes; shorten it")
        }
        var seen: Set<String> = []
        for property in properties {
            if !seen.insert(property.columnName).inserted {
                problems.append(
                    "\(name) has two properties stored as '\(property.columnName)'; map one to another name")
            }
            if property.columnName.utf8.count > 63 {
                problems.append("The property name \(name).\(property.columnName) is longer than 63 bytes; shorten it")
            }
        }
    }

    /// Whether links can be nil just where the object that they lead to may go.
    mutating func checkLinks() {
        for property in properties where property.shape.type == .link {
            guard let target = property.shape.target, let remedy = Self.remedy(property.shape, target) else { continue }
            problems.append(
                "\(type.className()).\(property.name) of type \(property.typeName) cannot be stored: \(remedy)")
        }
    }

    private static func remedy(_ shape: _ColumnShape, _ target: ObjectBase.Type) -> String? {
        let name = target.className()
        switch shape.collection {
        case .set where target is EmbeddedObject.Type:
            return "two embedded objects are never the same one; use List<\(name)>"
        case .list where shape.isOptional:
            return "an object that is deleted leaves the list; use List<\(name)>"
        case .set where shape.isOptional:
            return "an object that is deleted leaves the set; use MutableSet<\(name)>"
        case .map where !shape.isOptional:
            return "an object that is deleted leaves nil under its key; use Map<String, \(name)?>"
        case nil where !shape.isOptional:
            return "an object that is deleted leaves nil; use \(name)?"
        default:
            return nil
        }
    }
}
