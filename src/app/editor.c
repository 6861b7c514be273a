/* SPDX-License-Identifier: Apache-2.0 */
/* Opens lines of source files in the user's editor. */
#include "app/editor.h"

#include <glib/gi18n.h>
#include <string.h>

#include "app/settings.h"

/* --- The command ------------------------------------------------------------------------------------------------- */

static char *
editor_fill (const char *word, const char *path, guint32 line, gboolean *has_file)
{
  GString *text = g_string_new (NULL);

  for (const char *at = word; *at != '\0'; at++)
    {
      if (at[0] != '%' || at[1] == '\0' || strchr ("fl%", at[1]) == NULL)
        {
          g_string_append_c (text, *at);
          continue;
        }
      at++;
      if (*at == 'f')
        g_string_append (text, path);
      else if (*at == 'l')
        g_string_append_printf (text, "%u", line);
      else
        g_string_append_c (text, '%');
      *has_file |= *at == 'f';
    }
  return g_string_free (text, FALSE);
}

char **
lc_editor_split (const char *command, const char *path, guint32 line, GError **error)
{
  g_auto (GStrv) words = NULL;
  g_autoptr (GPtrArray) filled = g_ptr_array_new_with_free_func (g_free);
  gboolean has_file = FALSE;
  int n;

  if (!g_shell_parse_argv (command, &n, &words, error))
    return NULL;
  for (int i = 0; i < n; i++)
    g_ptr_array_add (filled, editor_fill (words[i], path, line, &has_file));
  if (!has_file)
    g_ptr_array_add (filled, g_strdup (path));
  g_ptr_array_add (filled, NULL);
  return (char **)g_ptr_array_steal (filled, NULL);
}

/* --- Starting ---------------------------------------------------------------------------------------------------- */

static void
editor_tell (LcSession *session, const GError *error)
{
  g_autofree char *text = g_strdup_printf (_ ("The editor does not start: %s"), error->message);

  lc_session_tell (session, text);
}

static void
editor_on_launched (GObject *source, GAsyncResult *result, gpointer data)
{
  g_autoptr (LcSession) session = data;
  g_autoptr (GError) error = NULL;

  if (!g_app_info_launch_default_for_uri_finish (result, &error))
    editor_tell (session, error);
}

static void
editor_launch_default (LcSession *session, const char *path)
{
  g_autoptr (GError) error = NULL;
  g_autofree char *uri = g_filename_to_uri (path, NULL, &error);

  if (uri == NULL)
    editor_tell (session, error);
  else
    g_app_info_launch_default_for_uri_async (uri, NULL, NULL, editor_on_launched, g_object_ref (session));
}

void
lc_editor_open (LcSession *session, const char *path, guint32 line)
{
  g_autofree char *command = g_strstrip (lc_settings_dup_string ("editor", ""));
  g_autoptr (GSubprocess) started = NULL;
  g_autoptr (GError) error = NULL;
  g_auto (GStrv) words = NULL;

  if (*command == '\0')
    {
      editor_launch_default (session, path);
      return;
    }
  words = lc_editor_split (command, path, line, &error);
  if (words != NULL)
    started = g_subprocess_newv ((const char *const *)words, G_SUBPROCESS_FLAGS_NONE, &error);
  if (started == NULL)
    editor_tell (session, error);
}
