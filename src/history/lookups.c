/* SPDX-License-Identifier: Apache-2.0 */
/* Looks up single rows when they are asked for: timelines, objects, and the table meta. */
#include "column.h"
#include "lightcone/recording.h"
#include "reader.h"
#include "trace/loss.h"

static void
free_timeline (gpointer data)
{
  LcHistoryTimeline *timeline = data;

  g_free ((char *)timeline->name);
  g_free ((char *)timeline->model);
  g_free ((char *)timeline->parameters);
  g_free (timeline);
}

GPtrArray *
lc_history_list_timelines (LcHistory *history, GError **error)
{
  g_autoptr (LcConnection) connection = lc_history_take_connection (history, error);
  LcStatement *statement = connection != NULL ? lc_connection_prepare (connection, LC_QUERY_TIMELINES, error) : NULL;
  g_autoptr (GPtrArray) list = g_ptr_array_new_with_free_func (free_timeline);
  LcStep step = LC_STEP_ERROR;

  while (statement != NULL && (step = lc_statement_step (statement, error)) == LC_STEP_ROW)
    {
      LcHistoryTimeline *timeline = g_new0 (LcHistoryTimeline, 1);

      gint64 id = lc_statement_int (statement, 0);

      timeline->id = (guint32)id;
      timeline->name = g_strdup (lc_statement_text (statement, 1));
      timeline->model = g_strdup (lc_statement_text (statement, 2));
      timeline->parameters = g_strdup (lc_statement_text (statement, 3));
      timeline->own = lc_statement_int (statement, 4) != 0;
      g_ptr_array_add (list, timeline);
      if (timeline->name != NULL && id >= list->len - 1 && id < LC_TIMELINES)
        continue;
      lc_history_set_damaged (history, error, "timeline %" G_GINT64_FORMAT " has no number or no name", id);
      step = LC_STEP_ERROR;
      break;
    }
  if (statement != NULL)
    lc_statement_reset (statement);
  return step == LC_STEP_DONE ? g_steal_pointer (&list) : NULL;
}

gboolean
lc_history_find_timeline (LcHistory *history, const char *name, guint32 *timeline, GError **error)
{
  g_autoptr (GPtrArray) list = lc_history_list_timelines (history, error);

  if (list == NULL)
    return FALSE;
  for (guint i = 0; i < list->len; i++)
    {
      const LcHistoryTimeline *one = list->pdata[i];

      if (g_strcmp0 (one->name, name) == 0)
        {
          *timeline = one->id;
          return TRUE;
        }
    }
  g_set_error (error, LC_HISTORY_ERROR, LC_HISTORY_ERROR_UNKNOWN, "%s: there is no timeline \"%s\"", history->path,
               name);
  return FALSE;
}

/* Limits a count or time of the file, so that sums do not overflow. */
static guint64
read_amount (LcStatement *statement, int column)
{
  return (guint64)CLAMP (lc_statement_int (statement, column), 0, (gint64)LC_HISTORY_MOST);
}

static guint32
lookups_read_number (LcStatement *statement, int column, guint32 before)
{
  gint64 number = lc_statement_int (statement, column);

  return lc_statement_type (statement, column) == LC_VALUE_INT && number >= 0 && number < before ? (guint32)number
                                                                                                 : LC_TRACE_NONE;
}

static void
read_object (const LcHistory *history, LcStatement *statement, LcHistoryObject *object)
{
  const char *name = lc_statement_text (statement, 1);

  *object = (LcHistoryObject){.id = (guint32)lc_statement_int (statement, 0),
                              .name = g_strdup (name != NULL ? name : ""),
                              .class_name = g_strdup (lc_statement_text (statement, 2)),
                              .process = lookups_read_number (statement, 3, history->processes->len),
                              .instance = lookups_read_number (statement, 4, LC_TRACE_NONE),
                              .address = (guint64)lc_statement_int (statement, 5),
                              .value = (guint64)lc_statement_int (statement, 6),
                              .events = read_amount (statement, 7),
                              .waited = read_amount (statement, 8),
                              .held = read_amount (statement, 9),
                              .stack = lookups_read_number (statement, 10, history->n_stacks)};
}

gboolean
lc_history_get_object (LcHistory *history, guint32 object, LcHistoryObject *result, GError **error)
{
  g_autoptr (LcConnection) connection = lc_history_take_connection (history, error);
  LcStatement *statement = connection != NULL ? lc_connection_prepare (connection, LC_QUERY_OBJECT, error) : NULL;
  LcStep step = LC_STEP_ERROR;

  if (statement != NULL)
    {
      lc_statement_bind_int (statement, 1, object);
      step = lc_statement_step (statement, error);
      if (step == LC_STEP_ROW)
        read_object (history, statement, result);
      lc_statement_reset (statement);
    }
  if (step == LC_STEP_DONE)
    g_set_error (error, LC_HISTORY_ERROR, LC_HISTORY_ERROR_UNKNOWN, "%s: there is no object %u", history->path, object);
  return step == LC_STEP_ROW;
}

void
lc_history_object_clear (LcHistoryObject *object)
{
  g_clear_pointer (&object->name, g_free);
  g_clear_pointer (&object->class_name, g_free);
}

char *
lc_history_dup_meta (LcHistory *history, const char *key)
{
  return g_strdup (g_hash_table_lookup (history->meta, key));
}

static guint64
lookups_get_number (LcHistory *history, const char *key)
{
  g_autofree char *value = lc_history_dup_meta (history, key);
  gint64 number = value != NULL ? g_ascii_strtoll (value, NULL, 10) : 0;

  return (guint64)MAX (number, 0);
}

void
lc_history_get_lost (LcHistory *history, LcTraceLost *lost)
{
  *lost = (LcTraceLost){.n = lookups_get_number (history, "lost")};
  if (lost->n == 0)
    return;
  lost->apart = lookups_get_number (history, "lost_apart");
  for (guint i = 0; i < LC_LOST_REASONS; i++)
    if (lc_lost_is_named (i))
      {
        g_autofree char *key = g_strconcat ("lost_", lc_recording_lost_name (i), NULL);

        lost->by_reason[i] = lookups_get_number (history, key);
      }
}
