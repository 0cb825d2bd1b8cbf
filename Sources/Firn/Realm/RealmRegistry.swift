import Dispatch
import FirnStore
import Foundation
import Synchronization

/// The open realms of the process.
enum RealmRegistry {
    /// What realms show, wherever they belong.
    struct Contents: Hashable {
        let place: Realm.Configuration.Place
        /// Nil for every class of the process.
        let classes: Set<ObjectIdentifier>?

        /// Those of a configuration whose place is normalized.
        init(_ configuration: Realm.Configuration) {
            place = configuration.place
            classes = configuration.objectTypes.map { Set($0.map { ObjectIdentifier($0) }) }
        }
    }

    /// What tells one realm from another.
    struct Key: Hashable {
        let contents: Contents
        let confinement: Confinement
        /// The version of a frozen realm; nil for a live one.
        var version: UInt64?

        var place: Realm.Configuration.Place { contents.place }

        /// The key of a configuration whose place is normalized.
        init(_ configuration: Realm.Configuration, _ confinement: Confinement, version: UInt64? = nil) {
            contents = Contents(configuration)
            self.confinement = confinement
            self.version = version
        }
    }

    private struct Entry {
        let reference: ContextReference
        let configuration: Realm.Configuration

        init(_ context: RealmContext) {
            reference = context.reference
            configuration = context.configuration
        }
    }

    private static let entries = Mutex<[Key: Entry]>([:])

    /// The realm of a configuration here, opened unless it is open already.
    static func context(
        for configuration: Realm.Configuration, _ confinement: Confinement, openedAt line: SourceLine? = nil,
        autorefreshes: Bool = true
    ) throws(Realm.Error) -> RealmContext {
        var configuration = configuration
        configuration.place = try normalized(configuration.place)
        let key = Key(configuration, confinement)
        if let open = try openContext(key, configuration) { return open }
        // Outside the lock: opening can take long.
        let context = try RealmOpening(configuration, confinement, line).open()
        // A realm of an actor is opened elsewhere, and so may be opened twice at once.
        let known: RealmContext? = entries.withLock { entries in
            if let open = entries[key]?.reference.get() { return open }
            context.registryKey = key
            entries[key] = Entry(context)
            return nil
        }
        if let known { return known }
        if autorefreshes { context.startAutorefresh() }
        return context
    }

    /// The frozen realm of a version like another one, for the calling thread: made unless it has one.
    static func frozenContext(_ other: RealmContext, version: UInt64, orMake make: () -> RealmContext) -> RealmContext {
        let key = Key(other.configuration, .currentThread, version: version)
        if let known = entries.withLock({ $0[key] })?.reference.get() { return known }
        let context = make()
        enter(context, key)
        return context
    }

    /// Opens a realm on a thread of the pool, which keeps the file open as long as somebody keeps it, and hands it over there.
    static func openInBackground(
        _ configuration: Realm.Configuration, _ body: @escaping @Sendable (Result<RealmContext, any Error>) -> Void
    ) {
        DispatchQueue.global().async {
            body(Result { try context(for: configuration, .currentThread) })
        }
    }

    /// The live realms of a place.
    static func liveContexts(at place: Realm.Configuration.Place) -> [RealmContext] {
        let references = entries.withLock { entries in
            entries.filter { $0.key.version == nil && $0.key.place == place }.map(\.value.reference)
        }
        return references.compactMap { $0.get() }
    }

    /// To what a live realm of a configuration belongs that is opened now: the queue or the actor that is running, where it has one,
    /// else the thread.
    static func liveConfinement(of configuration: Realm.Configuration) -> Confinement {
        let candidates = entries.withLock { entries in
            entries.keys.filter { $0.version == nil && $0.place == configuration.place }.map(\.confinement)
        }
        let current = candidates.first { confinement in
            if case .thread = confinement { return false }
            return confinement.isCurrent
        }
        return current ?? .here
    }

    private static func enter(_ context: RealmContext, _ key: Key) {
        context.registryKey = key
        entries.withLock { $0[key] = Entry(context) }
    }

    /// Takes away the entry of a realm that is going.
    static func remove(_ context: RealmContext) {
        guard let key = context.registryKey else { return }
        entries.withLock { entries in
            // A realm that was opened meanwhile may have taken the place.
            if entries[key]?.reference === context.reference { entries[key] = nil }
        }
    }

    private static func openContext(
        _ key: Key, _ configuration: Realm.Configuration
    ) throws(Realm.Error) -> RealmContext? {
        let (open, setting) = entries.withLock { entries -> (RealmContext?, String?) in
            for (otherKey, other) in entries where otherKey.place == key.place {
                if let setting = differingSetting(configuration, other.configuration) { return (nil, setting) }
            }
            return (entries[key]?.reference.get(), nil)
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

    /// The place as realms are told apart by it.
    static func normalized(_ place: Realm.Configuration.Place) throws(Realm.Error) -> Realm.Configuration.Place {
        switch place {
        case .memory: return place
        case .file(let url):
            guard url.isFileURL else {
                throw noFileURL(url)
            }
            return .file(url.standardizedFileURL.resolvingSymlinksInPath())
        case .nowhere:
            misuse("A configuration has neither fileURL nor inMemoryIdentifier; set one of them")
        }
    }

    /// The error for a URL of something else than a file.
    static func noFileURL(_ url: URL) -> Realm.Error {
        Realm.Error(.fileAccess, "\(url) is no file URL; use URL(fileURLWithPath:)", fileURL: url)
    }

    /// Whether any realm of the place is open in this process.
    static func isOpen(_ place: Realm.Configuration.Place) throws(Realm.Error) -> Bool {
        let place = try normalized(place)
        return entries.withLock { entries in
            entries.contains { $0.key.place == place }
        }
    }
}
