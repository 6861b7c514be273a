/* SPDX-License-Identifier: Apache-2.0 */
/* The form's texts as words, quoted as in a shell. */
#include "app/open/record-form.h"

#include <glib/gi18n.h>
#include <string.h>

/* Expands "~" and "~/..." as a shell does. */
static char *
record_form_dup_path (const char *text)
{
  g_autofree char *stripped = g_strstrip (g_strdup (text));

  if (g_str_equal (stripped, "~"))
    return g_strdup (g_get_home_dir ());
  if (g_str_has_prefix (stripped, "~/"))
    return g_build_filename (g_get_home_dir (), stripped + 2, NULL);
  return g_steal_pointer (&stripped);
}

static gboolean
record_form_split (const char *text, char ***words, GError **error)
{
  g_autoptr (GError) local = NULL;

  *words = NULL;
  if (g_shell_parse_argv (text, NULL, words, &local))
    return TRUE;
  if (g_error_matches (local, G_SHELL_ERROR, G_SHELL_ERROR_EMPTY_STRING))
    {
      *words = g_new0 (char *, 1);
      return TRUE;
    }
  g_propagate_prefixed_error (error, g_steal_pointer (&local), "%s: ", text);
  return FALSE;
}

static gboolean
check_environment (char **environment, GError **error)
{
  for (gsize i = 0; environment[i] != NULL; i++)
    {
      const char *equals = strchr (environment[i], '=');

      if (equals != NULL && equals != environment[i])
        continue;
      g_set_error (error, G_IO_ERROR, G_IO_ERROR_INVALID_ARGUMENT,
                   _ ("%s: a variable of the environment is written NAME=VALUE"), environment[i]);
      return FALSE;
    }
  return TRUE;
}

static gboolean
check_folder (const char *folder, GError **error)
{
  if (g_file_test (folder, G_FILE_TEST_IS_DIR))
    return TRUE;
  g_set_error (error, G_FILE_ERROR, G_FILE_ERROR_NOENT, _ ("%s: there is no such folder to work in"), folder);
  return FALSE;
}

gboolean
lc_record_form_fill (LcRecordForm *form, const char *program, const char *arguments, const char *folder,
                     const char *environment, const char *trace, GError **error)
{
  *form = (LcRecordForm){.program = record_form_dup_path (program),
                         .folder = record_form_dup_path (folder),
                         .trace = record_form_dup_path (trace)};
  if (*form->folder == '\0')
    {
      g_free (form->folder);
      form->folder = g_strdup (g_get_home_dir ());
    }
  if (*form->trace == '\0')
    {
      g_free (form->trace);
      form->trace = lc_record_form_propose (form->program, form->folder);
    }
  return record_form_split (arguments, &form->arguments, error) &&
         record_form_split (environment, &form->environment, error) && check_environment (form->environment, error) &&
         check_folder (form->folder, error);
}

void
lc_record_form_clear (LcRecordForm *form)
{
  g_clear_pointer (&form->program, g_free);
  g_clear_pointer (&form->folder, g_free);
  g_clear_pointer (&form->trace, g_free);
  g_clear_pointer (&form->arguments, g_strfreev);
  g_clear_pointer (&form->environment, g_strfreev);
}

char *
lc_record_form_propose (const char *program, const char *folder)
{
  g_autofree char *path = record_form_dup_path (program), *name = g_path_get_basename (path),
                  *within = record_form_dup_path (folder);

  for (guint i = 1;; i++)
    {
      g_autofree char *file = i == 1 ? g_strdup_printf ("%s.trace", name) : g_strdup_printf ("%s-%u.trace", name, i);
      g_autofree char *proposed = g_build_filename (*within != '\0' ? within : g_get_home_dir (), file, NULL);

      if (!g_file_test (proposed, G_FILE_TEST_EXISTS))
        return g_steal_pointer (&proposed);
    }
}
