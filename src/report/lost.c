/* SPDX-License-Identifier: Apache-2.0 */
/* Tells, with whatever is made of a history, that events of it were lost, not recorded on purpose, or are at wrong
 * times. */
#include "report/lost.h"

#include <glib/gi18n.h>

#include "history/wrong-times.h"
#include "lightcone/recording.h"
#include "report/output.h"
#include "trace/gaps.h"
#include "trace/loss.h"

static void
lost_add_line (GString *note, const char *line)
{
  if (line == NULL)
    return;
  if (note->len > 0)
    g_string_append_c (note, '\n');
  g_string_append_printf (note, _ ("Note: %s"), line);
}

char *
lc_lost_dup_note (LcHistory *history)
{
  g_autofree char *what = NULL, *wrong = lc_wrong_times_describe (lc_wrong_times_count (history));
  g_autofree char *gaps = lc_gaps_describe (lc_history_get_gaps (history), "\n");
  g_auto (GStrv) lines = g_strsplit (gaps != NULL ? gaps : "", "\n", -1);
  GString *note = g_string_new (NULL);
  LcTraceLost lost;

  lc_history_get_lost (history, &lost);
  what = lc_lost_describe (&lost);
  lost_add_line (note, what);
  lost_add_line (note, wrong);
  for (guint i = 0; lines[i] != NULL; i++)
    lost_add_line (note, lines[i]);
  return g_string_free (note, note->len == 0);
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
  g_auto (GStrv) lines = g_strsplit (note != NULL ? note : "", "\n", -1);

  for (guint i = 0; lines[i] != NULL; i++)
    lc_complain ("%s", lines[i]);
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
lc_lost_add_gaps (LcJson *json, const LcTraceGap *gaps, gsize n_gaps)
{
  lc_json_begin_array (json, "gap");
  for (gsize i = 0; i < n_gaps; i++)
    {
      lc_json_begin_object (json, NULL);
      lc_json_add_count (json, "from", gaps[i].from);
      if (gaps[i].to != LC_GAP_OPEN)
        lc_json_add_count (json, "to", gaps[i].to);
      else
        lc_json_add_null (json, "to");
      lc_json_add_string (json, "reason", lc_gap_reason_name (gaps[i].reason));
      if (gaps[i].events > 0)
        lc_json_add_count (json, "events", gaps[i].events);
      lc_json_end_object (json);
    }
  lc_json_end_array (json);
}

void
lc_lost_add_json (LcJson *json, LcHistory *history)
{
  const GArray *gaps = lc_history_get_gaps (history);
  const guint64 wrong = lc_wrong_times_count (history);
  LcTraceLost lost;

  lc_history_get_lost (history, &lost);
  lc_json_add_count (json, "events_lost", lost.n);
  lc_json_begin_object (json, "events_lost_by_reason");
  lc_lost_add_reasons (json, &lost);
  lc_json_end_object (json);
  if (wrong > 0)
    lc_json_add_count (json, "wrong_times", wrong);
  if (gaps->len > 0)
    lc_lost_add_gaps (json, (const LcTraceGap *)(const void *)gaps->data, gaps->len);
}
