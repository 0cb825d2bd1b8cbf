import Foundation

/// Where a live realm is at home, as a place to which others can send blocks.
enum Scheduler: Sendable {
    /// A serial queue; of the main thread's realm the main one.
    case queue(DispatchQueue)
    case actor(ConfiningActor)
    case runLoop(ThreadRunLoop)

    /// To be asked where the realm is at home. Nil on a thread that neither is the main one nor runs a run loop now: nothing can be
    /// sent to it. The thread then keeps a run loop, as Foundation has it.
    init?(_ confinement: Confinement) {
        switch confinement {
        case .queue(let queue): self = .queue(queue.queue)
        case .actor(let actor): self = .actor(actor)
        case .main: self = .queue(.main)
        case .thread:
            let loop = RunLoop.current
            guard loop.currentMode != nil else { return nil }
            self = .runLoop(ThreadRunLoop(loop))
        }
    }

    /// Has a block run there, soon and behind those that were sent before. From any thread. An actor that is gone runs nothing, nor
    /// does a run loop that has ended.
    func schedule(_ body: @escaping @Sendable () -> Void) {
        switch self {
        case .queue(let queue): queue.async(execute: body)
        case .actor(let actor): actor.run(body)
        case .runLoop(let loop): loop.run(body)
        }
    }

    /// What has to be kept so that blocks are run later on: a realm does not keep its actor.
    var home: (any Actor)? {
        if case .actor(let actor) = self { actor.get() } else { nil }
    }
}

/// The run loop of a thread, to which other threads send blocks.
///
/// `@unchecked Sendable`: used only to add timers, which `CFRunLoopAddTimer` does under the loop's lock.
struct ThreadRunLoop: @unchecked Sendable {
    private let loop: RunLoop

    init(_ loop: RunLoop) {
        self.loop = loop
    }

    /// Has a block run in the loop. By a timer, since `RunLoop.perform` does not wake a loop that sleeps on Linux.
    func run(_ body: @escaping @Sendable () -> Void) {
        loop.add(Timer(timeInterval: 0, repeats: false) { _ in body() }, forMode: .common)
    }
}
