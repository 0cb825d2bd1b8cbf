#include "raw_collections.h"
#include "session.h"

#include <endian.h>
#include <errno.h>
#include <lmdb.h>
#include <stdlib.h>
#include <string.h>

struct raw_collections {
    MDB_env *env;
    MDB_dbi numbers, links, linked, objects, groups, by_group, random, map, set;
};

typedef struct __attribute__((packed)) {
    int64_t number;
    uint64_t group;
} stored_object;

int raw_collections_open(const char *path, raw_collections **out) {
    raw_collections *store = calloc(1, sizeof *store);
    if (!store) return ENOMEM;
    MDB_txn *txn = NULL;
    int code;
    TRY(mdb_env_create(&store->env));
    TRY(mdb_env_set_maxdbs(store->env, 9));
    TRY(mdb_env_set_mapsize(store->env, (size_t)1 << 38));
    TRY(mdb_env_open(store->env, path, MDB_NOSUBDIR | MDB_NOTLS, 0644));
    TRY(mdb_txn_begin(store->env, NULL, 0, &txn));
    TRY(mdb_dbi_open(txn, "numbers", MDB_CREATE, &store->numbers));
    TRY(mdb_dbi_open(txn, "links", MDB_CREATE, &store->links));
    TRY(mdb_dbi_open(txn, "linked", MDB_CREATE, &store->linked));
    TRY(mdb_dbi_open(txn, "objects", MDB_CREATE, &store->objects));
    TRY(mdb_dbi_open(txn, "groups", MDB_CREATE, &store->groups));
    TRY(mdb_dbi_open(txn, "by_group", MDB_CREATE | MDB_DUPSORT | MDB_DUPFIXED, &store->by_group));
    TRY(mdb_dbi_open(txn, "random", MDB_CREATE, &store->random));
    TRY(mdb_dbi_open(txn, "map", MDB_CREATE, &store->map));
    TRY(mdb_dbi_open(txn, "set", MDB_CREATE, &store->set));
    code = mdb_txn_commit(txn);
    txn = NULL;
done:
    if (txn) mdb_txn_abort(txn);
    if (code) {
        raw_collections_close(store);
        store = NULL;
    }
    *out = store;
    return code;
}

void raw_collections_close(raw_collections *store) {
    mdb_env_close(store->env);
    free(store);
}

static inline int64_t number_in(MDB_val value) {
    int64_t number;
    memcpy(&number, value.mv_data, sizeof number);
    return number;
}

int raw_add_objects(raw_collections *store, uint64_t count, uint64_t groups) {
    MDB_txn *txn = NULL;
    MDB_cursor *objects, *by_group;
    int code;
    TRY(mdb_txn_begin(store->env, NULL, 0, &txn));
    TRY(mdb_cursor_open(txn, store->objects, &objects));
    TRY(mdb_cursor_open(txn, store->by_group, &by_group));
    for (uint64_t group = 0; group < groups; group++) {
        uint64_t bytes = htobe64(group);
        int64_t number = (int64_t)group;
        MDB_val key = {sizeof bytes, &bytes}, value = {sizeof number, &number};
        TRY(mdb_put(txn, store->groups, &key, &value, MDB_APPEND));
    }
    for (uint64_t object = 0; object < count; object++) {
        uint64_t bytes = htobe64(object), group = htobe64(object % groups);
        stored_object stored = {(int64_t)object, group};
        MDB_val key = {sizeof bytes, &bytes}, value = {sizeof stored, &stored}, group_key = {sizeof group, &group};
        TRY(mdb_cursor_put(objects, &key, &value, MDB_APPEND));
        TRY(mdb_cursor_put(by_group, &group_key, &key, MDB_APPENDDUP));
    }
    code = mdb_txn_commit(txn);
    txn = NULL;
done:
    if (txn) mdb_txn_abort(txn);
    return code;
}

// The sum of all entries, each of which begins with its number.
static int sum_all(raw_collections *store, MDB_dbi database, int64_t *sum) {
    session session;
    int code = begin(store->env, database, MDB_RDONLY, &session);
    if (code) return code;
    int64_t total = 0;
    MDB_val key, value;
    while (!(code = mdb_cursor_get(session.cursor, &key, &value, MDB_NEXT))) total += number_in(value);
    *sum = total;
    return end_reading(&session, code);
}

int raw_sum_objects(raw_collections *store, int64_t *sum) { return sum_all(store, store->objects, sum); }

int raw_append_numbers(raw_collections *store, uint64_t count) {
    session session;
    int code = begin(store->env, store->numbers, 0, &session);
    if (code) return code;
    for (uint64_t position = 0; position < count && !code; position++) {
        uint64_t bytes = htobe64(position);
        int64_t number = (int64_t)position;
        MDB_val key = {sizeof bytes, &bytes}, value = {sizeof number, &number};
        code = mdb_cursor_put(session.cursor, &key, &value, MDB_APPEND);
    }
    return end_writing(&session, code);
}

int raw_sum_numbers(raw_collections *store, int64_t *sum) { return sum_all(store, store->numbers, sum); }

int raw_sum_numbers_at(raw_collections *store, const uint64_t *positions, size_t count, int64_t *sum) {
    MDB_txn *txn;
    int code = mdb_txn_begin(store->env, NULL, MDB_RDONLY, &txn);
    if (code) return code;
    *sum = 0;
    for (size_t i = 0; i < count && !code; i++) {
        uint64_t bytes = htobe64(positions[i]);
        MDB_val key = {sizeof bytes, &bytes}, value;
        code = mdb_get(txn, store->numbers, &key, &value);
        if (!code) *sum += number_in(value);
    }
    mdb_txn_abort(txn);
    return code;
}

int raw_append_links(raw_collections *store, uint64_t count) {
    session session;
    int code = begin(store->env, store->links, 0, &session);
    if (code) return code;
    MDB_cursor *linked;
    code = mdb_cursor_open(session.txn, store->linked, &linked);
    // The objects come in order, so that the reverse index can be appended to as well.
    for (uint64_t position = 0; position < count && !code; position++) {
        uint64_t bytes = htobe64(position), origin[2] = {bytes, 0};
        MDB_val key = {sizeof bytes, &bytes}, value = {sizeof bytes, &bytes};
        MDB_val reverse_key = {sizeof origin, origin}, nothing = {0, NULL};
        code = mdb_cursor_put(session.cursor, &key, &value, MDB_APPEND);
        if (!code) code = mdb_cursor_put(linked, &reverse_key, &nothing, MDB_APPEND);
    }
    return end_writing(&session, code);
}

int raw_sum_links(raw_collections *store, int64_t *sum) {
    session session;
    int code = begin(store->env, store->links, MDB_RDONLY, &session);
    if (code) return code;
    MDB_cursor *objects;
    code = mdb_cursor_open(session.txn, store->objects, &objects);
    if (code) return end_reading(&session, code);
    int64_t total = 0;
    MDB_val key, link, value;
    while (!(code = mdb_cursor_get(session.cursor, &key, &link, MDB_NEXT))) {
        code = mdb_cursor_get(objects, &link, &value, MDB_SET);
        if (code) break;
        total += number_in(value);
    }
    *sum = total;
    mdb_cursor_close(objects);
    return end_reading(&session, code);
}

int raw_put_random(raw_collections *store, const uint64_t *keys, size_t count) {
    session session;
    int code = begin(store->env, store->random, 0, &session);
    if (code) return code;
    for (size_t i = 0; i < count && !code; i++) {
        int64_t number = (int64_t)i;
        MDB_val key = {sizeof keys[i], (void *)&keys[i]}, value = {sizeof number, &number};
        code = mdb_cursor_put(session.cursor, &key, &value, 0);
    }
    return end_writing(&session, code);
}

int raw_put_map(raw_collections *store, const char *text, size_t count) {
    session session;
    int code = begin(store->env, store->map, 0, &session);
    if (code) return code;
    for (size_t i = 0; i < count && !code; i++) {
        int64_t number = (int64_t)i;
        size_t length = strlen(text);
        MDB_val key = {length, (void *)text}, value = {sizeof number, &number};
        code = mdb_cursor_put(session.cursor, &key, &value, 0);
        text += length + 1;
    }
    return end_writing(&session, code);
}

int raw_sum_map(raw_collections *store, const char *text, size_t count, int64_t *sum) {
    MDB_txn *txn;
    int code = mdb_txn_begin(store->env, NULL, MDB_RDONLY, &txn);
    if (code) return code;
    *sum = 0;
    for (size_t i = 0; i < count && !code; i++) {
        size_t length = strlen(text);
        MDB_val key = {length, (void *)text}, value;
        code = mdb_get(txn, store->map, &key, &value);
        if (!code) *sum += number_in(value);
        text += length + 1;
    }
    mdb_txn_abort(txn);
    return code;
}

static inline uint64_t member_bytes(int64_t member) { return htobe64((uint64_t)member ^ (uint64_t)1 << 63); }

int raw_put_set(raw_collections *store, const int64_t *members, size_t count) {
    session session;
    int code = begin(store->env, store->set, 0, &session);
    if (code) return code;
    for (size_t i = 0; i < count && !code; i++) {
        uint64_t bytes = member_bytes(members[i]);
        MDB_val key = {sizeof bytes, &bytes}, value = {0, NULL};
        code = mdb_cursor_put(session.cursor, &key, &value, 0);
    }
    return end_writing(&session, code);
}

int raw_count_members(raw_collections *store, const int64_t *members, size_t count, int64_t *found) {
    MDB_txn *txn;
    int code = mdb_txn_begin(store->env, NULL, MDB_RDONLY, &txn);
    if (code) return code;
    *found = 0;
    for (size_t i = 0; i < count; i++) {
        uint64_t bytes = member_bytes(members[i]);
        MDB_val key = {sizeof bytes, &bytes}, value;
        code = mdb_get(txn, store->set, &key, &value);
        if (!code) *found += 1;
        if (code && code != MDB_NOTFOUND) break;
        code = 0;
    }
    mdb_txn_abort(txn);
    return code;
}

int raw_sum_groups_of_objects(raw_collections *store, int64_t *sum) {
    session session;
    int code = begin(store->env, store->objects, MDB_RDONLY, &session);
    if (code) return code;
    int64_t total = 0;
    MDB_val key, object, group;
    while (!(code = mdb_cursor_get(session.cursor, &key, &object, MDB_NEXT))) {
        stored_object stored;
        memcpy(&stored, object.mv_data, sizeof stored);
        MDB_val group_key = {sizeof stored.group, &stored.group};
        code = mdb_get(session.txn, store->groups, &group_key, &group);
        if (code) break;
        total += number_in(group);
    }
    *sum = total;
    return end_reading(&session, code);
}

int raw_sum_objects_of_groups(raw_collections *store, int64_t *sum) {
    session session;
    int code = begin(store->env, store->by_group, MDB_RDONLY, &session);
    if (code) return code;
    MDB_cursor *objects;
    code = mdb_cursor_open(session.txn, store->objects, &objects);
    if (code) return end_reading(&session, code);
    int64_t total = 0;
    MDB_val group, object, value;
    while (!(code = mdb_cursor_get(session.cursor, &group, &object, MDB_NEXT))) {
        code = mdb_cursor_get(objects, &object, &value, MDB_SET);
        if (code) break;
        total += number_in(value);
    }
    *sum = total;
    mdb_cursor_close(objects);
    return end_reading(&session, code);
}
