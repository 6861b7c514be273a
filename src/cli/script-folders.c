/* SPDX-License-Identifier: Apache-2.0 */
/* The scripts that are loaded at the start: those of the program, of the user, and of a trace that is trusted. */
#include "script-folders.h"

#include <glib/gi18n.h>
#include <string.h>

#include "command.h"
#include "trace/quantities.h"

enum
{
  MOST_FILE = 16 << 20, /* bytes of a script of a trace */
};

/* A script of a trace. Its text is what the checksum is of, whatever the file becomes later. */
typedef struct
{
  char *path;
  char *text;
} FoldersScript;

static void
script_folders_free_script (gpointer data)
{
  FoldersScript *script = data;

  g_free (script->path);
  g_free (script->text);
  g_free (script);
}

static void
script_folders_complain (const char *path, const char *what)
{
  g_autofree char *shown = lc_format_text (path);

  lc_complain ("%s: %s", shown, what);
}

static int
script_folders_compare_names (gconstpointer a, gconstpointer b)
{
  return strcmp (*(const char *const *)a, *(const char *const *)b);
}

/* Lists the scripts of a folder, which need not be there. */
static GPtrArray *
script_folders_list (const char *folder)
{
  GPtrArray *paths = g_ptr_array_new_with_free_func (g_free);
  g_autoptr (GError) error = NULL;
  g_autoptr (GDir) entries = g_dir_open (folder, 0, &error);
  const char *name;

  if (entries == NULL && !g_error_matches (error, G_FILE_ERROR, G_FILE_ERROR_NOENT) &&
      !g_error_matches (error, G_FILE_ERROR, G_FILE_ERROR_NOTDIR))
    lc_complain ("%s", error->message);
  while (entries != NULL && (name = g_dir_read_name (entries)) != NULL)
    if (name[0] != '.' && g_str_has_suffix (name, ".scm"))
      g_ptr_array_add (paths, g_build_filename (folder, name, NULL));
  g_ptr_array_sort (paths, script_folders_compare_names);
  return paths;
}

/* --- Trust -------------------------------------------------------------------------------------------------------- */

static char *
script_folders_dup_trust_path (void)
{
  return g_build_filename (g_get_user_data_dir (), "lightcone", "trusted-scripts", NULL);
}

/* Reads a script of a trace, which may be anything. */
static FoldersScript *
script_folders_read (const char *path)
{
  g_autoptr (GError) error = NULL;
  FoldersScript *script;
  g_autofree char *text = NULL;
  gsize length;

  if (!g_file_test (path, G_FILE_TEST_IS_REGULAR))
    {
      script_folders_complain (path, _ ("this is no file"));
      return NULL;
    }
  if (!g_file_get_contents (path, &text, &length, &error))
    {
      lc_complain ("%s", error->message);
      return NULL;
    }
  if (length > MOST_FILE || !g_utf8_validate (text, (gssize)length, NULL))
    {
      script_folders_complain (path, _ ("this is no text in UTF-8, or too long for a script"));
      return NULL;
    }
  script = g_new0 (FoldersScript, 1);
  script->path = g_strdup (path);
  script->text = g_steal_pointer (&text);
  return script;
}

static GPtrArray *
script_folders_read_all (const char *directory)
{
  g_autofree char *folder = g_build_filename (directory, "scripts", NULL);
  g_autoptr (GPtrArray) paths = script_folders_list (folder);
  GPtrArray *scripts = g_ptr_array_new_with_free_func (script_folders_free_script);

  for (guint i = 0; i < paths->len; i++)
    {
      FoldersScript *script = script_folders_read (paths->pdata[i]);

      if (script != NULL)
        g_ptr_array_add (scripts, script);
    }
  return scripts;
}

/* The names count, too, as they tell the order. */
static char *
script_folders_dup_checksum (const GPtrArray *scripts)
{
  g_autoptr (GChecksum) checksum = g_checksum_new (G_CHECKSUM_SHA256);

  for (guint i = 0; i < scripts->len; i++)
    {
      const FoldersScript *script = scripts->pdata[i];
      g_autofree char *name = g_path_get_basename (script->path);

      g_checksum_update (checksum, (const guchar *)name, (gssize)strlen (name) + 1);
      g_checksum_update (checksum, (const guchar *)script->text, (gssize)strlen (script->text) + 1);
    }
  return g_strdup (g_checksum_get_string (checksum));
}

/* A file of trust that cannot be read trusts nobody. */
static gboolean
script_folders_is_trusted (const char *checksum)
{
  g_autofree char *path = script_folders_dup_trust_path (), *text = NULL;
  g_auto (GStrv) lines = NULL;
  g_autoptr (GError) error = NULL;

  if (!g_file_get_contents (path, &text, NULL, &error))
    {
      if (!g_error_matches (error, G_FILE_ERROR, G_FILE_ERROR_NOENT))
        lc_complain ("%s", error->message);
      return FALSE;
    }
  lines = g_strsplit (text, "\n", -1);
  return g_strv_contains ((const char *const *)lines, checksum);
}

static void
script_folders_remember (const char *checksum)
{
  g_autofree char *path = script_folders_dup_trust_path (), *folder = g_path_get_dirname (path), *before = NULL;
  g_autofree char *after = NULL;
  g_autoptr (GError) error = NULL;

  if (script_folders_is_trusted (checksum))
    return;
  g_mkdir_with_parents (folder, 0700);
  g_file_get_contents (path, &before, NULL, NULL);
  after = g_strdup_printf ("%s%s\n", before != NULL ? before : "", checksum);
  if (!g_file_set_contents_full (path, after, -1, G_FILE_SET_CONTENTS_CONSISTENT, 0600, &error))
    lc_complain (_ ("%s: the scripts are loaded, but will not be the next time"), error->message);
}

gboolean
lc_script_folders_are_untrusted (const char *directory)
{
  g_autoptr (GPtrArray) scripts = script_folders_read_all (directory);
  g_autofree char *checksum = script_folders_dup_checksum (scripts);

  return scripts->len > 0 && !script_folders_is_trusted (checksum);
}

void
lc_script_folders_tell_untrusted (const char *directory)
{
  g_autofree char *theirs = g_build_filename (directory, "scripts", NULL);

  if (lc_script_folders_are_untrusted (directory))
    script_folders_complain (theirs, _ ("the scripts in it are not loaded, as a trace may be from others "
                                        "(--trust-scripts loads them, and again as long as they stay as they are)"));
}

/* --- Loading ------------------------------------------------------------------------------------------------------ */

/* Tells of an error. FALSE: no further script is to be loaded. */
static gboolean
script_folders_take (LcScriptResult *result)
{
  if (result->end == LC_SCRIPT_STOPPED || result->end == LC_SCRIPT_EXITED)
    return FALSE;
  if (result->end == LC_SCRIPT_FAILED)
    lc_complain ("%s", result->message);
  lc_script_result_clear (result);
  *result = (LcScriptResult){.end = LC_SCRIPT_GOOD};
  return TRUE;
}

static gboolean
script_folders_load_own (LcScriptResult *result)
{
  g_autofree char *folder = g_build_filename (g_get_user_data_dir (), "lightcone", "scripts", NULL);
  g_autoptr (GPtrArray) paths = script_folders_list (folder);

  for (guint i = 0; i < paths->len; i++)
    {
      *result = lc_script_load (paths->pdata[i]);
      if (!script_folders_take (result))
        return FALSE;
    }
  return TRUE;
}

/* The first line may say which program runs the file, and the second may end that. */
static void
script_folders_hide_first_line (char *text)
{
  char *second;

  if (!g_str_has_prefix (text, "#!"))
    return;
  text[0] = text[1] = ';';
  second = strchr (text, '\n');
  if (second != NULL && second[1] == '!')
    second[1] = ';';
}

static void
script_folders_load_theirs (const char *directory, gboolean trusts, LcScriptResult *result)
{
  g_autoptr (GPtrArray) scripts = script_folders_read_all (directory);
  g_autofree char *checksum = script_folders_dup_checksum (scripts);

  if (scripts->len == 0 || (!trusts && !script_folders_is_trusted (checksum)))
    return;
  if (trusts)
    script_folders_remember (checksum);
  for (guint i = 0; i < scripts->len; i++)
    {
      FoldersScript *script = scripts->pdata[i];

      script_folders_hide_first_line (script->text);
      *result = lc_script_evaluate (script->text, script->path, FALSE);
      if (!script_folders_take (result))
        return;
    }
}

LcScriptResult
lc_script_folders_load (const char *directory, gboolean trusts)
{
  LcScriptResult result = lc_script_load_own ();

  if (result.end == LC_SCRIPT_GOOD && script_folders_load_own (&result))
    script_folders_load_theirs (directory, trusts, &result);
  return result;
}
