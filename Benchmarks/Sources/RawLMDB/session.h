// What the stores of this folder have in common.

#ifndef SESSION_H
#define SESSION_H

#include <lmdb.h>

// Leaves the calling function with the code of a failed call, through its label `done`.
#define TRY(call)              \
    do {                       \
        code = (call);         \
        if (code) goto done;   \
    } while (0)

// A transaction with one cursor, which ends with its transaction.
typedef struct {
    MDB_txn *txn;
    MDB_cursor *cursor;
} session;

static inline int begin(MDB_env *env, MDB_dbi database, unsigned flags, session *session) {
    int code = mdb_txn_begin(env, NULL, flags, &session->txn);
    if (code) return code;
    code = mdb_cursor_open(session->txn, database, &session->cursor);
    if (code) mdb_txn_abort(session->txn);
    return code;
}

static inline int end_writing(session *session, int code) {
    if (!code) return mdb_txn_commit(session->txn);
    mdb_txn_abort(session->txn);
    return code;
}

// Running out of entries is how a pass ends.
static inline int end_reading(session *session, int code) {
    mdb_cursor_close(session->cursor);
    mdb_txn_abort(session->txn);
    return code == MDB_NOTFOUND ? 0 : code;
}

#endif
