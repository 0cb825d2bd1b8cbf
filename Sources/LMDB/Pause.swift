import Glibc

/// Has the thread wait, for less than a second; a signal ends it early.
func pause(nanoseconds: Int) {
    var time = timespec(tv_sec: 0, tv_nsec: nanoseconds)
    nanosleep(&time, nil)
}
