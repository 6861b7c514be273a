/* SPDX-License-Identifier: Apache-2.0 */
/* Blocks with times alone, and the directories, pyramids and longest arcs that belong to them. */
#include "add-timeline.h"

#include "history/database.h"
#include "history/directory.h"
#include "history/longest.h"
#include "history/pyramid.h"

typedef struct
{
  LcDatabase *database;
  const Model *model;
  guint32 number;
  guint64 next_row;
} Adding;

static void
run (Adding *adding, const char *sql)
{
  g_autoptr (GError) error = NULL;

  lc_database_run (adding->database, sql, &error);
  g_assert_no_error (error);
}

static void
insert (Adding *adding, const char *sql, gint64 first, gint64 second, const GByteArray *bytes)
{
  g_autoptr (GError) error = NULL;
  LcStatement *statement = lc_database_prepare (adding->database, sql, NULL, &error);

  g_assert_no_error (error);
  lc_statement_bind_int (statement, 1, first);
  lc_statement_bind_int (statement, 2, second);
  lc_statement_bind_blob (statement, 3, bytes->data, bytes->len);
  lc_statement_run (statement, &error);
  g_assert_no_error (error);
  lc_statement_free (statement);
}

static gboolean
add_chunk (gpointer data, gint64 key, const GByteArray *bytes, GError **error)
{
  insert (data, "INSERT INTO summary (id, data) VALUES (?1 + ?2, ?3)", key, 0, bytes);
  return TRUE;
}

static gboolean
add_bucket (gpointer data, gint64 key, const GByteArray *bytes, GError **error)
{
  insert (data, "INSERT INTO longest_arcs (id, data) VALUES (?1 + ?2, ?3)", key, 0, bytes);
  return TRUE;
}

static void
add_blocks (Adding *adding, guint32 process)
{
  g_autoptr (LcDirectory) directory = lc_directory_new ();
  g_autoptr (LcBlock) block = lc_block_new ();
  g_autoptr (GByteArray) bytes = g_byte_array_new ();
  guint n = adding->model->events[process]->len;

  for (guint first = 0; first < n; first += LC_BLOCK_EVENTS)
    {
      LcDirectoryEntry entry = {.row = adding->next_row++};

      lc_block_clear (block);
      block->process = process;
      block->first_ordinal = first;
      for (guint i = first; i < MIN (n, first + LC_BLOCK_EVENTS); i++)
        {
          const LcHistoryEvent *event = &model_event (adding->model, process, i)->event;

          block->begin[block->n_events] = event->begin;
          block->end[block->n_events] = event->end;
          block->waited[block->n_events++] = event->waited;
        }
      entry.first_begin = block->begin[0];
      entry.last_end = block->end[block->n_events - 1];
      g_array_append_val (directory->entries, entry);
      g_byte_array_set_size (bytes, 0);
      lc_block_encode (block, LC_COLUMN_TIME, bytes);
      insert (adding, "INSERT INTO block (id, data) VALUES (?1 + ?2, ?3)", (gint64)entry.row, 0, bytes);
    }
  directory->n_events = n;
  g_byte_array_set_size (bytes, 0);
  lc_directory_encode (directory, bytes);
  insert (adding, "INSERT INTO block_index (timeline, process, data) VALUES (?1, ?2, ?3)", adding->number, process,
          bytes);
}

static void
add_pyramid (Adding *adding, guint32 process)
{
  guint n = adding->model->events[process]->len;
  LcPyramid *pyramid = lc_pyramid_new (adding->number, process, n, 10000, add_chunk, adding);
  g_autoptr (GByteArray) bytes = g_byte_array_new ();
  LcPyramidShape shape;

  for (guint i = 0; i < n; i++)
    {
      const ModelEvent *event = model_event (adding->model, process, i);
      gboolean after = i + 1 < n && model_event (adding->model, process, i + 1)->gap;

      lc_pyramid_add (pyramid, &event->event, event->holding, after, NULL);
    }
  lc_pyramid_finish (pyramid, &shape, NULL);
  lc_pyramid_free (pyramid);
  lc_pyramid_shape_encode (&shape, bytes);
  insert (adding, "INSERT INTO summary_index (timeline, process, data) VALUES (?1, ?2, ?3)", adding->number, process,
          bytes);
}

static void
add_longest (Adding *adding)
{
  LcLongest *longest = lc_longest_new (adding->number, 1000, 100000);

  for (guint i = 0; i < adding->model->arcs->len; i++)
    lc_longest_add (longest, &g_array_index (adding->model->arcs, LcHistoryArc, i));
  lc_longest_finish (longest, add_bucket, adding, NULL);
  lc_longest_free (longest);
}

static guint64
get_next_row (Adding *adding)
{
  LcStatement *statement = lc_database_prepare (adding->database, "SELECT max (id) + 1 FROM block", NULL, NULL);
  guint64 row;

  g_assert_cmpint (lc_statement_step (statement, NULL), ==, LC_STEP_ROW);
  row = (guint64)lc_statement_int (statement, 0);
  lc_statement_free (statement);
  return row;
}

void
add_timeline (const char *path, const Model *model, guint32 number, const char *name)
{
  g_autoptr (GError) error = NULL;
  Adding adding = {lc_database_open_writable (path, &error), model, number, 0};
  g_autofree char *sql =
      g_strdup_printf ("BEGIN IMMEDIATE;"
                       "DELETE FROM timeline WHERE id = %u; DELETE FROM block_index WHERE timeline = %u;"
                       "DELETE FROM summary_index WHERE timeline = %u; DELETE FROM summary WHERE id >> 55 = %u;"
                       "DELETE FROM longest_arcs WHERE id >> 55 = %u;"
                       "INSERT INTO timeline (id, name, model) VALUES (%u, '%s', 'moved')",
                       number, number, number, number, number, number, name);

  g_assert_no_error (error);
  run (&adding, sql);
  adding.next_row = get_next_row (&adding);
  for (guint32 i = 0; i < model->n_processes; i++)
    {
      add_blocks (&adding, i);
      add_pyramid (&adding, i);
    }
  add_longest (&adding);
  run (&adding, "COMMIT");
  lc_database_close (adding.database);
}
