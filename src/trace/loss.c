/* SPDX-License-Identifier: Apache-2.0 */
/* The number of events that a trace has lost, with reasons: those counted by its processes, and those counted apart. */
#include "loss.h"

#include <glib/gi18n-lib.h>
#include <string.h>
#include <unistd.h>

#include "files.h"
#include "lightcone/control.h"
#include "lightcone/recording.h"
#include "quantities.h"
#include "reader.h"
#include "records.h"

/* Limit of the counts, because they are stored in SQLite. */
#define MOST ((guint64)G_MAXINT64)

/* Reasons in words. A reason without a row is shown by its name in trace.ini. */
static const char *const reasons[LC_LOST_REASONS] = {
    [LC_LOST_DISK] = N_ ("the disk is full"),
    [LC_LOST_FILE] = N_ ("a file of the trace could not be opened"),
    [LC_LOST_SIGNAL] = N_ ("signal handlers did too much at once"),
    [LC_LOST_OBJECTS] = N_ ("there was no room for objects"),
    [LC_LOST_EXIT] = N_ ("threads went on after their end"),
    [LC_LOST_WORLD] = N_ ("MPI's processes communicated with those of another world"),
    [LC_LOST_FULL] = N_ ("they came faster than they could be written"),
    [LC_LOST_LIMIT] = N_ ("the trace had become as large as it may"),
    [LC_LOST_SANDBOX] = N_ ("threads were in a sandbox"),
};

/* --- Counting ------------------------------------------------------------------------------------------------------
 */

static guint64
add_counts (guint64 a, guint64 b)
{
  return MIN (a, MOST) + MIN (b, MOST) > MOST ? MOST : MIN (a, MOST) + MIN (b, MOST);
}

void
lc_trace_lost_add (LcTraceLost *lost, const LcTraceLost *more)
{
  lost->n = add_counts (lost->n, more->n);
  lost->apart = add_counts (lost->apart, more->apart);
  for (guint i = 0; i < LC_LOST_REASONS; i++)
    lost->by_reason[i] = add_counts (lost->by_reason[i], more->by_reason[i]);
}

static void
loss_add_processes (LcTraceLost *lost, const LcTrace *trace)
{
  for (guint32 i = 0; i < lc_trace_get_n_processes (trace); i++)
    {
      const LcTraceProcess *process = lc_trace_get_process (trace, i);
      LcTraceLost own = {.n = process->n_lost};

      memcpy (own.by_reason, process->lost, sizeof own.by_reason);
      lc_trace_lost_add (lost, &own);
    }
}

/* Reads the losses that no stream has counted from the control block of an unclosed recording. FALSE: the recording is
 * closed. */
static gboolean
read_control (const LcTrace *trace, LcTraceLost *apart)
{
  g_autofree char *path = g_build_filename (trace->path, ".control", NULL);
  guint64 size, counts[LC_LOST_REASONS];
  int file = lc_file_open (path, &size, NULL);
  gboolean good;

  if (file < 0)
    return FALSE;
  good = lc_records_is_control (file) &&
         lc_file_read (file, counts, sizeof counts, offsetof (struct lc_control, lost)) == sizeof counts;
  close (file);
  for (guint i = 0; good && i < LC_LOST_REASONS; i++)
    {
      apart->by_reason[i] = MIN (counts[i], MOST);
      apart->n = add_counts (apart->n, counts[i]);
    }
  return good;
}

/*
 * Reads the losses that trace.ini has in addition to those of the processes. A reason that this version does not know
 * only adds to the total.
 */
static void
loss_read_settings (const LcTrace *trace, const LcTraceLost *counted, LcTraceLost *apart)
{
  g_auto (GStrv) names = g_key_file_get_keys (trace->settings, "lost", NULL, NULL);
  guint64 told = g_key_file_get_uint64 (trace->settings, "trace", "lost", NULL), sum = 0, named = 0;

  for (char **name = names; name != NULL && *name != NULL; name++)
    sum = add_counts (sum, g_key_file_get_uint64 (trace->settings, "lost", *name, NULL));
  for (guint i = 0; i < LC_LOST_REASONS; i++)
    {
      guint64 of_reason =
          lc_lost_is_named (i) ? g_key_file_get_uint64 (trace->settings, "lost", lc_recording_lost_name (i), NULL) : 0;

      of_reason = MIN (of_reason, MOST);
      apart->by_reason[i] = of_reason - MIN (of_reason, counted->by_reason[i]);
      named = add_counts (named, apart->by_reason[i]);
    }
  told = MIN (MAX (told, sum), MOST);
  apart->n = MAX (told - MIN (told, counted->n), named);
}

void
lc_trace_count_lost (LcTrace *trace)
{
  LcTraceLost apart = {0};
  gboolean is_open;

  loss_add_processes (&trace->lost, trace);
  is_open = read_control (trace, &apart);
  if (!is_open)
    loss_read_settings (trace, &trace->lost, &apart);
  apart.apart = apart.n;
  lc_trace_lost_add (&trace->lost, &apart);
  if (apart.n > 0)
    {
      g_autofree char *why = lc_lost_name_reasons (apart.by_reason);

      lc_problems_count (trace->problems, LC_PROBLEM_EVENTS_LOST, is_open ? ".control" : "trace.ini", 0,
                         "%" G_GUINT64_FORMAT " of them, of processes that are not known%s", apart.n, why);
    }
}

void
lc_trace_get_lost (const LcTrace *trace, LcTraceLost *lost)
{
  *lost = trace->lost;
}

/* --- Telling -------------------------------------------------------------------------------------------------------
 */

gboolean
lc_lost_is_named (guint reason)
{
  return strcmp (lc_recording_lost_name (reason), "other") != 0;
}

char *
lc_lost_name_reasons (const guint64 lost[LC_LOST_REASONS])
{
  GString *text = g_string_new (NULL);

  for (guint i = 0; i < LC_LOST_REASONS; i++)
    if (lost[i] > 0)
      g_string_append_printf (text, "%s %s %" G_GUINT64_FORMAT, text->len == 0 ? ":" : ",", lc_recording_lost_name (i),
                              lost[i]);
  return g_string_free (text, FALSE);
}

char *
lc_lost_reasons (const guint64 lost[LC_LOST_REASONS])
{
  GString *text = g_string_new (NULL);
  guint n = 0;

  for (guint i = 0; i < LC_LOST_REASONS; i++)
    n += lost[i] > 0;
  for (guint i = 0; i < LC_LOST_REASONS; i++)
    {
      g_autofree char *count = lc_format_count (lost[i]);

      if (lost[i] == 0)
        continue;
      g_string_append_printf (text, "%s%s", text->len == 0 ? ": " : ", ",
                              reasons[i] != NULL ? _ (reasons[i]) : lc_recording_lost_name (i));
      if (n > 1)
        g_string_append_printf (text, " (%s)", count);
    }
  return g_string_free (text, FALSE);
}

char *
lc_lost_describe (const LcTraceLost *lost)
{
  g_autofree char *count = lc_format_count (lost->n), *why = lc_lost_reasons (lost->by_reason);

  if (lost->n == 0)
    return NULL;
  /* TRANSLATORS: "240,000 events were lost: the disk is full"; the reason comes with its colon, or there is none. */
  return g_strdup_printf (ngettext ("%s event was lost%s", "%s events were lost%s", lost->n), count, why);
}
