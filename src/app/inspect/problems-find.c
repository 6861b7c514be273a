/* SPDX-License-Identifier: Apache-2.0 */
/* Finds problems of a trace, as rows of a list. */
#include "app/inspect/problems-find.h"

#include "report/findings.h"
#include "trace/quantities.h"

void
lc_found_problems_free (gpointer data)
{
  LcFoundProblems *found = data;

  g_ptr_array_unref (found->rows);
  g_free (found);
}

static LcListed *
problems_find_make_row (const LcFinding *finding)
{
  static const char *const icons[] = {[LC_TRACE_NOTE] = "dialog-information-symbolic",
                                      [LC_TRACE_WARNING] = "dialog-warning-symbolic",
                                      [LC_TRACE_FAULT] = "dialog-error-symbolic"};
  LcListed *listed = lc_listed_new (g_strdup (finding->title), g_strdup (finding->detail),
                                    finding->count > 1 ? lc_format_count (finding->count) : NULL);

  listed->icon = icons[finding->severity];
  listed->wraps = TRUE;
  listed->place = g_strdup (finding->place);
  listed->event = (LcEventName){.process = finding->process, .ordinal = finding->ordinal};
  if (finding->deadlock != NULL)
    {
      listed->number = LC_PROBLEM_OF_ALL;
      listed->hint = g_strdup (finding->deadlock);
    }
  return listed;
}

/* The most severe ones come first; the others keep their order. */
gpointer
lc_problems_find (gpointer data, gint *done, GCancellable *cancellable, GError **error)
{
  LcOpened *opened = data;
  g_autoptr (LcFindings) findings = NULL;
  LcFoundProblems *found;

  if (!lc_opened_find_deadlocks (opened, cancellable, error))
    return NULL;
  findings = lc_findings_new (opened->history, opened->directory, cancellable, error);
  if (findings == NULL)
    return NULL;
  found = g_new0 (LcFoundProblems, 1);
  found->rows = g_ptr_array_new_with_free_func (g_object_unref);
  found->n_wrong = findings->n_wrong;
  found->n_notes = findings->n_notes;
  for (int severity = LC_TRACE_FAULT; severity >= LC_TRACE_NOTE; severity--)
    for (guint i = 0; i < findings->list->len; i++)
      {
        const LcFinding *finding = findings->list->pdata[i];

        if ((int)finding->severity == severity)
          g_ptr_array_add (found->rows, problems_find_make_row (finding));
      }
  return found;
}
