/* SPDX-License-Identifier: Apache-2.0 */
/* Rules that scripts define: files of rules, which every merge reads as it reads any other. */
#include "lightcone/rules.h"

#include <glib/gi18n.h>
#include <string.h>

#include "lightcone/merge.h"
#include "script-private.h"
#include "trace/folder.h"

/* The first line of a file, by which one that a user has written is told apart. */
#define RULES_HEAD "# Written by define-rules of "

enum
{
  RULES_MOST = 1 << 20, /* bytes of a file of rules */
};

/* Where rules are kept: those of the user's own scripts for all traces, any others for the trace. */
static char *
rules_dup_folder (const char *source)
{
  g_autofree char *scripts = g_build_filename (g_get_user_data_dir (), "lightcone", "scripts", NULL);
  g_autofree char *folder = g_path_get_dirname (source);

  return g_str_equal (folder, scripts) ? lc_merge_dup_user_rules ()
                                       : lc_merge_dup_trace_rules (lc_script.current->directory);
}

static gboolean
rules_check_name (const char *name, GError **error)
{
  const char *letter = name;

  while (g_ascii_isalnum (*letter) || (letter > name && strchr ("-_.", *letter) != NULL && *letter != '\0'))
    letter++;
  if (*letter == '\0' && letter > name && letter - name <= 100)
    return TRUE;
  g_set_error (error, LC_RULES_ERROR, LC_RULES_ERROR_GROUP,
               _ ("%s: rules have a name of letters, digits, - and _, as a file is named after it"), name);
  return FALSE;
}

/* Reads the file that the rules are kept in; `text` is NULL if there is none. Only define-rules may change its own. */
static gboolean
rules_read (const LcRulesFile *file, char **text, GError **error)
{
  g_autofree char *path = g_build_filename (file->folder, file->name, NULL);
  g_autoptr (GError) problem = NULL;
  g_autoptr (LcFolder) folder = lc_folder_open (file->folder, &problem);
  gsize length;

  *text = NULL;
  if (folder != NULL)
    lc_folder_read (folder, file->name, RULES_MOST, text, &length, &problem);
  if (*text != NULL && !g_str_has_prefix (*text, RULES_HEAD))
    {
      g_set_error (
          error, LC_RULES_ERROR, LC_RULES_ERROR_GROUP,
          _ ("%s: define-rules has not written this file, and leaves it as it is (give the rules another name)"), path);
      return FALSE;
    }
  if (*text != NULL || g_error_matches (problem, G_FILE_ERROR, G_FILE_ERROR_NOENT))
    return TRUE;
  g_propagate_error (error, g_steal_pointer (&problem));
  return FALSE;
}

static LcFolder *
rules_provide_folder (const char *path, GError **error)
{
  g_autofree char *parent = g_path_get_dirname (path), *name = g_path_get_basename (path);
  g_autoptr (LcFolder) outer = NULL;

  /* The user's folder of data may be missing; a trace's cannot. What else is wrong, opening it tells. */
  (void)g_mkdir_with_parents (parent, 0700);
  outer = lc_folder_open (parent, error);
  if (outer == NULL || (!lc_folder_has_folder (outer, name) && !lc_folder_make (outer, name, error)))
    return NULL;
  return lc_folder_open_inner (outer, name, error);
}

/* Gives the file the text (NULL: removes it) if the rules are good with that. */
static gboolean
rules_change (const LcRulesFile *file, GError **error)
{
  g_autoptr (LcFolder) folder = NULL;
  g_autofree char *before = NULL;

  if (!rules_read (file, &before, error))
    return FALSE;
  if (g_strcmp0 (before, file->text) == 0)
    return TRUE;
  if (!lc_merge_check_rules (lc_script.current->directory, lc_script.rules, file, error))
    return FALSE;
  folder = rules_provide_folder (file->folder, error);
  if (folder == NULL)
    return FALSE;
  if (file->text != NULL ? !lc_folder_write (folder, file->name, file->text, strlen (file->text), error)
                         : !lc_folder_remove (folder, file->name, error))
    return FALSE;
  for (guint i = 0; i < lc_script.histories->len; i++)
    ((LcScriptHistory *)lc_script.histories->pdata[i])->is_old = TRUE;
  lc_script.has_new_rules = TRUE;
  lc_script_console_tell ("rules");
  return TRUE;
}

static char *
rules_dup_text (SCM scheme)
{
  char *text = scm_to_utf8_string (scheme), *copy = g_strdup (text);

  free (text);
  return copy;
}

static gboolean
rules_define_text (const char *name, const char *source, const char *text, GError **error)
{
  g_autofree char *folder = rules_dup_folder (source), *shown = g_path_get_basename (source);
  g_autofree char *file_name = g_strconcat (name, ".rules", NULL);
  g_autofree char *whole = g_strdup_printf (RULES_HEAD "%s, which changes it again.\n%s", shown, text);
  const LcRulesFile file = {folder, file_name, whole};

  return rules_check_name (name, error) && rules_change (&file, error);
}

/* `source` is the file of the form. */
static SCM
rules_define (SCM name, SCM source, SCM text)
{
  char *words[] = {rules_dup_text (name), rules_dup_text (source), rules_dup_text (text)};
  GError *error = NULL;

  rules_define_text (words[0], words[1], words[2], &error);
  for (gsize i = 0; i < G_N_ELEMENTS (words); i++)
    g_free (words[i]);
  if (error != NULL)
    lc_script_throw (error);
  return SCM_UNSPECIFIED;
}

static gboolean
rules_forget_name (const char *name, GError **error)
{
  g_autofree char *file_name = g_strconcat (name, ".rules", NULL);
  g_autofree char *own = lc_merge_dup_trace_rules (lc_script.current->directory), *users = lc_merge_dup_user_rules ();
  const char *const folders[] = {own, users};

  if (!rules_check_name (name, error))
    return FALSE;
  for (gsize i = 0; i < G_N_ELEMENTS (folders); i++)
    {
      const LcRulesFile file = {folders[i], file_name, NULL};
      g_autofree char *text = NULL;

      if (!rules_read (&file, &text, error))
        return FALSE;
      if (text != NULL)
        return rules_change (&file, error);
    }
  g_set_error (error, LC_RULES_ERROR, LC_RULES_ERROR_UNKNOWN, _ ("%s: define-rules has not defined such rules"), name);
  return FALSE;
}

static SCM
rules_forget (SCM name)
{
  char *text = rules_dup_text (name);
  GError *error = NULL;

  rules_forget_name (text, &error);
  g_free (text);
  if (error != NULL)
    lc_script_throw (error);
  return SCM_UNSPECIFIED;
}

gboolean
lc_script_has_new_rules (void)
{
  return lc_script.has_new_rules;
}

void
lc_script_init_rules (void)
{
  static const LcScriptProcedure procedures[] = {
      {"%define-rules!", 3, 0, (scm_t_subr)rules_define},
      {"%forget-rules!", 1, 0, (scm_t_subr)rules_forget},
  };

  lc_script_define (procedures, G_N_ELEMENTS (procedures));
}
