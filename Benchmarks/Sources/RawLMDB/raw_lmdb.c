#include "raw_lmdb.h"
#include "session.h"

#include <endian.h>
#include <errno.h>
#include <lmdb.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// One entry of `items`; only name_length bytes of the name are stored.
typedef struct __attribute__((packed)) {
    int64_t category;
    uint8_t token[16];
    double score;
    int64_t counter;
    uint64_t group;
    uint8_t active;
    uint8_t name_length;
    char name[RAW_NAME_CAPACITY];
} stored_item;

struct raw_store {
    MDB_env *env;
    raw_key_kind kind;
    MDB_dbi items, by_category, by_token, by_group, groups;
};

int raw_open(const char *path, raw_key_kind kind, raw_store **out) {
    raw_store *store = calloc(1, sizeof *store);
    if (!store) return ENOMEM;
    store->kind = kind;
    MDB_txn *txn = NULL;
    int code;
    TRY(mdb_env_create(&store->env));
    TRY(mdb_env_set_maxdbs(store->env, 8));
    TRY(mdb_env_set_mapsize(store->env, (size_t)1 << 38));
    TRY(mdb_env_open(store->env, path, MDB_NOSUBDIR | MDB_NOTLS, 0644));
    TRY(mdb_txn_begin(store->env, NULL, 0, &txn));
    unsigned index = MDB_CREATE | MDB_DUPSORT | MDB_DUPFIXED;
    TRY(mdb_dbi_open(txn, "items", MDB_CREATE, &store->items));
    TRY(mdb_dbi_open(txn, "by_category", index, &store->by_category));
    TRY(mdb_dbi_open(txn, "by_token", index, &store->by_token));
    TRY(mdb_dbi_open(txn, "by_group", index, &store->by_group));
    TRY(mdb_dbi_open(txn, "groups", MDB_CREATE, &store->groups));
    code = mdb_txn_commit(txn);
    txn = NULL;
done:
    if (txn) mdb_txn_abort(txn);
    if (code) {
        raw_close(store);
        store = NULL;
    }
    *out = store;
    return code;
}

void raw_close(raw_store *store) {
    mdb_env_close(store->env);
    free(store);
}

const char *raw_error(int code) { return mdb_strerror(code); }

const char *raw_version(void) { return mdb_version(NULL, NULL, NULL); }

int raw_insert_groups(raw_store *store, uint64_t count) {
    MDB_txn *txn = NULL;
    int code;
    TRY(mdb_txn_begin(store->env, NULL, 0, &txn));
    for (uint64_t group = 0; group < count; group++) {
        char name[32];
        int length = snprintf(name, sizeof name, "group %llu", (unsigned long long)group);
        uint64_t bytes = htobe64(group);
        MDB_val key = {sizeof bytes, &bytes}, value = {(size_t)length, name};
        TRY(mdb_put(txn, store->groups, &key, &value, MDB_APPEND));
    }
    code = mdb_txn_commit(txn);
    txn = NULL;
done:
    if (txn) mdb_txn_abort(txn);
    return code;
}

int raw_insert(raw_store *store, const raw_item *items, size_t count) {
    MDB_txn *txn = NULL;
    MDB_cursor *objects, *categories, *tokens, *groups;
    int code;
    TRY(mdb_txn_begin(store->env, NULL, 0, &txn));
    TRY(mdb_cursor_open(txn, store->items, &objects));
    TRY(mdb_cursor_open(txn, store->by_category, &categories));
    TRY(mdb_cursor_open(txn, store->by_token, &tokens));
    TRY(mdb_cursor_open(txn, store->by_group, &groups));

    // Sequential keys arrive in order in `items` and among the duplicates of an index key; UUIDs do not.
    bool sequential = store->kind == RAW_INTEGER_KEYS;
    unsigned object_flags = sequential ? MDB_APPEND : MDB_NOOVERWRITE;
    unsigned duplicate_flags = sequential ? MDB_APPENDDUP : 0;
    for (size_t i = 0; i < count; i++) {
        const raw_item *item = &items[i];
        uint64_t id = htobe64(item->id);
        MDB_val key = sequential ? (MDB_val){sizeof id, &id} : (MDB_val){sizeof item->uuid, (void *)item->uuid};

        stored_item stored = {
            .category = item->category,
            .score = item->score,
            .counter = item->counter,
            .group = item->group,
            .active = item->active,
            .name_length = item->name_length,
        };
        memcpy(stored.token, item->token, sizeof stored.token);
        memcpy(stored.name, item->name, item->name_length);
        MDB_val value = {offsetof(stored_item, name) + item->name_length, &stored};
        TRY(mdb_cursor_put(objects, &key, &value, object_flags));

        uint64_t category = htobe64((uint64_t)item->category);
        MDB_val category_key = {sizeof category, &category};
        TRY(mdb_cursor_put(categories, &category_key, &key, duplicate_flags));
        MDB_val token_key = {sizeof item->token, (void *)item->token};
        TRY(mdb_cursor_put(tokens, &token_key, &key, 0));
        uint64_t group = htobe64(item->group);
        MDB_val group_key = {sizeof group, &group};
        TRY(mdb_cursor_put(groups, &group_key, &key, duplicate_flags));
    }
    code = mdb_txn_commit(txn);
    txn = NULL;
done:
    // The end of a write transaction closes its cursors.
    if (txn) mdb_txn_abort(txn);
    return code;
}

static inline void add(raw_sum *sum, const void *bytes) {
    const stored_item *stored = bytes;
    sum->count += 1;
    sum->counters += stored->counter;
    sum->scores += stored->score;
}

// For keys in random order mdb_get is a little faster than MDB_SET with a kept cursor, which first looks in vain at the
// page it stands on (measured).
int raw_read_integers(raw_store *store, const uint64_t *ids, size_t count, raw_sum *sum) {
    MDB_txn *txn;
    int code = mdb_txn_begin(store->env, NULL, MDB_RDONLY, &txn);
    if (code) return code;
    *sum = (raw_sum){0};
    for (size_t i = 0; i < count; i++) {
        uint64_t id = htobe64(ids[i]);
        MDB_val key = {sizeof id, &id}, value;
        code = mdb_get(txn, store->items, &key, &value);
        if (code) break;
        add(sum, value.mv_data);
    }
    mdb_txn_abort(txn);
    return code;
}

int raw_read_uuids(raw_store *store, const raw_uuid *uuids, size_t count, raw_sum *sum) {
    MDB_txn *txn;
    int code = mdb_txn_begin(store->env, NULL, MDB_RDONLY, &txn);
    if (code) return code;
    *sum = (raw_sum){0};
    for (size_t i = 0; i < count; i++) {
        MDB_val key = {sizeof uuids[i], (void *)&uuids[i]}, value;
        code = mdb_get(txn, store->items, &key, &value);
        if (code) break;
        add(sum, value.mv_data);
    }
    mdb_txn_abort(txn);
    return code;
}

int raw_update(raw_store *store, const uint64_t *ids, const int64_t *counters, size_t count) {
    MDB_txn *txn = NULL;
    MDB_cursor *cursor;
    int code;
    TRY(mdb_txn_begin(store->env, NULL, 0, &txn));
    TRY(mdb_cursor_open(txn, store->items, &cursor));
    for (size_t i = 0; i < count; i++) {
        uint64_t id = htobe64(ids[i]);
        MDB_val key = {sizeof id, &id}, value;
        TRY(mdb_cursor_get(cursor, &key, &value, MDB_SET));
        // The bytes are LMDB's own until they are put: they are copied, and the copy is changed.
        stored_item stored;
        memcpy(&stored, value.mv_data, value.mv_size);
        stored.counter = counters[i];
        value.mv_data = &stored;
        TRY(mdb_cursor_put(cursor, &key, &value, MDB_CURRENT));
    }
    code = mdb_txn_commit(txn);
    txn = NULL;
done:
    if (txn) mdb_txn_abort(txn);
    return code;
}

static inline const stored_item *next_item(session *session, int *code) {
    MDB_val key, value;
    *code = mdb_cursor_get(session->cursor, &key, &value, MDB_NEXT);
    return *code ? NULL : value.mv_data;
}

int raw_iterate(raw_store *store, raw_sum *sum) {
    session session;
    int code = begin(store->env, store->items, MDB_RDONLY, &session);
    if (code) return code;
    raw_sum total = {0};
    for (const stored_item *item; (item = next_item(&session, &code));) add(&total, item);
    *sum = total;
    return end_reading(&session, code);
}

int raw_count_scores(raw_store *store, double above, uint64_t *count) {
    session session;
    int code = begin(store->env, store->items, MDB_RDONLY, &session);
    if (code) return code;
    uint64_t found = 0;
    for (const stored_item *item; (item = next_item(&session, &code));) found += item->score > above;
    *count = found;
    return end_reading(&session, code);
}

int raw_count_active_scores(raw_store *store, double above, uint64_t *count) {
    session session;
    int code = begin(store->env, store->items, MDB_RDONLY, &session);
    if (code) return code;
    uint64_t found = 0;
    for (const stored_item *item; (item = next_item(&session, &code));) found += item->score > above && item->active;
    *count = found;
    return end_reading(&session, code);
}

int raw_find(raw_store *store, uint64_t id, raw_uuid uuid, raw_item *item) {
    session session;
    int code = begin(store->env, store->items, MDB_RDONLY, &session);
    if (code) return code;
    uint64_t bytes = htobe64(id);
    MDB_val key = store->kind == RAW_INTEGER_KEYS ? (MDB_val){sizeof bytes, &bytes} : (MDB_val){sizeof uuid, &uuid};
    MDB_val value;
    code = mdb_cursor_get(session.cursor, &key, &value, MDB_SET);
    if (!code) {
        const stored_item *stored = value.mv_data;
        *item = (raw_item){
            .id = id,
            .category = stored->category,
            .score = stored->score,
            .counter = stored->counter,
            .group = stored->group,
            .active = stored->active,
            .name_length = stored->name_length,
        };
        memcpy(item->uuid, uuid.bytes, sizeof item->uuid);
        memcpy(item->token, stored->token, sizeof item->token);
        memcpy(item->name, stored->name, stored->name_length);
    }
    return end_reading(&session, code);
}

static int count_duplicates(raw_store *store, MDB_dbi index, const void *bytes, size_t length, uint64_t *count) {
    session session;
    int code = begin(store->env, index, MDB_RDONLY, &session);
    if (code) return code;
    MDB_val key = {length, (void *)bytes}, value;
    size_t duplicates = 0;
    code = mdb_cursor_get(session.cursor, &key, &value, MDB_SET);
    if (!code) code = mdb_cursor_count(session.cursor, &duplicates);
    *count = duplicates;
    return end_reading(&session, code);
}

int raw_count_category(raw_store *store, int64_t category, uint64_t *count) {
    uint64_t bytes = htobe64((uint64_t)category);
    return count_duplicates(store, store->by_category, &bytes, sizeof bytes, count);
}

int raw_count_token(raw_store *store, raw_uuid token, uint64_t *count) {
    return count_duplicates(store, store->by_token, token.bytes, sizeof token.bytes, count);
}
