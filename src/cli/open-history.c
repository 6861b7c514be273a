/* SPDX-License-Identifier: Apache-2.0 */
/* Merges with a line of progress, and finds timelines that a user has named in a history. */
#include "open-history.h"

#include <glib/gi18n.h>
#include <string.h>

#include "command.h"
#include "lightcone/approximate.h"
#include "lightcone/laid-times.h"
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

/* Gives "measured, event". */
static char *
open_history_list_names (const GPtrArray *timelines)
{
  GString *names = g_string_new (NULL);

  for (guint i = 0; i < timelines->len; i++)
    {
      const LcHistoryTimeline *timeline = timelines->pdata[i];

      g_string_append_printf (names, "%s%s", i > 0 ? ", " : "", timeline->name);
    }
  return g_string_free (names, FALSE);
}

gboolean
lc_find_timeline (LcHistory *history, const char *name, guint32 *number, GError **error)
{
  g_autoptr (GPtrArray) timelines = lc_history_list_timelines (history, error);
  g_autofree char *names = NULL;
  LcModel model;

  if (timelines == NULL)
    return FALSE;
  for (guint i = 0; i < timelines->len; i++)
    {
      const LcHistoryTimeline *timeline = timelines->pdata[i];

      *number = timeline->id;
      if (strcmp (timeline->name, name) == 0)
        return TRUE;
    }
  names = open_history_list_names (timelines);
  if (lc_model_parse (name, &model) && model != LC_MODEL_AUTO)
    g_set_error (error, LC_HISTORY_ERROR, LC_HISTORY_ERROR_UNKNOWN,
                 _ ("%s: there is no timeline “%s”, only: %s (lightcone approximate --model %s makes it)"),
                 lc_history_get_path (history), name, names, name);
  else
    g_set_error (error, LC_HISTORY_ERROR, LC_HISTORY_ERROR_UNKNOWN,
                 _ ("%s: there is no timeline “%s”, only: %s (lightcone approximate makes others)"),
                 lc_history_get_path (history), name, names);
  return FALSE;
}

/* Times of another run that are laid under this one are no approximation of it. */
static gboolean
open_history_is_approximation (const LcHistoryTimeline *timeline)
{
  return timeline->id != LC_TIMELINE_MEASURED && strcmp (timeline->model, LC_LAID_TIMES_MODEL) != 0;
}

char *
lc_find_approximation (LcHistory *history, guint32 *number, GError **error)
{
  g_autoptr (GPtrArray) timelines = lc_history_list_timelines (history, error);
  g_autofree char *names = NULL;
  const LcHistoryTimeline *found = NULL, *any = NULL;
  guint usual = 0, n = 0;

  if (timelines == NULL)
    return NULL;
  for (guint i = 0; i < timelines->len; i++)
    {
      const LcHistoryTimeline *timeline = timelines->pdata[i];

      if (!open_history_is_approximation (timeline))
        continue;
      any = timeline;
      n++;
      if (strcmp (timeline->name, "event") != 0 && strcmp (timeline->name, "liberal") != 0)
        continue;
      found = timeline;
      usual++;
    }
  if (n == 1)
    found = any;
  if (found != NULL && usual <= 1)
    {
      *number = found->id;
      return g_strdup (found->name);
    }
  names = open_history_list_names (timelines);
  g_set_error (error, LC_HISTORY_ERROR, LC_HISTORY_ERROR_UNKNOWN,
               n == 0 ? _ ("%s: there is no approximated timeline, only: %s (lightcone approximate makes one)")
                      : _ ("%s: which timeline (--timeline)? There are: %s"),
               lc_history_get_path (history), names);
  return NULL;
}
