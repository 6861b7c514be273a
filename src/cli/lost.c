/* SPDX-License-Identifier: Apache-2.0 */
/* Adds to any output made from a history that events of it were lost. */
#include "lost.h"

#include <glib/gi18n.h>

#include "command.h"
#include "lightcone/recording.h"
#include "trace/loss.h"

char *
lc_lost_dup_note (LcHistory *history)
{
  g_autofree char *what = NULL;
  LcTraceLost lost;

  lc_history_get_lost (history, &lost);
  what = lc_lost_describe (&lost);
  return what != NULL ? g_strdup_printf (_ ("Note: %s"), what) : NULL;
}

void
lc_lost_print (LcHistory *history)
{
  g_autofree char *note = lc_lost_dup_note (history);

  if (note != NULL)
    g_print ("%s\n", note);
}

void
lc_lost_complain (LcHistory *history)
{
  g_autofree char *note = lc_lost_dup_note (history);

  if (note != NULL)
    lc_complain ("%s", note);
}

void
lc_lost_add_reasons (LcJson *json, const LcTraceLost *lost)
{
  guint64 others = lost->n;

  for (guint i = 0; i < LC_LOST_REASONS; i++)
    if (lost->by_reason[i] > 0 && lc_lost_is_named (i))
      {
        lc_json_add_count (json, lc_recording_lost_name (i), lost->by_reason[i]);
        others -= MIN (others, lost->by_reason[i]);
      }
  if (others > 0)
    lc_json_add_count (json, "other", others);
}

void
lc_lost_add_json (LcJson *json, LcHistory *history)
{
  LcTraceLost lost;

  lc_history_get_lost (history, &lost);
  lc_json_add_count (json, "events_lost", lost.n);
  lc_json_begin_object (json, "events_lost_by_reason");
  lc_lost_add_reasons (json, &lost);
  lc_json_end_object (json);
}
