/* SPDX-License-Identifier: Apache-2.0 */
/* The end of the line: blocks become bytes, and all that is many goes into the file. */
#ifndef LC_HISTORY_ENCODER_H
#define LC_HISTORY_ENCODER_H

#include "database.h"
#include "parcel.h"

typedef struct _LcEncoder LcEncoder;

/* Takes parcels from `in`, up to the end of all. The database is the encoder's while its thread runs. */
LcEncoder *lc_encoder_new (LcDatabase *database, guint32 n_processes, LcColumns columns, GAsyncQueue *in,
                           LcParcelPool *blocks, LcParcelPool *rows, GError **error);
void lc_encoder_free (LcEncoder *encoder);

/* The function of its thread; `data` is the LcEncoder. */
gpointer lc_encoder_run (gpointer data);

/* Any thread: nothing more is written, but parcels are still taken. */
void lc_encoder_abandon (LcEncoder *encoder);
gboolean lc_encoder_is_abandoned (const LcEncoder *encoder); /* or has failed */

/* Any thread: TRUE if it has ended by this monotonic time. */
gboolean lc_encoder_wait (LcEncoder *encoder, gint64 until);

/* When it has ended. FALSE: it has failed, and why. */
gboolean lc_encoder_check (LcEncoder *encoder, GError **error);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (LcEncoder, lc_encoder_free)

#endif
