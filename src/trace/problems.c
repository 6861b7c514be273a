/* SPDX-License-Identifier: Apache-2.0 */
/* Counts the problems of a trace. */
#include "problems.h"

typedef struct
{
  LcProblemKind kind;
  char *file;
  guint64 where, last, count;
  char *detail;
} Entry;

struct _LcProblems
{
  GMutex mutex;
  GHashTable *entries;
};

typedef enum
{
  BYTE,
  LINE,
} Place;

static const struct
{
  const char *name, *description;
  LcTraceSeverity severity;
  Place place;
} kinds[] = {
#define X(identifier, name, severity, where, description) \
  [LC_PROBLEM_##identifier] = {name, description, LC_TRACE_##severity, where},
    LC_PROBLEMS (X)
#undef X
};

static guint
hash_entry (gconstpointer data)
{
  const Entry *entry = data;

  return g_str_hash (entry->file) * 31 + (guint)entry->kind;
}

static gboolean
equal_entries (gconstpointer a, gconstpointer b)
{
  const Entry *left = a, *right = b;

  return left->kind == right->kind && g_str_equal (left->file, right->file);
}

static void
free_entry (gpointer data)
{
  Entry *entry = data;

  g_free (entry->file);
  g_free (entry->detail);
  g_free (entry);
}

LcProblems *
lc_problems_new (void)
{
  LcProblems *problems = g_new0 (LcProblems, 1);

  g_mutex_init (&problems->mutex);
  problems->entries = g_hash_table_new_full (hash_entry, equal_entries, free_entry, NULL);
  return problems;
}

void
lc_problems_free (LcProblems *problems)
{
  g_hash_table_unref (problems->entries);
  g_mutex_clear (&problems->mutex);
  g_free (problems);
}

void
lc_problems_count (LcProblems *problems, LcProblemKind kind, const char *file, guint64 where, const char *format, ...)
{
  Entry key = {.kind = kind, .file = (char *)file};
  Entry *entry;

  g_mutex_lock (&problems->mutex);
  entry = g_hash_table_lookup (problems->entries, &key);
  if (entry == NULL)
    {
      entry = g_new0 (Entry, 1);
      entry->kind = kind;
      entry->file = g_strdup (file);
      entry->where = where;
      entry->last = where;
      entry->count = 1;
      if (format != NULL)
        {
          g_autofree char *detail = NULL;
          va_list arguments;

          va_start (arguments, format);
          detail = g_strdup_vprintf (format, arguments);
          va_end (arguments);
          entry->detail = g_utf8_make_valid (detail, -1);
        }
      g_hash_table_add (problems->entries, entry);
    }
  else if (where > entry->last)
    {
      entry->last = where;
      entry->count++;
    }
  g_mutex_unlock (&problems->mutex);
}

gboolean
lc_problem_is_of_time (const char *name)
{
  static const LcProblemKind of_time[] = {LC_PROBLEM_TIME_BACKWARDS, LC_PROBLEM_TIME_BEFORE_START,
                                          LC_PROBLEM_TIME_TOO_LARGE, LC_PROBLEM_TEXT_TIME_LARGE,
                                          LC_PROBLEM_TEXT_BACKWARDS};

  for (gsize i = 0; i < G_N_ELEMENTS (of_time); i++)
    if (g_strcmp0 (name, kinds[of_time[i]].name) == 0)
      return TRUE;
  return FALSE;
}

static int
compare_problems (gconstpointer a, gconstpointer b)
{
  const LcTraceProblem *left = a, *right = b;
  int order = g_strcmp0 (left->file, right->file);

  if (order != 0)
    return order;
  if (left->where != right->where)
    return left->where < right->where ? -1 : 1;
  return g_strcmp0 (left->name, right->name);
}

void
lc_problems_sort (GArray *list)
{
  g_array_sort (list, compare_problems);
}

GArray *
lc_problems_list (LcProblems *problems)
{
  GArray *list = g_array_new (FALSE, FALSE, sizeof (LcTraceProblem));
  GHashTableIter iter;
  gpointer key;

  g_mutex_lock (&problems->mutex);
  g_hash_table_iter_init (&iter, problems->entries);
  while (g_hash_table_iter_next (&iter, &key, NULL))
    {
      const Entry *entry = key;
      LcTraceProblem problem = {
          .name = kinds[entry->kind].name,
          .description = kinds[entry->kind].description,
          .severity = kinds[entry->kind].severity,
          .file = entry->file,
          .is_line = kinds[entry->kind].place == LINE,
          .where = entry->where,
          .detail = entry->detail,
          .count = entry->count,
      };

      g_array_append_val (list, problem);
    }
  g_mutex_unlock (&problems->mutex);
  lc_problems_sort (list);
  return list;
}
