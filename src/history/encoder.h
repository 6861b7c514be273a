/* SPDX-License-Identifier: Apache-2.0 */
/* The last stage of a merge: turns blocks into bytes, and writes the large tables into the file. */
#ifndef LC_HISTORY_ENCODER_H
#define LC_HISTORY_ENCODER_H

#include "database.h"
#include "parcel.h"

typedef struct _LcEncoder LcEncoder;

/* Takes parcels from `in` until the end parcel. The encoder owns the database while its thread runs. */
LcEncoder *lc_encoder_new (LcDatabase *database, guint32 n_processes, LcColumns columns, GAsyncQueue *in,
                           LcParcelPool *blocks, LcParcelPool *rows, GError **error);
void lc_encoder_free (LcEncoder *encoder);

/* The thread function; `data` is the LcEncoder. */
gpointer lc_encoder_run (gpointer data);

/* May be called in any thread: nothing more is written, but parcels are still taken. */
void lc_encoder_abandon (LcEncoder *encoder);
gboolean lc_encoder_is_abandoned (const LcEncoder *encoder); /* TRUE also after an error */

/* May be called in any thread. TRUE if the thread has ended by this monotonic time. */
gboolean lc_encoder_wait (LcEncoder *encoder, gint64 until);

/* Must be called after the thread has ended. FALSE with the error if writing has failed. */
gboolean lc_encoder_check (LcEncoder *encoder, GError **error);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (LcEncoder, lc_encoder_free)

#endif
