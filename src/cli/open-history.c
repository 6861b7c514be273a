/* SPDX-License-Identifier: Apache-2.0 */
/* Merges with a line of progress that is drawn again and again. */
#include "open-history.h"

#include <glib/gi18n.h>
#include <math.h>
#include <unistd.h>

#include "format.h"
#include "recover.h"

#define CLEAR_LINE "\r\033[K"

static gboolean
report (const LcMergeProgress *progress, gpointer data)
{
  gboolean *drawn = data;
  g_autofree char *events = lc_format_count (progress->events);

  g_printerr (CLEAR_LINE);
  g_printerr (_ ("merging: %.0f %%, %s events"), floor (progress->fraction * 100), events);
  if (progress->seconds_left >= 1)
    {
      g_autofree char *left = lc_format_duration ((guint64)ceil (progress->seconds_left) * 1000000000);

      g_printerr (_ (", %s left"), left);
    }
  *drawn = TRUE;
  return TRUE;
}

static void
set_options (LcMergeOptions *options, const char *const *rules, gboolean quiet, gboolean *drawn)
{
  *options = (LcMergeOptions){.rules = rules, .data = drawn};
  *drawn = FALSE;
  if (!quiet && isatty (STDERR_FILENO))
    options->report = report;
}

static void
clear_line (gboolean drawn)
{
  if (drawn)
    g_printerr (CLEAR_LINE);
}

LcHistory *
lc_open_history (const char *directory, const char *const *rules, gboolean quiet, GError **error)
{
  LcMergeOptions options;
  LcHistory *history;
  gboolean drawn;

  set_options (&options, rules, quiet, &drawn);
  lc_recover (directory);
  history = lc_merge_open (directory, &options, error);
  clear_line (drawn);
  return history;
}

gboolean
lc_merge_directory (const char *directory, const char *const *rules, gboolean again, gboolean quiet,
                    LcMergeResult *result, GError **error)
{
  LcMergeOptions options;
  gboolean merged, drawn;

  set_options (&options, rules, quiet, &drawn);
  options.again = again;
  lc_recover (directory);
  merged = lc_merge (directory, &options, result, error);
  clear_line (drawn);
  return merged;
}
