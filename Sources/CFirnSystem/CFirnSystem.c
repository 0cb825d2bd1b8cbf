#define _GNU_SOURCE
#include "CFirnSystem.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdlib.h>
#include <sys/vfs.h>
#include <unistd.h>

bool firn_faults_are_armed_storage = false;
uint64_t firn_fork_generation_storage = 0;

static pthread_mutex_t descriptors_mutex = PTHREAD_MUTEX_INITIALIZER;
static int *descriptors = NULL;
static size_t descriptor_count = 0;
static size_t descriptor_capacity = 0;

static pthread_mutex_t across_forks_mutex = PTHREAD_MUTEX_INITIALIZER;

static pthread_once_t watch_once = PTHREAD_ONCE_INIT;
static int watch_result = 0;

void firn_set_faults_are_armed(bool armed) {
    __atomic_store_n(&firn_faults_are_armed_storage, armed, __ATOMIC_RELAXED);
}

// The mutexes are held across the fork, so that the child sees what they protect whole.
static void before_fork(void) {
    pthread_mutex_lock(&across_forks_mutex);
    pthread_mutex_lock(&descriptors_mutex);
}

static void after_fork_in_parent(void) {
    pthread_mutex_unlock(&descriptors_mutex);
    pthread_mutex_unlock(&across_forks_mutex);
}

static void after_fork_in_child(void) {
    __atomic_fetch_add(&firn_fork_generation_storage, 1, __ATOMIC_RELAXED);
    for (size_t i = 0; i < descriptor_count; i++) {
        close(descriptors[i]);
    }
    descriptor_count = 0;
    pthread_mutex_unlock(&descriptors_mutex);
    pthread_mutex_unlock(&across_forks_mutex);
}

void firn_lock_across_forks(void) {
    pthread_mutex_lock(&across_forks_mutex);
}

void firn_unlock_across_forks(void) {
    pthread_mutex_unlock(&across_forks_mutex);
}

static void watch(void) {
    watch_result = pthread_atfork(before_fork, after_fork_in_parent, after_fork_in_child);
}

int firn_watch_forks(void) {
    pthread_once(&watch_once, watch);
    return watch_result;
}

bool firn_close_in_fork_children(int descriptor) {
    bool stored = true;
    pthread_mutex_lock(&descriptors_mutex);
    if (descriptor_count == descriptor_capacity) {
        size_t capacity = descriptor_capacity ? descriptor_capacity * 2 : 8;
        int *grown = realloc(descriptors, capacity * sizeof(int));
        if (grown) {
            descriptors = grown;
            descriptor_capacity = capacity;
        } else {
            stored = false;
        }
    }
    if (stored) {
        descriptors[descriptor_count++] = descriptor;
    }
    pthread_mutex_unlock(&descriptors_mutex);
    return stored;
}

void firn_forget_descriptor(int descriptor) {
    pthread_mutex_lock(&descriptors_mutex);
    for (size_t i = 0; i < descriptor_count; i++) {
        if (descriptors[i] == descriptor) {
            descriptors[i] = descriptors[--descriptor_count];
            break;
        }
    }
    pthread_mutex_unlock(&descriptors_mutex);
}

void firn_name_thread(const char *name) {
    pthread_setname_np(pthread_self(), name);
}

int firn_lock_description(int descriptor, int kind, bool waits) {
    struct flock range = {.l_type = (short)kind, .l_whence = SEEK_SET, .l_start = 0, .l_len = 1};
    return fcntl(descriptor, waits ? F_OFD_SETLKW : F_OFD_SETLK, &range) == 0 ? 0 : errno;
}

bool firn_other_description_is_locked(int descriptor) {
    struct flock range = {.l_type = F_WRLCK, .l_whence = SEEK_SET, .l_start = 0, .l_len = 1};
    return fcntl(descriptor, F_OFD_GETLK, &range) == 0 && range.l_type != F_UNLCK;
}

int firn_lock_description_byte(int descriptor, int kind, int64_t offset) {
    struct flock range = {.l_type = (short)kind, .l_whence = SEEK_SET, .l_start = offset, .l_len = 1};
    return fcntl(descriptor, F_OFD_SETLK, &range) == 0 ? 0 : errno;
}

void firn_unlock_description(int descriptor) {
    struct flock range = {.l_type = F_UNLCK, .l_whence = SEEK_SET, .l_start = 0, .l_len = 0};
    fcntl(descriptor, F_OFD_SETLK, &range);
}

bool firn_other_description_has_locked(int descriptor, int64_t offset, int64_t count) {
    struct flock range = {.l_type = F_WRLCK, .l_whence = SEEK_SET, .l_start = offset, .l_len = count};
    return fcntl(descriptor, F_OFD_GETLK, &range) != 0 || range.l_type != F_UNLCK;
}

int firn_lengthen(int descriptor, int64_t start, int64_t end) {
    return fallocate(descriptor, 0, start, end - start) == 0 ? 0 : errno;
}

int firn_file_system_magic(const char *path, uint32_t *magic) {
    struct statfs status;
    if (statfs(path, &status) != 0) {
        return errno;
    }
    *magic = (uint32_t)status.f_type;
    return 0;
}

int firn_make_pipe(int descriptors[2]) {
    return pipe2(descriptors, O_CLOEXEC) == 0 ? 0 : errno;
}
