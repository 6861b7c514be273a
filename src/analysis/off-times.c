/* SPDX-License-Identifier: Apache-2.0 */
/* The times in which a process was preempted or outside of the program. */
#include "off-times.h"

static gboolean
off_times_add (const LcStateSpan *span, gpointer data)
{
  GArray *spans = data;

  switch (span->state)
    {
    case LC_IS_PREEMPTED:
    case LC_IS_OUTSIDE:
    case LC_IS_UNSEEN:
      g_array_append_val (spans, *span);
      break;
    case LC_IS_RUNNING:
    case LC_IS_WAITING:
    case LC_IS_WOKEN:
    default:
      break;
    }
  return TRUE;
}

static gboolean
off_times_load (LcOffTimes *off, GError **error)
{
  guint64 until = off->to - off->from > off->piece ? off->from + off->piece : off->to;

  if (off->spans == NULL)
    off->spans = g_array_new (FALSE, FALSE, sizeof (LcStateSpan));
  g_array_set_size (off->spans, 0);
  off->at = 0;
  if (!lc_history_visit_states (off->history, off->timeline, off->process, off->from, until, off_times_add, off->spans,
                                off->cancellable, error))
    return FALSE;
  off->from = until;
  return TRUE;
}

gboolean
lc_off_times_get (LcOffTimes *off, const LcStateSpan **span, GError **error)
{
  while ((off->spans == NULL || off->at == off->spans->len) && off->from < off->to)
    if (!off_times_load (off, error))
      return FALSE;
  *span = off->spans != NULL && off->at < off->spans->len ? &g_array_index (off->spans, LcStateSpan, off->at) : NULL;
  return TRUE;
}

void
lc_off_times_skip (LcOffTimes *off)
{
  off->at++;
}

void
lc_off_times_clear (LcOffTimes *off)
{
  g_clear_pointer (&off->spans, g_array_unref);
}
