// The yardstick: the benchmark's objects kept in LMDB directly, as a C programmer would who knows LMDB well.
//
//   items        key                      -> one packed struct, the name at its end
//   by_category  category u64, big-endian -> keys (DUPSORT, DUPFIXED)
//   by_token     token, 16 bytes          -> keys (DUPSORT, DUPFIXED)
//   by_group     group u64, big-endian    -> keys (DUPSORT, DUPFIXED): the link's reverse index
//   groups       group u64, big-endian    -> name
//
// A key is the integer (u64, big-endian) or the UUID (16 bytes) that the objects of the store go by. Cursors are opened
// once a transaction and reused; sequential keys are appended. Index entries are put as the objects come, not sorted
// first. All calls return 0 or LMDB's (errno's) code.

#ifndef RAW_LMDB_H
#define RAW_LMDB_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define RAW_NAME_CAPACITY 20

// One object as it is handed in.
typedef struct {
    uint64_t id;
    uint8_t uuid[16];
    int64_t category;
    uint8_t token[16];
    double score;
    int64_t counter;
    uint64_t group;
    bool active;
    uint8_t name_length;
    char name[RAW_NAME_CAPACITY];
} raw_item;

typedef enum { RAW_INTEGER_KEYS, RAW_UUID_KEYS } raw_key_kind;

typedef struct {
    uint8_t bytes[16];
} raw_uuid;

// What a pass over objects read, so that two stores can be compared.
typedef struct {
    uint64_t count;
    int64_t counters;
    double scores;
} raw_sum;

typedef struct raw_store raw_store;

// Commits are flushed, which costs nothing where the file lies in memory (tmpfs).
int raw_open(const char *path, raw_key_kind kind, raw_store **store);
void raw_close(raw_store *store);
const char *raw_error(int code);
const char *raw_version(void);

int raw_insert_groups(raw_store *store, uint64_t count);
// One transaction. With integer keys, ids must be above all that are there.
int raw_insert(raw_store *store, const raw_item *items, size_t count);

// Counter and score of the objects with these keys, in one read transaction.
int raw_read_integers(raw_store *store, const uint64_t *ids, size_t count, raw_sum *sum);
int raw_read_uuids(raw_store *store, const raw_uuid *uuids, size_t count, raw_sum *sum);

// Sets the counters of the objects with these ids, in one transaction.
int raw_update(raw_store *store, const uint64_t *ids, const int64_t *counters, size_t count);

// Counter and score of all objects.
int raw_iterate(raw_store *store, raw_sum *sum);

int raw_count_scores(raw_store *store, double above, uint64_t *count);
int raw_count_active_scores(raw_store *store, double above, uint64_t *count);

// What the comparison of two stores looks at besides: one object by its key (`id` or `uuid`, as the store has it; both
// are copied to `item`), and how many entries an index has under a key.
int raw_find(raw_store *store, uint64_t id, raw_uuid uuid, raw_item *item);
int raw_count_category(raw_store *store, int64_t category, uint64_t *count);
int raw_count_token(raw_store *store, raw_uuid token, uint64_t *count);

#endif
