extension Realm {
    /// Whether the realm moves to the newest version by itself soon after others have committed, in this process or another.
    ///
    /// It does so where it belongs: in a block of its queue, in a task on its actor, in the run loop of its thread; never in the middle
    /// of other code there, and never in a write, but after it. Several commits may give one move. The commits of other processes come
    /// after some 0.1 ms, and after up to a second where the kernel has no inotify watches to give.
    ///
    /// True by default, but for realms of threads that run no run loop when the realm is opened: those move by `refresh()` and by
    /// writes only. Setting it to true in a run loop's own block makes up for that; set elsewhere on such a thread it has no effect. A
    /// frozen realm's is false, and setting it to true traps.
    public var autorefresh: Bool {
        get { context.isAutorefreshing }
        nonmutating set { context.setAutorefresh(newValue) }
    }
}
