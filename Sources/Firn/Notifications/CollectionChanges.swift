import Foundation

/// What a block is told that observes a collection.
public enum RealmCollectionChange<CollectionType> {
    /// The first call: the collection can be looked at.
    case initial(CollectionType)
    /// The collection has changed since the call before.
    ///
    /// Deletions and modifications are positions in the collection as it was at the call before, insertions positions in it as it is now;
    /// an element that moved is deleted and inserted. Delete from the last to the first, insert from the first to the last, then read
    /// anew what was modified: the outcome is the collection.
    case update(CollectionType, deletions: [Int], insertions: [Int], modifications: [Int])
    /// The observation could not begin on its queue, where the file cannot be opened any more. Nothing else fails.
    case error(any Error)
}

extension RealmCollectionChange: Sendable where CollectionType: Sendable {}

/// What a block is told that observes a map.
public enum RealmMapChange<MapType: RealmKeyedCollection> {
    /// The first call: the map can be looked at.
    case initial(MapType)
    /// The map has changed since the call before: these keys are gone, are new, or have another value, or one whose object changed.
    case update(MapType, deletions: [MapType.Key], insertions: [MapType.Key], modifications: [MapType.Key])
    /// The observation could not begin on its queue, where the file cannot be opened any more. Nothing else fails.
    case error(any Error)
}

/// What a block is told that observes sectioned results, or one of their sections.
public enum SectionedResultsChange<CollectionType> {
    /// The first call: the sections can be looked at.
    case initial(CollectionType)
    /// The sections have changed since the call before.
    ///
    /// Deleted sections, deletions and modifications are positions as of the call before, inserted sections and insertions positions now.
    /// Elements of a section that is deleted or inserted as a whole are not listed.
    case update(
        CollectionType, deletions: [IndexPath], insertions: [IndexPath], modifications: [IndexPath],
        sectionsToInsert: IndexSet, sectionsToDelete: IndexSet)
}

/// What a block is told that observes an object.
public enum ObjectChange<ObjectType> {
    /// The observation could not begin on its queue, where the file cannot be opened any more. Nothing else fails.
    case error(any Error)
    /// Properties of the object have changed.
    case change(ObjectType, [PropertyChange])
    /// The object has been deleted. The block is not called any more.
    case deleted
}

/// A property that has changed.
public struct PropertyChange {
    /// The property's name.
    public let name: String
    /// The value at the call before: what `object[name]` gives, of that version; objects and collections are frozen.
    public let oldValue: Any?
    /// The value now: what `object[name]` gives.
    public let newValue: Any?
}
