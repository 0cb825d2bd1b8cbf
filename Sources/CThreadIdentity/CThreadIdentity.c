#include "CThreadIdentity.h"

#include <stdatomic.h>

_Thread_local uint64_t firn_thread_token_storage = 0;

static _Atomic uint64_t firn_next_thread_token = 1;

uint64_t firn_thread_token_assign(void) {
    uint64_t token = atomic_fetch_add_explicit(&firn_next_thread_token, 1, memory_order_relaxed);
    firn_thread_token_storage = token;
    return token;
}
