#ifndef C_THREAD_IDENTITY_H
#define C_THREAD_IDENTITY_H

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

#endif
