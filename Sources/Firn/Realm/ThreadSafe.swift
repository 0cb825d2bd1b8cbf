import Synchronization

/// A variable of an object, a collection or results that every thread sees as its own.
///
///     let person = ThreadSafe(wrappedValue: realm.objects(Person.self).first)
///     queue.async {
///         guard let person = person.wrappedValue else { return }
///         try? person.realm?.write { person.age += 1 }
///     }
///
/// As `@ThreadSafe var person = …` the variable reads and sets it; Swift 6 lets no closure that runs elsewhere capture a variable, so
/// there the wrapper is what is captured. Stored properties can be wrapped.
///
/// Reading it finds the value again in a realm of the calling thread (or of the queue that runs, where one was opened for it), which
/// is opened if need be; nil where it is gone. Setting it takes what belongs to the calling thread. Each reading costs a look-up, or
/// makes results anew; hold what it gives while you use it. Traps for what is unmanaged or invalidated, and where the file cannot be
/// opened any more.
@propertyWrapper
public final class ThreadSafe<Confined: ThreadConfined>: Sendable {
    private let content: Mutex<_HandedOver?>

    /// Holds what belongs to the calling thread.
    public init(wrappedValue: Confined?) {
        content = Mutex(wrappedValue.map { ThreadSafeReference(to: $0).content })
    }

    /// The value, as the calling thread may use it.
    public var wrappedValue: Confined? {
        get {
            guard let content = content.withLock({ $0 }) else { return nil }
            do {
                let configuration = content.configuration
                let context = try RealmRegistry.context(
                    for: configuration, RealmRegistry.liveConfinement(of: configuration))
                return content.resolved(in: Realm(context))
            } catch {
                misuse("A @ThreadSafe variable was read whose realm cannot be opened any more: \(error)")
            }
        }
        set {
            let new = newValue.map { ThreadSafeReference(to: $0).content }
            content.withLock { $0 = new }
        }
    }
}
