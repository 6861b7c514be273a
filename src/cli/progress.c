/* SPDX-License-Identifier: Apache-2.0 */
/* A line on standard error that shows progress, and is drawn again and again. */
#include "progress.h"

#include <glib/gi18n.h>
#include <math.h>
#include <unistd.h>

#include "report/format.h"
#include "report/output.h"

static gboolean
progress_report (const LcMergeProgress *state, gpointer data)
{
  LcProgress *progress = data;
  g_autofree char *events = lc_format_count (state->events);

  lc_output_clear_line ();
  g_printerr (_ ("%s: %.0f %%, %s events"), progress->what, floor (state->fraction * 100), events);
  if (state->seconds_left >= 1)
    {
      g_autofree char *left = lc_format_duration ((guint64)ceil (state->seconds_left) * 1000000000);

      g_printerr (_ (", %s left"), left);
    }
  progress->drawn = TRUE;
  return TRUE;
}

LcMergeReport
lc_progress_begin (LcProgress *progress, const char *what, gboolean quiet)
{
  *progress = (LcProgress){.what = what};
  return !quiet && isatty (STDERR_FILENO) ? progress_report : NULL;
}

void
lc_progress_end (LcProgress *progress)
{
  if (progress->drawn)
    lc_output_clear_line ();
}
