#define _GNU_SOURCE  // for memmem

#include "raw_queries.h"
#include "session.h"

#include <endian.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

// One entry of `items`; of the texts, code and name without a gap, only so many bytes are stored.
typedef struct __attribute__((packed)) {
    int64_t age;
    double score;
    uint8_t object_id[12];
    uint8_t uuid[16];
    uint8_t active;
    uint8_t code_length, name_length;
    char texts[2 * RAW_TEXT_CAPACITY];
} stored_item;

struct raw_queries {
    MDB_env *env;
    MDB_dbi items, by_code, by_object_id, by_uuid, by_age;
};

int raw_queries_open(const char *path, raw_queries **out) {
    raw_queries *store = calloc(1, sizeof *store);
    if (!store) return ENOMEM;
    MDB_txn *txn = NULL;
    int code;
    TRY(mdb_env_create(&store->env));
    TRY(mdb_env_set_maxdbs(store->env, 5));
    TRY(mdb_env_set_mapsize(store->env, (size_t)1 << 38));
    TRY(mdb_env_open(store->env, path, MDB_NOSUBDIR | MDB_NOTLS, 0644));
    TRY(mdb_txn_begin(store->env, NULL, 0, &txn));
    unsigned index = MDB_CREATE | MDB_DUPSORT | MDB_DUPFIXED;
    TRY(mdb_dbi_open(txn, "items", MDB_CREATE, &store->items));
    TRY(mdb_dbi_open(txn, "by_code", index, &store->by_code));
    TRY(mdb_dbi_open(txn, "by_object_id", index, &store->by_object_id));
    TRY(mdb_dbi_open(txn, "by_uuid", index, &store->by_uuid));
    TRY(mdb_dbi_open(txn, "by_age", index, &store->by_age));
    code = mdb_txn_commit(txn);
    txn = NULL;
done:
    if (txn) mdb_txn_abort(txn);
    if (code) {
        raw_queries_close(store);
        store = NULL;
    }
    *out = store;
    return code;
}

void raw_queries_close(raw_queries *store) {
    mdb_env_close(store->env);
    free(store);
}

int raw_queries_insert(raw_queries *store, const raw_query_item *items, size_t count) {
    MDB_txn *txn = NULL;
    int code;
    TRY(mdb_txn_begin(store->env, NULL, 0, &txn));
    for (size_t i = 0; i < count; i++) {
        const raw_query_item *item = &items[i];
        stored_item stored = {
            .age = item->age,
            .score = item->score,
            .active = item->active,
            .code_length = item->code_length,
            .name_length = item->name_length,
        };
        memcpy(stored.object_id, item->object_id, sizeof stored.object_id);
        memcpy(stored.uuid, item->uuid, sizeof stored.uuid);
        memcpy(stored.texts, item->code, item->code_length);
        memcpy(stored.texts + item->code_length, item->name, item->name_length);
        size_t size = offsetof(stored_item, texts) + item->code_length + item->name_length;

        uint64_t id = htobe64(item->id), age = htobe64((uint64_t)item->age);
        MDB_val id_key = {sizeof id, &id}, value = {size, &stored};
        MDB_val code_key = {item->code_length, (void *)item->code};
        MDB_val object_id_key = {sizeof item->object_id, (void *)item->object_id};
        MDB_val uuid_key = {sizeof item->uuid, (void *)item->uuid};
        MDB_val age_key = {sizeof age, &age};
        TRY(mdb_put(txn, store->items, &id_key, &value, MDB_APPEND));
        TRY(mdb_put(txn, store->by_code, &code_key, &id_key, 0));
        TRY(mdb_put(txn, store->by_object_id, &object_id_key, &id_key, 0));
        TRY(mdb_put(txn, store->by_uuid, &uuid_key, &id_key, 0));
        TRY(mdb_put(txn, store->by_age, &age_key, &id_key, MDB_APPENDDUP));
    }
    code = mdb_txn_commit(txn);
    txn = NULL;
done:
    if (txn) mdb_txn_abort(txn);
    return code;
}

// MARK: Equality

static MDB_val key_of(const raw_query_item *item, raw_query_key key) {
    switch (key) {
    case RAW_BY_CODE: return (MDB_val){item->code_length, (void *)item->code};
    case RAW_BY_OBJECT_ID: return (MDB_val){sizeof item->object_id, (void *)item->object_id};
    case RAW_BY_UUID: break;
    }
    return (MDB_val){sizeof item->uuid, (void *)item->uuid};
}

int raw_sum_scores_of(
    raw_queries *store, raw_query_key key, const raw_query_item *wanted, size_t count, size_t repeats, double *sum) {
    MDB_dbi index = key == RAW_BY_CODE ? store->by_code : key == RAW_BY_UUID ? store->by_uuid : store->by_object_id;
    MDB_txn *txn;
    int code;
    double total = 0;
    TRY(mdb_txn_begin(store->env, NULL, MDB_RDONLY, &txn));
    for (size_t repeat = 0; repeat < repeats && !code; repeat++) {
        for (size_t i = 0; i < count && !code; i++) {
            MDB_val value = key_of(&wanted[i], key), id, item;
            code = mdb_get(txn, index, &value, &id);
            if (!code) code = mdb_get(txn, store->items, &id, &item);
            if (!code) total += ((const stored_item *)item.mv_data)->score;
        }
    }
    *sum = total;
    mdb_txn_abort(txn);
done:
    return code;
}

// A reset transaction keeps its place among the readers, so that it begins anew for little.
static int begin_again(session *session) {
    mdb_txn_reset(session->txn);
    int code = mdb_txn_renew(session->txn);
    return code ? code : mdb_cursor_renew(session->txn, session->cursor);
}

int raw_count_ages(raw_queries *store, int64_t ages, size_t repeats, int64_t *sum) {
    session session;
    int code = begin(store->env, store->by_age, MDB_RDONLY, &session);
    if (code) return code;
    int64_t total = 0;
    for (size_t repeat = 0; repeat < repeats && !code; repeat++) {
        for (int64_t age = 0; age < ages && !code; age++) {
            uint64_t bytes = htobe64((uint64_t)age);
            MDB_val key = {sizeof bytes, &bytes}, id;
            size_t count = 0;
            TRY(begin_again(&session));
            code = mdb_cursor_get(session.cursor, &key, &id, MDB_SET);
            if (!code) code = mdb_cursor_count(session.cursor, &count);
            if (code == MDB_NOTFOUND) code = 0;
            total += (int64_t)count * age;
        }
    }
done:
    *sum = total;
    return end_reading(&session, code);
}

int raw_sum_scores_by_age(raw_queries *store, int64_t ages, double *sum) {
    session session;
    int code = begin(store->env, store->by_age, MDB_RDONLY, &session);
    if (code) return code;
    double total = 0;
    for (int64_t age = 0; age < ages; age++) {
        uint64_t bytes = htobe64((uint64_t)age);
        MDB_val key = {sizeof bytes, &bytes}, ids;
        double scores = 0;
        TRY(begin_again(&session));
        code = mdb_cursor_get(session.cursor, &key, &ids, MDB_SET);
        // The ids of a page at a time.
        if (!code) code = mdb_cursor_get(session.cursor, &key, &ids, MDB_GET_MULTIPLE);
        while (!code) {
            for (size_t offset = 0; offset < ids.mv_size; offset += sizeof(uint64_t)) {
                MDB_val id = {sizeof(uint64_t), (char *)ids.mv_data + offset}, item;
                TRY(mdb_get(session.txn, store->items, &id, &item));
                scores += ((const stored_item *)item.mv_data)->score;
            }
            code = mdb_cursor_get(session.cursor, &key, &ids, MDB_NEXT_MULTIPLE);
        }
        if (code != MDB_NOTFOUND) break;
        total += scores * (double)age;
    }
done:
    *sum = total;
    return end_reading(&session, code);
}

// MARK: Scans

static inline const stored_item *next_item(session *session, int *code) {
    MDB_val key, value;
    *code = mdb_cursor_get(session->cursor, &key, &value, MDB_NEXT);
    return *code ? NULL : value.mv_data;
}

int raw_count_active(raw_queries *store, double above, uint64_t *count) {
    session session;
    int code = begin(store->env, store->items, MDB_RDONLY, &session);
    if (code) return code;
    uint64_t found = 0;
    for (const stored_item *item; (item = next_item(&session, &code));) found += item->score > above && item->active;
    *count = found;
    return end_reading(&session, code);
}

int raw_count_names(raw_queries *store, const char *part, size_t length, uint64_t *count) {
    session session;
    int code = begin(store->env, store->items, MDB_RDONLY, &session);
    if (code) return code;
    uint64_t found = 0;
    for (const stored_item *item; (item = next_item(&session, &code));) {
        found += memmem(item->texts + item->code_length, item->name_length, part, length) != NULL;
    }
    *count = found;
    return end_reading(&session, code);
}

int raw_sum_scores(raw_queries *store, double *sum) {
    session session;
    int code = begin(store->env, store->items, MDB_RDONLY, &session);
    if (code) return code;
    double total = 0;
    for (const stored_item *item; (item = next_item(&session, &code));) total += item->score;
    *sum = total;
    return end_reading(&session, code);
}

// MARK: Order

typedef struct {
    double score;
    MDB_val id;
} scored;

// Keeps the best `limit` in order: few of many objects get that far, so that moving the others costs little.
int raw_ages_by_score(raw_queries *store, size_t limit, int64_t *ages, size_t *count) {
    session session;
    int code = begin(store->env, store->items, MDB_RDONLY, &session);
    if (code) return code;
    scored *best = calloc(limit + 1, sizeof *best);
    size_t kept = 0;
    MDB_val id, value;
    while (best && !(code = mdb_cursor_get(session.cursor, &id, &value, MDB_NEXT))) {
        double score = ((const stored_item *)value.mv_data)->score;
        if (kept == limit && score >= best[limit - 1].score) continue;
        size_t place = kept;
        for (; place > 0 && best[place - 1].score > score; place--) best[place] = best[place - 1];
        best[place] = (scored){score, id};
        if (kept < limit) kept++;
    }
    if (!best) code = ENOMEM;
    if (code == MDB_NOTFOUND) code = 0;
    *count = kept;
    for (size_t i = 0; i < kept && !code; i++) {
        code = mdb_get(session.txn, store->items, &best[i].id, &value);
        if (!code) ages[i] = ((const stored_item *)value.mv_data)->age;
    }
    free(best);
    return end_reading(&session, code);
}

int raw_active_ages_by_code(raw_queries *store, size_t limit, int64_t *ages, size_t *count) {
    session session;
    int code = begin(store->env, store->by_code, MDB_RDONLY, &session);
    if (code) return code;
    size_t found = 0;
    MDB_val key, id, value;
    while (found < limit && !(code = mdb_cursor_get(session.cursor, &key, &id, MDB_NEXT))) {
        code = mdb_get(session.txn, store->items, &id, &value);
        if (code) break;
        const stored_item *item = value.mv_data;
        if (item->active) ages[found++] = item->age;
    }
    *count = found;
    return end_reading(&session, code);
}
