#ifndef C_THREAD_IDENTITY_H
#define C_THREAD_IDENTITY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/// The calling thread's token, or 0 before the thread first asked for one.
extern _Thread_local uint64_t firn_thread_token_storage;

/// Gives the calling thread a token. Called once a thread.
uint64_t firn_thread_token_assign(void);

/// A number that names the calling thread for the life of the process. Unlike a `pthread_t` or a kernel
/// thread id it is never given to a second thread, so a stale identity can never look like a live one.
static inline uint64_t firn_thread_token(void) {
    uint64_t token = firn_thread_token_storage;
    return token != 0 ? token : firn_thread_token_assign();
}

/// Something that the calling thread has found before, by the number of what keeps it.
struct firn_thread_slot {
    uint64_t id;
    const void *_Nullable value;
};

/// Where the calling thread remembers. A number that is 0 is nothing's.
extern _Thread_local struct firn_thread_slot firn_thread_slots[64];

/// A number for `firn_thread_remember` that nobody else has or will have.
uint64_t firn_thread_slot_id(void);

/// What the calling thread has remembered under a number, or NULL where it has not, or has forgotten.
static inline const void *_Nullable firn_thread_remembered(uint64_t id) {
    const struct firn_thread_slot *slot = &firn_thread_slots[id % 64];
    return slot->id == id ? slot->value : NULL;
}

/// Has the calling thread remember something under a number, in the place of something else.
static inline void firn_thread_remember(uint64_t id, const void *_Nonnull value) {
    struct firn_thread_slot *slot = &firn_thread_slots[id % 64];
    slot->id = id;
    slot->value = value;
}

/// Whether the calling code runs on a serial executor of Swift, by the two words of an `UnownedSerialExecutor`. Ask only for one that
/// is alive. The question is the runtime's own (`swift_task_isCurrentExecutorWithFlags`), without the flag that makes it trap.
bool firn_is_current_executor(uintptr_t identity, uintptr_t implementation);

/// The kernel's id of the calling thread, which it may give to another once this one has ended.
int32_t firn_thread_kernel_id(void);

/// Whether this process has no thread with a kernel's id.
bool firn_thread_has_ended(int32_t kernel_id);

#endif
