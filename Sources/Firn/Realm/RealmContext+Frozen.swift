import CThreadIdentity
import FirnStore

/// What the context of a frozen realm has besides.
///
/// Each thread that reads a frozen realm has a context of its own, with cursors of its own: so threads wait neither for a lock nor
/// for each other's counts of references. What one thread was given another may use: it reads the records where they lie, and goes
/// through its own context for all else.
final class FrozenState: Sendable {
    /// The contexts of other threads; those that this one made, and keeps.
    fileprivate let siblings = PerThread<RealmContext>()
    /// What made this context, and knows all of them while it lives. Weak: it keeps this one.
    fileprivate let root: ContextReference?

    fileprivate init(root: ContextReference?) {
        self.root = root
    }
}

extension RealmContext {
    var isFrozen: Bool {
        @inline(__always) get { frozen != nil }
    }

    /// The context for the calling thread. Traps outside a live realm's thread or queue.
    var here: RealmContext {
        @inline(__always) get {
            threadToken == firn_thread_token() ? self : elsewhere()
        }
    }

    @inline(never)
    private func elsewhere() -> RealmContext {
        guard let frozen else {
            checkConfinement()
            return self
        }
        if let root = frozen.root?.get() { return root.here }
        return frozen.siblings.value {
            makeFrozen(connection.currentSnapshot, schema: nil, root: reference) {
                [name = connection.holderName, thread = Confinement.currentThread] in
                "\(name()), read on \(thread)"
            }
        }
    }

    /// The frozen realm of the version that this one shows, and in a write of the one before it. Traps where its classes no longer
    /// fit the file.
    func frozenContext() -> RealmContext {
        checkConfinement()
        if isFrozen { return here }
        synchronizePlain()
        let snapshot = connection.currentSnapshot
        if let newestFrozen, newestFrozen.version == snapshot.version, let known = newestFrozen.reference.get() {
            return known.here
        }
        let frozen = RealmRegistry.frozenContext(self, version: snapshot.version) {
            makeFrozen(snapshot, schema: connection.isWriting ? nil : connection.schema, root: nil) {
                [thread = Confinement.currentThread] in
                "a frozen realm of \(thread)"
            }
        }
        newestFrozen = (snapshot.version, frozen.reference)
        return frozen
    }

    /// The frozen realm of the newest version, for who has a frozen one on the calling thread.
    func newestFrozenContext() -> RealmContext {
        do {
            let snapshot = try connection.store.newestSnapshot()
            if snapshot.version == connection.version { return self }
            return RealmRegistry.frozenContext(self, version: snapshot.version) {
                makeFrozen(snapshot, schema: nil, root: nil) { "a sequence of changes" }
            }
        } catch {
            connection.unreadable(error)
        }
    }

    /// A context of a version for the calling thread. `name` is what people are told who asks who keeps the version.
    private func makeFrozen(
        _ snapshot: Snapshot, schema: StoredSchema?, root: ContextReference?, name: @escaping SnapshotHolder.Name
    ) -> RealmContext {
        do {
            let connection = try Connection(snapshot: snapshot, isFrozen: true, schema: schema, name: name)
            let bindings = bindingList.compactMap { binding in
                connection.schema[binding.table.name].map { TableBinding(binding.info, $0) }
            }
            return RealmContext(
                configuration, .currentThread, connection, bindings, frozen: FrozenState(root: root))
        } catch {
            connection.unreadable(error)
        }
    }

    /// The live realm of the same configuration where the caller runs, at the version of this frozen one or a newer one. A live realm
    /// is that itself.
    func liveContext() -> RealmContext {
        guard isFrozen else { return here }
        do {
            let live = try RealmRegistry.context(for: configuration, RealmRegistry.liveConfinement(of: configuration))
            if live.connection.version < connection.version { _ = try live.refresh() }
            return live
        } catch {
            misuse("A frozen realm was thawed that cannot be opened any more: \(error)")
        }
    }

    /// This context's view of a class, of which another context of the same frozen realm has one.
    @inline(__always)
    func own(_ binding: TableBinding) -> TableBinding {
        isFrozen ? view(of: binding) : binding
    }

    /// This context's view of a class of which another context has one that was opened with the same classes.
    @inline(never)
    func view(of other: TableBinding) -> TableBinding {
        let view =
            other.info.isDynamic ? dynamicBinding(for: other.table.id) : bindings[ObjectIdentifier(other.info.type)]
        guard let view else { misuse("The class '\(other.info.name)' is no longer in the file") }
        return view
    }

    /// Whether both show the same rows: one realm, or frozen ones of one version of one file.
    func showsSame(as other: RealmContext) -> Bool {
        if self === other { return true }
        return isFrozen && other.isFrozen && connection.version == other.connection.version
            && connection.store.environment === other.connection.store.environment
    }

    /// Whether an object is of this realm, or of the same version of a frozen one.
    func shows(_ object: ObjectBase) -> Bool {
        object.context.map { showsSame(as: $0) } ?? false
    }

    /// This context's view of an object's row, of which another one has a view; invalidated where the row is not there.
    func accessor(of object: ObjectBase) -> ObjectBase {
        let accessor = makeAccessor(view(of: object.binding), key: object.key)
        _ = accessor.locate(in: self)
        return accessor
    }
}
