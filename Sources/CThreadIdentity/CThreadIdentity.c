#define _GNU_SOURCE

#include "CThreadIdentity.h"

#include <errno.h>
#include <stdatomic.h>
#include <sys/syscall.h>
#include <unistd.h>

_Thread_local uint64_t firn_thread_token_storage = 0;

static _Atomic uint64_t firn_next_thread_token = 1;

uint64_t firn_thread_token_assign(void) {
    uint64_t token = atomic_fetch_add_explicit(&firn_next_thread_token, 1, memory_order_relaxed);
    firn_thread_token_storage = token;
    return token;
}

_Thread_local struct firn_thread_slot firn_thread_slots[64];

static _Atomic uint64_t firn_next_slot_id = 1;

uint64_t firn_thread_slot_id(void) {
    return atomic_fetch_add_explicit(&firn_next_slot_id, 1, memory_order_relaxed);
}

int32_t firn_thread_kernel_id(void) {
    return (int32_t)syscall(SYS_gettid);
}

bool firn_thread_has_ended(int32_t kernel_id) {
    return syscall(SYS_tgkill, getpid(), kernel_id, 0) == -1 && errno == ESRCH;
}

struct executor {
    uintptr_t identity;
    uintptr_t implementation;
};

extern bool swift_task_isCurrentExecutorWithFlags(struct executor executor, uint64_t flags)
    __attribute__((swiftcall));

bool firn_is_current_executor(uintptr_t identity, uintptr_t implementation) {
    return swift_task_isCurrentExecutorWithFlags((struct executor){identity, implementation}, 0);
}
