/* SPDX-License-Identifier: Apache-2.0 */
/* A result in memory: the rows of a report, or of a query, with what they lead to. */
#include "report/result.h"

#include <string.h>

#include "lightcone/trace.h"

static void
result_clear_column (gpointer data)
{
  LcResultColumn *column = data;

  g_free (column->name);
  g_free (column->title);
}

LcResult *
lc_result_new (const char *nothing)
{
  LcResult *result = g_atomic_rc_box_new0 (LcResult);

  result->columns = g_array_new (FALSE, FALSE, sizeof (LcResultColumn));
  g_array_set_clear_func (result->columns, result_clear_column);
  result->cells = g_array_new (FALSE, FALSE, sizeof (LcCell));
  result->sentences = g_string_new (NULL);
  result->texts = g_string_chunk_new (4096);
  result->nothing = nothing;
  return result;
}

LcResult *
lc_result_ref (LcResult *result)
{
  return g_atomic_rc_box_acquire (result);
}

static void
result_clear (LcResult *result)
{
  g_array_unref (result->columns);
  g_array_unref (result->cells);
  g_string_free (result->sentences, TRUE);
  g_string_chunk_free (result->texts);
}

void
lc_result_unref (LcResult *result)
{
  g_atomic_rc_box_release_full (result, (GDestroyNotify)result_clear);
}

/* --- Making ------------------------------------------------------------------------------------------------------ */

void
lc_result_add_column (LcResult *result, const char *name, const char *title, LcCellKind kind)
{
  LcResultColumn column = {g_strdup (name), g_strdup (title), kind, LC_TARGET_NONE, -1, -1};

  g_array_append_val (result->columns, column);
}

static const char *
result_keep_text (LcResult *result, const char *text)
{
  if (text == NULL)
    return NULL;
  result->n_bytes += strlen (text);
  return g_string_chunk_insert (result->texts, text);
}

void
lc_result_add_cell (LcResult *result, const LcCell *cell)
{
  LcCell own = *cell;

  own.text = result_keep_text (result, cell->text);
  own.shown = result_keep_text (result, cell->shown);
  result->n_bytes += sizeof own;
  g_array_append_val (result->cells, own);
  result->n_rows = result->cells->len / result->columns->len;
}

void
lc_result_add_sentence (LcResult *result, const char *sentence)
{
  g_autofree char *line = g_strstrip (g_strdup (sentence));

  if (result->sentences->len > 0)
    g_string_append_c (result->sentences, '\n');
  g_string_append (result->sentences, line);
}

/* --- Links ------------------------------------------------------------------------------------------------------- */

static gint
result_find (const LcResult *result, const char *name)
{
  for (guint i = 0; i < result->columns->len; i++)
    if (g_ascii_strcasecmp (lc_result_get_column (result, i)->name, name) == 0)
      return (gint)i;
  return -1;
}

/* Of "from_time" and "from_ordinal" the process is "from_process", if there is one; else "process". */
static gint
result_find_process (const LcResult *result, const char *name, const char *ending)
{
  g_autofree char *begin = g_strndup (name, strlen (name) - strlen (ending));
  g_autofree char *its = g_strconcat (begin, "process", NULL);
  gint found = result_find (result, its);

  return found >= 0 ? found : result_find (result, "process");
}

static gboolean
result_name_ends (const char *name, const char *ending)
{
  gsize length = strlen (name), its = strlen (ending);

  return length >= its && g_ascii_strcasecmp (name + length - its, ending) == 0 &&
         (length == its || name[length - its - 1] == '_');
}

/* Names of columns say what they are of: it is the same with all analyses, and with what users ask in SQL. */
static void
result_find_link (const LcResult *result, LcResultColumn *column, gint own)
{
  static const char *const times[] = {"begin", "end", "time", "at"};
  const char *name = column->name;

  column->first = own;
  if (result_name_ends (name, "ordinal"))
    {
      column->first = result_find_process (result, name, "ordinal");
      column->second = own;
      column->link = column->first >= 0 ? LC_TARGET_EVENT : LC_TARGET_NONE;
    }
  else if (result_name_ends (name, "process") || g_ascii_strcasecmp (name, "peer") == 0)
    column->link = LC_TARGET_PROCESS;
  else if (result_name_ends (name, "object"))
    column->link = LC_TARGET_OBJECT;
  else
    for (gsize i = 0; i < G_N_ELEMENTS (times) && column->link == LC_TARGET_NONE; i++)
      /* A "time" by itself is a duration in the tables that have one. */
      if (result_name_ends (name, times[i]) && g_ascii_strcasecmp (name, "time") != 0)
        {
          column->link = LC_TARGET_TIME;
          column->second = result_find_process (result, name, times[i]);
        }
}

void
lc_result_end (LcResult *result, guint64 more)
{
  result->more = more;
  for (guint i = 0; i < result->columns->len; i++)
    {
      LcResultColumn *column = &g_array_index (result->columns, LcResultColumn, i);
      const LcResultColumn *before = i > 0 ? column - 1 : NULL;

      result_find_link (result, column, (gint)i);
      /* A name stands after the number that it is of, which nobody wants to see. */
      if (column->link == LC_TARGET_NONE && column->kind == LC_CELL_TEXT && before != NULL && before->title == NULL)
        {
          column->link = before->link;
          column->first = before->first;
          column->second = before->second;
        }
    }
}

/* FALSE: there is no number. */
static gboolean
result_get_number (const LcResult *result, guint row, gint column, guint64 *number)
{
  const LcCell *cell = column >= 0 ? lc_result_get_cell (result, row, (guint)column) : NULL;

  if (cell == NULL || cell->type != LC_VALUE_INT || cell->integer < 0)
    return FALSE;
  *number = (guint64)cell->integer;
  return TRUE;
}

LcTarget
lc_result_get_link (const LcResult *result, guint row, guint column)
{
  const LcResultColumn *its = lc_result_get_column (result, column);
  LcTarget link = {its->link, 0, LC_TRACE_NONE, result->timeline};

  if (link.kind == LC_TARGET_NONE || !result_get_number (result, row, its->first, &link.first) ||
      (!result_get_number (result, row, its->second, &link.second) && link.kind == LC_TARGET_EVENT))
    link.kind = LC_TARGET_NONE;
  /* Numbers of processes and objects have 32 bits, and more of them would be cut off. */
  if ((link.kind == LC_TARGET_EVENT || link.kind == LC_TARGET_PROCESS || link.kind == LC_TARGET_OBJECT) &&
      link.first >= LC_TRACE_NONE)
    link.kind = LC_TARGET_NONE;
  if (link.kind == LC_TARGET_TIME && link.second > LC_TRACE_NONE)
    link.second = LC_TRACE_NONE;
  return link;
}

/* --- Reading ----------------------------------------------------------------------------------------------------- */

const LcResultColumn *
lc_result_get_column (const LcResult *result, guint column)
{
  return &g_array_index (result->columns, LcResultColumn, column);
}

const LcCell *
lc_result_get_cell (const LcResult *result, guint row, guint column)
{
  return &g_array_index (result->cells, LcCell, (gsize)row * result->columns->len + column);
}

char *
lc_result_dup_shown (const LcResult *result, guint row, guint column)
{
  const LcCell *cell = lc_result_get_cell (result, row, column);

  if (cell->type == LC_VALUE_NULL)
    return g_strdup (result->nothing);
  return lc_cell_dup_shown (cell, lc_result_get_column (result, column)->kind);
}
