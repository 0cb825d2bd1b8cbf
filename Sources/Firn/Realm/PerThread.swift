import CThreadIdentity
import Synchronization

/// One value for each thread that asks, which that thread alone uses. A value is kept as long as this is and its thread runs.
final class PerThread<Value: AnyObject>: Sendable {
    private let id = firn_thread_slot_id()
    private let entries = Mutex<[UInt64: Entry]>([:])

    // `@unchecked Sendable`: only the entry's thread takes the value out.
    private struct Entry: @unchecked Sendable {
        let value: Value
        let kernelID: Int32
    }

    /// How many values there are before those of ended threads are looked for.
    private static var fewEntries: Int { 16 }

    /// The calling thread's value, made where there is none. Takes a lock where the thread does not remember it.
    func value(orMake make: () -> Value) -> Value {
        if let known = firn_thread_remembered(id) {
            // SAFETY: the thread runs and this is here, so that the value is kept; nobody else has its number.
            return Unmanaged<Value>.fromOpaque(known).takeUnretainedValue()
        }
        let token = firn_thread_token()
        let value = entries.withLock { $0[token] }?.value ?? make()
        entries.withLock { entries in
            if entries.count >= Self.fewEntries, entries[token] == nil {
                entries = entries.filter { !firn_thread_has_ended($0.value.kernelID) }
            }
            entries[token] = Entry(value: value, kernelID: firn_thread_kernel_id())
        }
        firn_thread_remember(id, Unmanaged.passUnretained(value).toOpaque())
        return value
    }
}
