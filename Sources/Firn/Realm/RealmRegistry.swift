import CSwiftMetadata
import FirnStore
import Foundation
import Synchronization

/// The open realms of the process.
enum RealmRegistry {
    /// What tells one realm from another.
    private struct Key: Hashable {
        let place: Realm.Configuration.Place
        let confinement: Confinement
        /// Nil for every class of the process.
        let classes: Set<ObjectIdentifier>?
    }

    private struct Entry {
        // Not weak: that would slow down the retain and release which every live object costs its realm.
        private let reference: Unmanaged<RealmContext>
        let configuration: Realm.Configuration

        init(_ context: RealmContext) {
            reference = Unmanaged.passUnretained(context)
            configuration = context.configuration
        }

        /// The realm, unless it is on its way out.
        var context: RealmContext? {
            // SAFETY: a realm takes its entry away when it goes, under the lock that the caller holds.
            firn_try_retain(reference.toOpaque()) ? reference.takeRetainedValue() : nil
        }

        func isOf(_ context: RealmContext) -> Bool {
            reference.toOpaque() == Unmanaged.passUnretained(context).toOpaque()
        }
    }

    private static let entries = Mutex<[Key: Entry]>([:])

    /// The realm of a configuration here, opened unless it is open already.
    static func context(
        for configuration: Realm.Configuration, _ confinement: Confinement
    ) throws(Realm.Error) -> RealmContext {
        var configuration = configuration
        configuration.place = try normalized(configuration.place)
        let key = Key(
            place: configuration.place, confinement: confinement,
            classes: configuration.objectTypes.map { Set($0.map { ObjectIdentifier($0) }) })
        if let open = try openContext(key, configuration) { return open }
        // Outside the lock: opening can take long. No other caller opens the same one: the key names this thread or
        // the queue that it runs.
        let context = try RealmOpening(configuration, confinement).open()
        entries.withLock { $0[key] = Entry(context) }
        return context
    }

    /// Takes away the entry of a realm that is going.
    static func remove(_ context: RealmContext) {
        entries.withLock { entries in
            // A realm that was opened meanwhile may have taken the place.
            guard let key = entries.first(where: { $0.value.isOf(context) })?.key else { return }
            entries[key] = nil
        }
    }

    private static func openContext(
        _ key: Key, _ configuration: Realm.Configuration
    ) throws(Realm.Error) -> RealmContext? {
        let (open, setting) = entries.withLock { entries -> (RealmContext?, String?) in
            for (otherKey, other) in entries where otherKey.place == key.place {
                if let setting = differingSetting(configuration, other.configuration) { return (nil, setting) }
            }
            return (entries[key]?.context, nil)
        }
        if let setting {
            throw Realm.Error(
                .alreadyOpen,
                "The realm is open in this process with another \(setting); open it with the same one, or let go of all "
                    + "its realms and objects first", fileURL: configuration.fileURL)
        }
        return open
    }

    private static func differingSetting(_ new: Realm.Configuration, _ open: Realm.Configuration) -> String? {
        if new.readOnly != open.readOnly { return "readOnly (\(open.readOnly), not \(new.readOnly))" }
        if new.schemaVersion != open.schemaVersion {
            return "schemaVersion (\(open.schemaVersion), not \(new.schemaVersion))"
        }
        // Stores in memory ignore the rest.
        guard new.fileURL != nil else { return nil }
        if new.durability != open.durability { return "durability (\(open.durability), not \(new.durability))" }
        if new.reservationInBytes != open.reservationInBytes {
            return "reservationInBytes (\(open.reservationInBytes), not \(new.reservationInBytes))"
        }
        return nil
    }

    private static func normalized(_ place: Realm.Configuration.Place) throws(Realm.Error) -> Realm.Configuration.Place
    {
        switch place {
        case .memory: return place
        case .file(let url):
            guard url.isFileURL else {
                throw Realm.Error(.fileAccess, "\(url) is no file URL; use URL(fileURLWithPath:)", fileURL: url)
            }
            return .file(url.standardizedFileURL.resolvingSymlinksInPath())
        case .nowhere:
            misuse("A configuration has neither fileURL nor inMemoryIdentifier; set one of them")
        }
    }

    /// Whether any realm of the place is open in this process.
    static func isOpen(_ place: Realm.Configuration.Place) throws(Realm.Error) -> Bool {
        let place = try normalized(place)
        return entries.withLock { entries in
            entries.contains { $0.key.place == place }
        }
    }
}
