/* SPDX-License-Identifier: Apache-2.0 */
/* Shared by all commands of the command line: options, errors, exit statuses. */
#include "command.h"

#include <glib/gi18n.h>
#include <string.h>

static gboolean
check_arguments (const LcCommandLine *line, int n_arguments, char **arguments, GError **error)
{
  if (n_arguments < ABS (line->n_arguments))
    g_set_error (error, G_OPTION_ERROR, G_OPTION_ERROR_BAD_VALUE, _ ("%s: %s is missing (see lightcone help %s)"),
                 line->name, _ (line->arguments), line->name);
  else if (line->n_arguments >= 0 && n_arguments - line->n_arguments > line->n_optional)
    g_set_error (error, G_OPTION_ERROR, G_OPTION_ERROR_BAD_VALUE,
                 _ ("%s: “%s” is one argument too many (see lightcone help %s)"), line->name,
                 arguments[line->n_arguments + line->n_optional], line->name);
  else
    return TRUE;
  return FALSE;
}

static const LcCommandNumber *
command_find_number (const LcCommandLine *line, const char *option)
{
  const LcCommandNumber *number = line->numbers;

  while (number->option != NULL && strcmp (number->option, option + strlen ("--")) != 0)
    number++;
  g_assert (number->option != NULL);
  return number;
}

/* FALSE: it is no such number, as NAN is not. */
static gboolean
command_read_number (const LcCommandNumber *number, const char *text)
{
  char *end;
  double real;
  gint64 large;

  if (number->real != NULL)
    {
      real = g_ascii_strtod (text, &end);
      if (end == text || *end != '\0' || !(real >= number->least && real <= MIN (number->most, G_MAXDOUBLE)))
        return FALSE;
      *number->real = real;
      return TRUE;
    }
  if (!g_ascii_string_to_signed (text, 10, G_MININT64, number->integer != NULL ? G_MAXINT : G_MAXINT64, &large, NULL) ||
      (double)large < number->least || (double)large > number->most)
    return FALSE;
  if (number->integer != NULL)
    *number->integer = (int)large;
  else
    *number->large = large;
  return TRUE;
}

/* `data` is the LcCommandLine. */
gboolean
lc_command_take_number (const char *option, const char *text, gpointer data, GError **error)
{
  const LcCommandNumber *number = command_find_number (data, option);

  if (command_read_number (number, text))
    return TRUE;
  if (number->most < LC_COMMAND_ANY)
    g_set_error (error, G_OPTION_ERROR, G_OPTION_ERROR_BAD_VALUE, _ ("%s can be from %.15g to %.15g, not “%s”"), option,
                 number->least, number->most, text);
  else
    g_set_error (error, G_OPTION_ERROR, G_OPTION_ERROR_BAD_VALUE, _ ("%s can be %.15g or more, not “%s”"), option,
                 number->least, text);
  return FALSE;
}

gboolean
lc_command_read (const LcCommandLine *line, int *argc, char ***argv, GError **error)
{
  g_autofree char *program = g_strconcat ("lightcone ", line->name, NULL);
  g_autoptr (GOptionContext) context = g_option_context_new (line->arguments);
  GOptionGroup *group = g_option_group_new (line->name, NULL, NULL, (gpointer)line, NULL);
  GError *reason = NULL;

  g_set_prgname (program); /* the usage begins with this name */
  g_option_group_set_translation_domain (group, GETTEXT_PACKAGE);
  g_option_group_add_entries (group, line->options);
  if (line->get_more != NULL)
    g_option_group_add_entries (group, line->get_more ());
  g_option_context_set_main_group (context, group);
  g_option_context_set_translation_domain (context, GETTEXT_PACKAGE);
  g_option_context_set_strict_posix (context, line->n_arguments < 0);
  if (line->description != NULL)
    g_option_context_set_description (context, line->description);
  if (!g_option_context_parse (context, argc, argv, &reason))
    {
      g_set_error (error, reason->domain, reason->code, _ ("%s: %s (see lightcone help %s)"), line->name,
                   reason->message, line->name);
      g_error_free (reason);
      return FALSE;
    }
  if (*argc > 1 && strcmp ((*argv)[1], "--") == 0)
    {
      (*argv)[1] = (*argv)[0];
      (*argv)++;
      (*argc)--;
    }
  return check_arguments (line, *argc - 1, *argv + 1, error);
}

gboolean
lc_command_parse (const LcCommandLine *line, int *argc, char ***argv)
{
  g_autoptr (GError) error = NULL;

  if (lc_command_read (line, argc, argv, &error))
    return TRUE;
  lc_complain ("%s", error->message);
  return FALSE;
}

void
lc_command_propagate (const char *command, GError *reason, GError **error)
{
  if (reason->domain != G_OPTION_ERROR)
    {
      g_propagate_error (error, reason);
      return;
    }
  g_set_error (error, reason->domain, reason->code, _ ("%s: %s"), command, reason->message);
  g_error_free (reason);
}

gboolean
lc_format_parse (const char *command, const char *name, LcFormat *format)
{
  static const char *const names[] = {"text", "csv", "json"}; /* in the order of LcFormat */

  for (guint i = 0; i < G_N_ELEMENTS (names); i++)
    if (strcmp (names[i], name) == 0)
      {
        *format = (LcFormat)i;
        return TRUE;
      }
  lc_complain (_ ("%s: “%s” is not a format (text, csv, json)"), command, name);
  return FALSE;
}

gboolean
lc_by_parse (const char *command, const char *name, const char *const *words, guint *by)
{
  g_autofree char *all = NULL;

  for (*by = 0; words[*by] != NULL; (*by)++)
    if (name == NULL || strcmp (name, words[*by]) == 0)
      return TRUE;
  all = g_strjoinv (", ", (char **)words);
  lc_complain (_ ("%s: --by can be %s, not “%s”"), command, all, name);
  return FALSE;
}
