/* SPDX-License-Identifier: Apache-2.0 */
/* Encodes and writes on its own thread, in the order in which parcels come. */
#include "encoder.h"

#include "directory.h"

static const char *const row_sql[LC_ROW_TABLES] = {
    [LC_ROW_POSTING] = "INSERT INTO posting (id, data) VALUES (?1, ?2)",
    [LC_ROW_POSTING_INDEX] = "INSERT INTO posting_index (id, data) VALUES (?1, ?2)",
    [LC_ROW_SUMMARY] = "INSERT INTO summary (id, data) VALUES (?1, ?2)",
    [LC_ROW_SUMMARY_INDEX] = "INSERT INTO summary_index (timeline, process, data) VALUES (0, ?1, ?2)",
    [LC_ROW_LONGEST_ARCS] = "INSERT INTO longest_arcs (id, data) VALUES (?1, ?2)",
    [LC_ROW_ORIGIN] = "INSERT INTO origin (id, data) VALUES (?1, ?2)",
    [LC_ROW_ORIGIN_INDEX] = "INSERT INTO origin_index (id, data) VALUES (?1, ?2)",
};

struct _LcEncoder
{
  LcDatabase *database;
  LcParcelReceiver in;
  LcParcelPool *blocks, *rows;
  LcStatement *insert_row[LC_ROW_TABLES], *insert_block, *insert_index;
  LcDirectory **directories; /* by process */
  guint32 n_processes;
  LcColumns columns;
  guint64 n_blocks;
  GByteArray *bytes;
  gint abandoned;
  GMutex mutex;
  GCond ended_changed;
  gboolean ended;
  GError *error;
};

/* --- Writing --------------------------------------------------------------------------------------------------- */

static gboolean
encoder_insert (LcStatement *statement, gint64 key, gconstpointer data, gsize size, GError **error)
{
  lc_statement_bind_int (statement, 1, key);
  lc_statement_bind_blob (statement, 2, data, size);
  return lc_statement_run (statement, error);
}

static gboolean
write_block (LcEncoder *encoder, const LcBlock *block, GError **error)
{
  const guint32 last = block->n_events - 1;
  const LcDirectoryEntry entry = {++encoder->n_blocks, block->begin[0], block->end[last], block->layer[0],
                                  block->layer[last]};
  LcDirectory *directory = encoder->directories[block->process];

  g_array_append_val (directory->entries, entry);
  directory->n_events += block->n_events;
  g_byte_array_set_size (encoder->bytes, 0);
  lc_block_encode (block, encoder->columns, encoder->bytes);
  return encoder_insert (encoder->insert_block, (gint64)entry.row, encoder->bytes->data, encoder->bytes->len, error);
}

static gboolean
write_rows (LcEncoder *encoder, const LcParcel *parcel, GError **error)
{
  for (guint i = 0; i < parcel->rows->len; i++)
    {
      const LcRow *row = &g_array_index (parcel->rows, LcRow, i);

      if (!encoder_insert (encoder->insert_row[row->table], row->key, parcel->bytes->data + row->offset, row->size,
                           error))
        return FALSE;
    }
  return TRUE;
}

static gboolean
write_directories (LcEncoder *encoder, GError **error)
{
  for (guint32 i = 0; i < encoder->n_processes; i++)
    {
      g_byte_array_set_size (encoder->bytes, 0);
      lc_directory_encode (encoder->directories[i], encoder->bytes);
      if (!encoder_insert (encoder->insert_index, i, encoder->bytes->data, encoder->bytes->len, error))
        return FALSE;
    }
  return TRUE;
}

static void
write_parcel (LcEncoder *encoder, const LcParcel *parcel)
{
  gboolean good;

  if (lc_encoder_is_abandoned (encoder))
    return;
  if (parcel->kind == LC_PARCEL_BLOCK)
    good = write_block (encoder, parcel->block, &encoder->error);
  else if (parcel->kind == LC_PARCEL_ROWS)
    good = write_rows (encoder, parcel, &encoder->error);
  else
    good = write_directories (encoder, &encoder->error);
  if (!good)
    lc_encoder_abandon (encoder);
}

gpointer
lc_encoder_run (gpointer data)
{
  LcEncoder *encoder = data;
  LcParcelKind kind;

  do
    {
      LcParcel *parcel = lc_parcel_receive (&encoder->in);

      kind = parcel->kind;
      write_parcel (encoder, parcel);
      if (kind == LC_PARCEL_END)
        lc_parcel_free (parcel);
      else
        lc_parcel_pool_give (kind == LC_PARCEL_BLOCK ? encoder->blocks : encoder->rows, parcel);
    }
  while (kind != LC_PARCEL_END);
  g_mutex_lock (&encoder->mutex);
  encoder->ended = TRUE;
  g_cond_signal (&encoder->ended_changed);
  g_mutex_unlock (&encoder->mutex);
  return NULL;
}

/* --- Life cycle ------------------------------------------------------------------------------------------------ */

static gboolean
encoder_prepare (LcEncoder *encoder, GError **error)
{
  for (guint i = 0; i < LC_ROW_TABLES; i++)
    {
      encoder->insert_row[i] = lc_database_prepare (encoder->database, row_sql[i], NULL, error);
      if (encoder->insert_row[i] == NULL)
        return FALSE;
    }
  encoder->insert_block =
      lc_database_prepare (encoder->database, "INSERT INTO block (id, data) VALUES (?1, ?2)", NULL, error);
  if (encoder->insert_block != NULL)
    encoder->insert_index = lc_database_prepare (
        encoder->database, "INSERT INTO block_index (timeline, process, data) VALUES (0, ?1, ?2)", NULL, error);
  return encoder->insert_index != NULL;
}

LcEncoder *
lc_encoder_new (LcDatabase *database, guint32 n_processes, LcColumns columns, GAsyncQueue *in, LcParcelPool *blocks,
                LcParcelPool *rows, GError **error)
{
  g_autoptr (LcEncoder) encoder = g_new0 (LcEncoder, 1);

  encoder->database = database;
  encoder->in.queue = in;
  encoder->blocks = blocks;
  encoder->rows = rows;
  encoder->n_processes = n_processes;
  encoder->columns = columns;
  encoder->directories = g_new0 (LcDirectory *, MAX (n_processes, 1));
  for (guint32 i = 0; i < n_processes; i++)
    encoder->directories[i] = lc_directory_new ();
  encoder->bytes = g_byte_array_new ();
  g_mutex_init (&encoder->mutex);
  g_cond_init (&encoder->ended_changed);
  return encoder_prepare (encoder, error) ? g_steal_pointer (&encoder) : NULL;
}

void
lc_encoder_free (LcEncoder *encoder)
{
  for (guint i = 0; i < LC_ROW_TABLES; i++)
    g_clear_pointer (&encoder->insert_row[i], lc_statement_free);
  g_clear_pointer (&encoder->insert_block, lc_statement_free);
  g_clear_pointer (&encoder->insert_index, lc_statement_free);
  for (guint32 i = 0; i < encoder->n_processes; i++)
    lc_directory_free (encoder->directories[i]);
  g_free (encoder->directories);
  g_byte_array_unref (encoder->bytes);
  g_mutex_clear (&encoder->mutex);
  g_cond_clear (&encoder->ended_changed);
  g_clear_error (&encoder->error);
  g_free (encoder);
}

void
lc_encoder_abandon (LcEncoder *encoder)
{
  g_atomic_int_set (&encoder->abandoned, TRUE);
}

gboolean
lc_encoder_is_abandoned (const LcEncoder *encoder)
{
  return g_atomic_int_get (&encoder->abandoned);
}

gboolean
lc_encoder_wait (LcEncoder *encoder, gint64 until)
{
  gboolean ended;

  g_mutex_lock (&encoder->mutex);
  while (!encoder->ended && g_cond_wait_until (&encoder->ended_changed, &encoder->mutex, until))
    continue;
  ended = encoder->ended;
  g_mutex_unlock (&encoder->mutex);
  return ended;
}

gboolean
lc_encoder_check (LcEncoder *encoder, GError **error)
{
  if (encoder->error == NULL)
    return TRUE;
  g_propagate_error (error, g_steal_pointer (&encoder->error));
  return FALSE;
}
