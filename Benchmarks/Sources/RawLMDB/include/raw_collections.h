// The yardstick for collections: what a C programmer would keep in LMDB in their place.
//
//   numbers    position u64, big-endian -> number i64: a list of integers
//   links      position u64, big-endian -> object u64, big-endian: a list of links
//   linked     object u64, list u64, both big-endian -> nothing: the links' reverse index
//   objects    object u64, big-endian   -> number i64, group u64, big-endian
//   groups     group u64, big-endian    -> number i64
//   by_group   group u64, big-endian    -> objects (DUPSORT, DUPFIXED): the link's reverse index
//   random     8 random bytes           -> number i64
//   map        text                     -> number i64
//   set        i64 with its sign bit flipped, big-endian -> nothing
//
// All calls return 0 or LMDB's (errno's) code; writes are one transaction each.

#ifndef RAW_COLLECTIONS_H
#define RAW_COLLECTIONS_H

#include <stddef.h>
#include <stdint.h>

typedef struct raw_collections raw_collections;

int raw_collections_open(const char *path, raw_collections **store);
void raw_collections_close(raw_collections *store);

// Objects 0 to count - 1: object i has the number i and the group i % groups; group g has the number g.
int raw_add_objects(raw_collections *store, uint64_t count, uint64_t groups);
int raw_sum_objects(raw_collections *store, int64_t *sum);

// The list of numbers: at position i stands i.
int raw_append_numbers(raw_collections *store, uint64_t count);
int raw_sum_numbers(raw_collections *store, int64_t *sum);
int raw_sum_numbers_at(raw_collections *store, const uint64_t *positions, size_t count, int64_t *sum);

// The list of links: at position i stands object i.
int raw_append_links(raw_collections *store, uint64_t count);
int raw_sum_links(raw_collections *store, int64_t *sum);

// Keys that stand in no order.
int raw_put_random(raw_collections *store, const uint64_t *keys, size_t count);

// Keys lie one after the other in `text`, each with a zero byte behind it.
int raw_put_map(raw_collections *store, const char *text, size_t count);
int raw_sum_map(raw_collections *store, const char *text, size_t count, int64_t *sum);

int raw_put_set(raw_collections *store, const int64_t *members, size_t count);
int raw_count_members(raw_collections *store, const int64_t *members, size_t count, int64_t *found);

// The numbers of the groups of all objects, and of the objects of all groups.
int raw_sum_groups_of_objects(raw_collections *store, int64_t *sum);
int raw_sum_objects_of_groups(raw_collections *store, int64_t *sum);

#endif
