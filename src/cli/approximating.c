/* SPDX-License-Identifier: Apache-2.0 */
/* Shared by the commands that approximate: names of models, progress, and the history with the new timeline. */
#include "approximating.h"

#include <glib/gi18n.h>
#include <string.h>

#include "command.h"
#include "progress.h"
#include "recover.h"

gboolean
lc_parse_model (const char *command, const char *name, LcModel *model)
{
  g_autoptr (GString) names = g_string_new (NULL);

  if (name == NULL || lc_model_parse (name, model))
    return TRUE;
  for (guint i = LC_MODEL_TIME; i <= LC_MODEL_AUTO; i++)
    g_string_append_printf (names, "%s%s", i > LC_MODEL_TIME ? ", " : "", lc_model_get_name ((LcModel)i));
  lc_complain (_ ("%s: “%s” is not a model (%s)"), command, name, names->str);
  return FALSE;
}

gboolean
lc_parse_blind (const char *command, const char *name, LcBlindPolicy *policy)
{
  static const char *const names[] = {"preserve", "fifo", "lifo"}; /* in the order of LcBlindPolicy */

  *policy = LC_BLIND_PRESERVE;
  for (guint i = 0; name != NULL && i < G_N_ELEMENTS (names); i++)
    if (strcmp (names[i], name) == 0)
      {
        *policy = (LcBlindPolicy)i;
        return TRUE;
      }
  if (name != NULL)
    lc_complain (_ ("%s: “%s” is no policy for blind receives (preserve, fifo, lifo)"), command, name);
  return name == NULL;
}

gboolean
lc_check_timeline_name (const char *command, const char *name)
{
  if (name == NULL || (name[0] != '\0' && strcmp (name, "measured") != 0))
    return TRUE;
  lc_complain (_ ("%s: a new timeline cannot be called “%s”: --name can be any other name"), command, name);
  return FALSE;
}

LcApproximation *
lc_approximate_directory (const char *directory, LcApproximateOptions options, gboolean quiet, GError **error)
{
  LcProgress progress;
  LcApproximation *approximation;

  options.report = lc_progress_begin (&progress, _ ("approximating"), quiet);
  options.data = &progress;
  lc_recover (directory);
  approximation = lc_approximate (directory, &options, error);
  lc_progress_end (&progress);
  return approximation;
}

LcHistory *
lc_open_approximated (const char *directory, GError **error)
{
  g_autofree char *path = lc_merge_dup_path (directory);

  return lc_history_open (path, error);
}
