// The yardstick for queries: the same questions asked of LMDB directly, by loops written for each.
//
//   items         id u64, big-endian  -> one packed struct, the texts at its end
//   by_code       text                -> ids (DUPSORT, DUPFIXED)
//   by_object_id  12 bytes            -> ids (DUPSORT, DUPFIXED)
//   by_uuid       16 bytes            -> ids (DUPSORT, DUPFIXED)
//   by_age        age u64, big-endian -> ids (DUPSORT, DUPFIXED)
//
// All calls return 0 or LMDB's (errno's) code.

#ifndef RAW_QUERIES_H
#define RAW_QUERIES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define RAW_TEXT_CAPACITY 20

// One object as it is handed in; none of its texts has a zero byte.
typedef struct {
    uint64_t id;
    uint8_t object_id[12];
    uint8_t uuid[16];
    int64_t age;
    double score;
    bool active;
    uint8_t code_length, name_length;
    char code[RAW_TEXT_CAPACITY];
    char name[RAW_TEXT_CAPACITY];
} raw_query_item;

typedef enum { RAW_BY_CODE, RAW_BY_OBJECT_ID, RAW_BY_UUID } raw_query_key;

typedef struct raw_queries raw_queries;

int raw_queries_open(const char *path, raw_queries **store);
void raw_queries_close(raw_queries *store);

// One transaction. Ids must be above all that are there.
int raw_queries_insert(raw_queries *store, const raw_query_item *items, size_t count);

// Finds the objects that have the keys of these ones, again and again, all in one read transaction; sums up their
// scores.
int raw_sum_scores_of(
    raw_queries *store, raw_query_key key, const raw_query_item *wanted, size_t count, size_t repeats, double *sum);

// How many objects have an age, for all ages below `ages`, again and again, each in a read transaction of its own.
// Answers the sum of all these numbers, each times its age.
int raw_count_ages(raw_queries *store, int64_t ages, size_t repeats, int64_t *sum);
// The scores of the objects of an age, likewise; each sum times its age.
int raw_sum_scores_by_age(raw_queries *store, int64_t ages, double *sum);

int raw_count_active(raw_queries *store, double above, uint64_t *count);
int raw_count_names(raw_queries *store, const char *part, size_t length, uint64_t *count);
int raw_sum_scores(raw_queries *store, double *sum);

// The ages of the first `limit` objects by score, and by id within one score; of the first active ones by code.
int raw_ages_by_score(raw_queries *store, size_t limit, int64_t *ages, size_t *count);
int raw_active_ages_by_code(raw_queries *store, size_t limit, int64_t *ages, size_t *count);

#endif
