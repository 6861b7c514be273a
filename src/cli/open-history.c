/* SPDX-License-Identifier: Apache-2.0 */
/* Merges with a line of progress. */
#include "open-history.h"

#include <glib/gi18n.h>
#include <string.h>

#include "command.h"
#include "lightcone/profile.h"
#include "lightcone/trace.h"
#include "progress.h"
#include "recover.h"

/* Warns that files which could not be read are missing from the answers; another time they may be readable. */
static void
complain_of_unread_files (LcHistory *history, const char *directory)
{
  g_autoptr (GPtrArray) problems = lc_history_list_problems (history, NULL);

  for (guint i = 0; problems != NULL && i < problems->len; i++)
    {
      const LcHistoryProblem *problem = g_ptr_array_index (problems, i);

      if (strcmp (problem->kind, "file-unreadable") != 0)
        continue;
      lc_complain (_ ("%s: not all files could be read, and what is told is without them (lightcone check names them)"),
                   directory);
      return;
    }
}

void
lc_explain_profile (const char *path, GError **error)
{
  g_autofree char *name = NULL;

  if (error == NULL || *error == NULL || !lc_profile_is_file (path))
    return;
  name = g_filename_display_name (path);
  g_clear_error (error);
  g_set_error (error, LC_TRACE_ERROR, LC_TRACE_ERROR_NOT_A_TRACE,
               _ ("%s: this is a profile and no trace: “lightcone profile” shows it"), name);
}

LcHistory *
lc_open_history_to_check (const char *directory, const char *const *rules, gboolean quiet, GError **error)
{
  LcProgress progress;
  const LcMergeOptions options = {
      .rules = rules, .report = lc_progress_begin (&progress, _ ("merging"), quiet), .data = &progress};
  LcHistory *history;

  lc_recover (directory);
  history = lc_merge_open (directory, &options, error);
  lc_progress_end (&progress);
  if (history == NULL)
    lc_explain_profile (directory, error);
  return history;
}

LcHistory *
lc_open_history (const char *directory, const char *const *rules, gboolean quiet, GError **error)
{
  LcHistory *history = lc_open_history_to_check (directory, rules, quiet, error);

  if (history == NULL)
    return NULL;
  complain_of_unread_files (history, directory);
  lc_history_stay (history);
  return history;
}

gboolean
lc_merge_directory (const char *directory, const LcMergeOptions *asked, gboolean quiet, LcMergeResult *result,
                    GError **error)
{
  LcProgress progress;
  LcMergeOptions options = *asked;
  gboolean merged;

  options.report = lc_progress_begin (&progress, _ ("merging"), quiet);
  options.data = &progress;
  lc_recover (directory);
  merged = lc_merge (directory, &options, result, error);
  lc_progress_end (&progress);
  if (!merged)
    lc_explain_profile (directory, error);
  return merged;
}
