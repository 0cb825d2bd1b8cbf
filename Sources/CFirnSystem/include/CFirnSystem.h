#ifndef C_FIRN_SYSTEM_H
#define C_FIRN_SYSTEM_H

#include <stdbool.h>
#include <stdint.h>

// What Swift cannot say or see: state of the whole process that inlined code reads with one plain load (a Swift
// global would cost each caller in another module a call of its addressor), and what the system's headers show to
// `_GNU_SOURCE` only, or in a header that the Glibc module lacks.

extern bool firn_faults_are_armed_storage;

/// Whether a test has armed the fault seam. False in every program that is not a test.
static inline bool firn_faults_are_armed(void) {
    return __atomic_load_n(&firn_faults_are_armed_storage, __ATOMIC_RELAXED);
}

/// Arms or disarms the fault seam.
void firn_set_faults_are_armed(bool armed);

extern uint64_t firn_fork_generation_storage;

/// How many forks lie between the process that first asked and this one: what was made under another
/// number belongs to an ancestor and must be left alone.
static inline uint64_t firn_fork_generation(void) {
    return __atomic_load_n(&firn_fork_generation_storage, __ATOMIC_RELAXED);
}

/// Asks for the cache line at `address`, which is soon to be read.
static inline void firn_prefetch(const void *address) {
    __builtin_prefetch(address);
}

/// Asks for the cache lines of a block that will be read some hundred instructions later: into the second cache, which
/// takes more requests at a time than the first.
static inline void firn_prefetch_block(const void *address, long byte_count) {
    for (long offset = 0; offset < byte_count; offset += 64) {
        __builtin_prefetch((const char *)address + offset, 0, 1);
    }
}

/// Starts watching for forks; further calls do nothing. Returns 0 or an errno value.
int firn_watch_forks(void);

/// Makes a fork's child close `descriptor`: an open file description's lock would otherwise outlive a
/// parent that is killed while it holds it. Returns false when out of memory.
bool firn_close_in_fork_children(int descriptor);

/// Takes back `firn_close_in_fork_children`; to be called before `descriptor` is closed.
void firn_forget_descriptor(int descriptor);

/// Takes a lock of the whole process that no other thread holds while the process is forked, so that a child finds it free and what
/// it protects whole. Taken before any lock of the functions above. For what no fork's child can make anew for itself.
void firn_lock_across_forks(void);

/// Gives it back.
void firn_unlock_across_forks(void);

/// Names the calling thread for debuggers.
void firn_name_thread(const char *name);

/// Locks or unlocks (`F_WRLCK`, `F_UNLCK`) the first byte of a file for the open file description, waiting for it if
/// `waits`. Returns 0 or an errno value.
int firn_lock_description(int descriptor, int kind, bool waits);

/// Whether another open file description has the first byte locked. False where that cannot be found out.
bool firn_other_description_is_locked(int descriptor);

/// Takes a lock (`F_RDLCK`, `F_WRLCK`) of one byte of a file, which may lie beyond its end, for the open file description, or gives it
/// up (`F_UNLCK`); never waits. Returns 0 or an errno value.
int firn_lock_description_byte(int descriptor, int kind, int64_t offset);

/// Gives up all locks of the open file description.
void firn_unlock_description(int descriptor);

/// Whether another open file description has any of `count` bytes locked, the first at `offset`; 0 means all from there on. True where
/// that cannot be found out.
bool firn_other_description_has_locked(int descriptor, int64_t offset, int64_t count);

/// Makes a file at least `end` bytes long, from `start` on, without ever making it shorter. Returns 0 or an errno
/// value.
int firn_lengthen(int descriptor, int64_t start, int64_t end);

/// The magic number of the file system that `path` lies on (statfs(2)). Returns 0 or an errno value.
int firn_file_system_magic(const char *path, uint32_t *magic);

/// Makes a pipe whose ends no other child process inherits. Returns 0 or an errno value.
int firn_make_pipe(int descriptors[2]);

#endif
