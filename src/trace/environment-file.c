/* SPDX-License-Identifier: Apache-2.0 */
/* The environment in which a program was recorded: a file of the trace that only its user may read. */
#include "lightcone/environment-file.h"

#include <string.h>

#include "lightcone/trace.h"
#include "settings.h"

#define ENVIRONMENT_FILE "environment"
#define ENVIRONMENT_LIMIT (16u << 20) /* bytes: the system gives a program no more than 6 MiB */

/* Variables of our own, which say how this program is run and not how the recorded one was. */
#define ENVIRONMENT_OWN "LIGHTCONE_"

gboolean
lc_environment_file_write (const LcFolder *folder, const char *const *environment, GError **error)
{
  g_autoptr (GString) text = g_string_new (NULL);

  for (guint i = 0; environment[i] != NULL; i++)
    if (!g_str_has_prefix (environment[i], ENVIRONMENT_OWN))
      g_string_append_len (text, environment[i], (gssize)strlen (environment[i]) + 1);
  return lc_folder_write (folder, ENVIRONMENT_FILE, text->str, text->len, error);
}

static gboolean
environment_file_is_variable (const char *text)
{
  return text[0] != '\0' && text[0] != '=' && strchr (text, '=') != NULL && !g_str_has_prefix (text, ENVIRONMENT_OWN);
}

gboolean
lc_environment_file_read (const char *directory, char ***environment, GError **error)
{
  g_autoptr (LcFolder) folder = lc_folder_open (directory, error);
  g_autoptr (GPtrArray) variables = g_ptr_array_new_with_free_func (g_free);
  g_autofree char *text = NULL;
  gsize length;

  *environment = NULL;
  if (folder == NULL)
    return FALSE;
  if (!lc_folder_has_file (folder, ENVIRONMENT_FILE))
    return TRUE;
  if (!lc_folder_read (folder, ENVIRONMENT_FILE, ENVIRONMENT_LIMIT, &text, &length, error))
    return FALSE;
  for (gsize at = 0; at < length; at += strlen (text + at) + 1)
    {
      if (at + strlen (text + at) >= length || !environment_file_is_variable (text + at))
        {
          g_set_error (error, LC_TRACE_ERROR, LC_TRACE_ERROR_DAMAGED,
                       "%s/" ENVIRONMENT_FILE ": no variable of an environment (byte %" G_GSIZE_FORMAT ")", directory,
                       at);
          return FALSE;
        }
      g_ptr_array_add (variables, g_strdup (text + at));
    }
  g_ptr_array_add (variables, NULL);
  *environment = (char **)g_ptr_array_steal (variables, NULL);
  return TRUE;
}
