/* SPDX-License-Identifier: Apache-2.0 */
/* Counts the events whose times in the trace cannot be right. */
#include "wrong-times.h"

#include <glib/gi18n-lib.h>

#include "trace/problems.h"
#include "trace/quantities.h"

guint64
lc_wrong_times_count (LcHistory *history)
{
  g_autoptr (GPtrArray) problems = lc_history_list_problems (history, NULL);
  guint64 n = 0;

  for (guint i = 0; problems != NULL && i < problems->len; i++)
    {
      const LcHistoryProblem *problem = problems->pdata[i];

      if (lc_problem_is_of_time (problem->kind))
        n += problem->count;
    }
  return n;
}

char *
lc_wrong_times_describe (guint64 n)
{
  g_autofree char *count = lc_format_count (n);

  if (n == 0)
    return NULL;
  return g_strdup_printf (
      ngettext ("%s event has a time that cannot be right, and stands at another: lightcone check tells where",
                "%s events have times that cannot be right, and stand at others: lightcone check tells where", n),
      count);
}
