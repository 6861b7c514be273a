/* SPDX-License-Identifier: Apache-2.0 */
/* Keeps the blame that was found last, for questions that are the same but for how its answer is shown. */
#include <string.h>

#include "lightcone/sites.h"

struct _LcKeptBlame
{
  GMutex lock;
  GArray *blame; /* NULL: nothing is kept */

  /* The question, with copies of all that it points to. */
  LcWaitsAsked asked;
  guint32 n_operations;
};

LcKeptBlame *
lc_kept_blame_new (void)
{
  LcKeptBlame *kept = g_new0 (LcKeptBlame, 1);

  g_mutex_init (&kept->lock);
  return kept;
}

static void
kept_blame_forget (LcKeptBlame *kept)
{
  g_clear_pointer (&kept->blame, g_array_unref);
  g_free ((gpointer)kept->asked.processes);
  lc_filters_clear (&kept->asked.filters);
  kept->asked = (LcWaitsAsked){0};
}

void
lc_kept_blame_free (LcKeptBlame *kept)
{
  if (kept == NULL)
    return;
  kept_blame_forget (kept);
  g_mutex_clear (&kept->lock);
  g_free (kept);
}

static gboolean
kept_blame_is_same (gconstpointer a, gconstpointer b, gsize size)
{
  return (a == NULL) == (b == NULL) && (a == NULL || size == 0 || memcmp (a, b, size) == 0);
}

static gboolean
kept_blame_answers (const LcKeptBlame *kept, const LcWaitsAsked *asked)
{
  const LcWaitsAsked *known = &kept->asked;

  return kept->blame != NULL && known->n_processes == asked->n_processes && known->axis == asked->axis &&
         known->from == asked->from && known->to == asked->to &&
         kept_blame_is_same (known->processes, asked->processes, asked->n_processes * sizeof *asked->processes) &&
         lc_filters_equal (&known->filters, &asked->filters, kept->n_operations);
}

static void
kept_blame_set (LcKeptBlame *kept, const LcWaitsAsked *asked, GArray *blame)
{
  kept_blame_forget (kept);
  kept->blame = g_array_ref (blame);
  kept->asked = *asked;
  kept->asked.processes = g_memdup2 (asked->processes, asked->n_processes * sizeof *asked->processes);
  lc_filters_copy (&kept->asked.filters, &asked->filters, kept->n_operations);
}

GArray *
lc_kept_blame_find (LcKeptBlame *kept, LcHistory *history, const LcWaitsAsked *asked, GCancellable *cancellable,
                    GError **error)
{
  GArray *blame = NULL;

  g_mutex_lock (&kept->lock);
  if (kept_blame_answers (kept, asked))
    blame = g_array_ref (kept->blame);
  g_mutex_unlock (&kept->lock);
  if (blame == NULL)
    blame = lc_statistics_blame (history, LC_TIMELINE_MEASURED, asked, NULL, cancellable, error);
  if (blame == NULL)
    return NULL;
  g_mutex_lock (&kept->lock);
  kept->n_operations = lc_history_get_n_operations (history);
  if (blame != kept->blame)
    kept_blame_set (kept, asked, blame);
  g_mutex_unlock (&kept->lock);
  return blame;
}
