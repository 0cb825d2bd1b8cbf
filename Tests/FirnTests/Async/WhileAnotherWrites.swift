import Firn
import Foundation
import Synchronization
import TestSupport

/// Holds the writer's turn on a thread of its own until `body` has returned.
func whileAnotherWrites(_ configuration: Realm.Configuration, _ body: () async throws -> Void) async throws {
    let isHeld = Atomic(false)
    let isEnough = DispatchSemaphore(value: 0)
    let holder = Companion {
        let realm = try Realm(configuration: configuration)
        realm.beginWrite()
        isHeld.store(true, ordering: .releasing)
        isEnough.wait()
        realm.cancelWrite()
    }
    await wait { isHeld.load(ordering: .acquiring) }
    try await body()
    isEnough.signal()
    try holder.value()
}
