import CThreadIdentity
import FirnQuery
import FirnStore
import Foundation
import LMDB
import Synchronization

/// What a `Realm` is: one connection to a store, the model classes bound to its tables, and the state of a write.
///
/// One per file, thread or queue, and set of classes; all `Realm` values there share it. Of a frozen realm there is one for each
/// thread that reads it: see `here`.
///
/// `@unchecked Sendable`: whoever gets it asks `here`, or calls `checkConfinement`, before anything else.
final class RealmContext: @unchecked Sendable {
    let configuration: Realm.Configuration
    let confinement: Confinement
    /// What a frozen realm has besides; nil for a live one.
    let frozen: FrozenState?
    /// The owner's token, or 0 where a queue is the owner: see `Confinement.threadToken`.
    private(set) var threadToken: UInt64
    let connection: Connection
    let bindings: [ObjectIdentifier: TableBinding]
    /// In order of class name.
    let bindingList: [TableBinding]
    /// The class that was asked for last.
    @exclusivity(unchecked) private var newestBinding: (type: ObjectIdentifier, binding: TableBinding)?

    // `exclusivity(unchecked)` on what every new object reads: no access to these fields calls user code.
    @exclusivity(unchecked) var identity = IdentityLog()
    @exclusivity(unchecked) var openWrite: OpenWrite?
    /// The serial number of the current or the last write.
    @exclusivity(unchecked) var writeSerial: UInt32 = 0
    /// Moves when the realm sees another version that it did not make itself; results compare it.
    var generation: UInt64 = 0
    /// The values of an object that is being added, kept for its memory.
    var scratch: [StoredValue] = []
    /// The walks that must take a snapshot when a write begins or the realm moves.
    var liveWalks: [ObjectIdentifier: Unmanaged<DetachableWalk>] = [:]
    /// The live objects of plain classes.
    let plainObjects = PlainObjects()
    /// How dynamic objects see the tables; made at the first need.
    var dynamicBindings: [TableID: TableBinding] = [:]
    /// What names in predicates mean, and the schema for which it was found.
    @exclusivity(unchecked) var cachedCatalog: (counter: UInt64, catalog: QueryCatalog)?
    /// The frozen realm that was made of this one last.
    var newestFrozen: (version: UInt64, reference: ContextReference)?
    /// Who observes something here.
    var observations: [WeakObservation] = []
    /// Whether a block of an observer is at work.
    var isDelivering = false
    /// What has changed since the version that was asked for last.
    var knownChanges: (version: UInt64, changes: ChangeSet)?
    /// The version after whose commit those who keep old ones were looked for last, or from when the realm was opened.
    var versionOfLook: UInt64
    /// Whether the realm moves when others have committed.
    var isAutorefreshing = false
    /// Others have committed during the open write.
    var isWakeDeferred = false
    /// What wakes the realm when others commit, once somebody wants that.
    var waker: Waker?
    var commitListener: CommitListener?
    /// Where blocks for the realm are run, once that was found.
    var knownScheduler: Scheduler?
    var asyncWrites = AsyncWrites()
    private let hasClosed = Atomic(false)
    private var schemaCounter: UInt64
    /// Finds the context as long as it lives.
    let reference = ContextReference()
    /// Under which the process knows the realm; set once, before anybody else has it.
    var registryKey: RealmRegistry.Key?

    init(
        _ configuration: Realm.Configuration, _ confinement: Confinement, _ connection: Connection,
        _ bindings: [TableBinding], frozen: FrozenState? = nil
    ) {
        self.frozen = frozen
        self.configuration = configuration
        self.confinement = confinement
        self.connection = connection
        threadToken = confinement.threadToken
        bindingList = bindings.sorted { $0.info.name < $1.info.name }
        self.bindings = Dictionary(bindings.map { (ObjectIdentifier($0.info.type), $0) }, uniquingKeysWith: { $1 })
        schemaCounter = connection.schemaCounter
        versionOfLook = connection.version
        TableBinding.bindTargets(bindingList)
        reference.set(self)
    }

    deinit {
        reference.clear()
        RealmRegistry.remove(self)
        for binding in bindingList + dynamicBindings.values {
            binding.unbindTargets()
        }
    }

    /// The class's table. Traps for a class that is not one of the realm's.
    func binding(for type: ObjectBase.Type) -> TableBinding {
        let id = ObjectIdentifier(type)
        if let newestBinding, newestBinding.type == id { return newestBinding.binding }
        guard let binding = bindings[id] else {
            misuse(
                "The class '\(type.className())' is not part of this realm, which has "
                    + bindingList.map(\.info.name).joined(separator: ", ")
                    + "; add it to the configuration's objectTypes")
        }
        newestBinding = (id, binding)
        return binding
    }

    /// Takes over a schema that another process or realm has changed, at a version that the realm has just moved to.
    ///
    /// One that the classes no longer fit is left alone: the next write will say so.
    func rebindIfNeeded() {
        let schema = connection.schema
        guard schema.counter != schemaCounter, connection.fitsSchema else { return }
        schemaCounter = schema.counter
        for binding in bindingList {
            guard let table = schema[binding.table.name] else { continue }
            // The file was emptied and its tables made anew: their slots and keys have nothing to do with the old ones.
            if table.id != binding.table.id { identity.invalidateAll() }
            binding.bind(table)
        }
        TableBinding.bindTargets(bindingList)
        if !dynamicBindings.isEmpty { bindDynamic() }
    }

    var fileURL: URL? { configuration.fileURL }

    // MARK: Objects

    /// Makes the live object of a row. `record` is the row's at the current stamp, if known.
    func makeObject(_ binding: TableBinding, key: ObjectKey, record: UnsafeRawPointer? = nil) -> ObjectBase {
        if binding.info.isPlain { return plainObject(binding, key: key) }
        // Before the class's own code runs, which may write.
        let stamp = connection.stamp
        let object = binding.info.type.init()
        bind(object, binding, key: key)
        if let record {
            object.record = record
            object.stamp = stamp
        } else if isFrozen {
            // Now: other threads will read the object, and none may change it then.
            _ = object.locate(in: self)
        }
        return object
    }

    /// Makes an object the live view of a row.
    @inline(__always)
    func bind(_ object: ObjectBase, _ binding: TableBinding, key: ObjectKey) {
        bindRow(object, binding, key: key)
        let base = Unmanaged.passUnretained(object).toOpaque()
        for field in binding.fields {
            // SAFETY: the class's field list says that a Persisted is there: its slot, and at byte 8 its owner.
            base.storeBytes(of: field.slot, toByteOffset: field.offset, as: Int32.self)
            if binding.info.isEncodable {
                base.storeBytes(of: base, toByteOffset: field.offset + 8, as: UnsafeMutableRawPointer.self)
            }
        }
    }

    /// Makes an object a view of a row of which it shows no property: it may be of any class.
    @inline(__always)
    private func bindRow(_ object: ObjectBase, _ binding: TableBinding, key: ObjectKey) {
        object.context = self
        object.hotContext = Unmanaged.passUnretained(self)
        object.hotBinding = Unmanaged.passUnretained(binding)
        object.key = key
        object.epoch = identity.epoch
        object.birth = openWrite == nil ? 0 : writeSerial
    }

    /// A view of a row that shows no property, for what hangs from an object and may be held by it.
    func makeAccessor(_ binding: TableBinding, key: ObjectKey) -> ObjectBase {
        let accessor = ObjectBase()
        bindRow(accessor, binding, key: key)
        return accessor
    }

    /// A record without slots: every property reads as the zero of its type.
    static var emptyRecord: RecordView { RecordView(UnsafeRawPointer(emptyRecordBytes)) }

    // SAFETY: written once, before any thread can see it, and never freed. Narrow form, no slots, end at 4.
    nonisolated(unsafe) private static let emptyRecordBytes: UnsafeMutableRawPointer = {
        let bytes = UnsafeMutableRawPointer.allocate(byteCount: 16, alignment: 8)
        bytes.initializeMemory(as: UInt8.self, repeating: 0, count: 16)
        bytes.storeBytes(of: 1, as: UInt8.self)
        bytes.storeBytes(of: UInt16(4 << 5).littleEndian, toByteOffset: 2, as: UInt16.self)
        return bytes
    }()

    // MARK: Confinement

    /// Whether its file was closed, so that nothing can be done with it any more. May be asked on any thread.
    var isClosed: Bool { hasClosed.load(ordering: .acquiring) }

    /// Traps outside a live realm's thread or queue.
    @inline(__always)
    func checkConfinement() {
        if threadToken != firn_thread_token(), !isFrozen, !isHome { trapConfinement(nil) }
    }

    /// Traps outside a live realm's thread or queue, naming the object.
    @inline(__always)
    func checkConfinement(for object: ObjectBase) {
        if threadToken != firn_thread_token(), !isFrozen, !isHome { trapConfinement(object) }
    }

    /// Whether a realm that is not frozen may be used here.
    private var isHome: Bool { !isClosed && confinement.isCurrent }

    /// Has each further use trap.
    func noteClosing() {
        hasClosed.store(true, ordering: .releasing)
        // No thread has it, so that each use asks whether the realm is at home.
        threadToken = 0
    }

    @inline(never)
    private func trapConfinement(_ object: ObjectBase?) -> Never {
        let subject =
            object.map { "An object of class '\($0.binding.info.name)' (\($0.keyDescription))" } ?? "A realm"
        if isClosed { trapClosed(subject) }
        misuse(
            "\(subject) was used on \(Confinement.here), but belongs to \(confinement); open a realm on the thread "
                + "or queue that needs one, and look the object up there by its primary key or "
                + "resolve a ThreadSafeReference to it; a task may be on another thread after an `await`, so use "
                + "Realm(actor:) or performWrite in one")
    }

    func trapClosed(_ subject: String) -> Never {
        misuse("\(subject) was used after Realm.close(for:) had closed its file; open a realm again")
    }

    /// Traps unless the object is a live one of this realm.
    func checkOwnership(of object: ObjectBase) {
        guard object.context === self else {
            if object.isFrozen {
                misuse(
                    "An object of class '\(object.binding.info.name)' (\(object.keyDescription)) is frozen and cannot be used "
                        + "in a write; use what its thaw() gives")
            }
            misuse(
                "An object of class '\(object.binding.info.name)' belongs to another realm; look it up in this one by its "
                    + "primary key, or copy it with realm.create(\(object.binding.info.name).self, value: object)")
        }
        guard isFound(object) || object.locate(in: self) != nil || !object.isInvalidated else {
            misuse(
                "An object of class '\(object.binding.info.name)' (\(object.keyDescription)) has been deleted or "
                    + "invalidated; ask `isInvalidated` before you use an object that may be gone")
        }
    }

    /// Whether an object of this realm was found since rows last vanished, so that it is there: what `isInvalidated` tells at
    /// length.
    @inline(__always)
    func isFound(_ object: ObjectBase) -> Bool {
        object.record != nil && object.stamp >= connection.vanishingStamp
    }
}
