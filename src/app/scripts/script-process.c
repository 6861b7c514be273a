/* SPDX-License-Identifier: Apache-2.0 */
/* Runs lightcone with scripts, as processes of their own. */
#include "app/scripts/script-process.h"

#include <glib/gi18n.h>
#include <string.h>

#include "app/open/record-run.h"
#include "app/scripts/script-limits.h"
#include "lightcone/sheet.h"

enum
{
  SCRIPT_SECONDS = 120, /* after which a script that nobody has stopped is, unless the user prefers another limit */
};

gboolean
lc_script_process_is_possible (void)
{
#ifdef LC_HAVE_SCRIPT
  return TRUE;
#else
  return FALSE;
#endif
}

/* Gives the first line that lightcone has complained with, without its name. */
static char *
script_process_dup_complaint (GBytes *errors)
{
  gsize length = 0;
  const char *bytes = errors != NULL ? g_bytes_get_data (errors, &length) : NULL;
  g_autofree char *text = length > 0 ? g_utf8_make_valid (bytes, (gssize)length) : g_strdup ("");
  const char *line = g_str_has_prefix (text, "lightcone: ") ? text + strlen ("lightcone: ") : text;

  return g_strndup (line, strcspn (line, "\n"));
}

/* Runs the process to its end, in any thread. NULL with an error when it has failed, or was cancelled. */
static GBytes *
script_process_run (const char *const *arguments, GCancellable *cancellable, char **complaint, GError **error)
{
  g_autofree char *command = lc_record_find_command ();
  g_autofree char *seconds = g_strdup_printf ("--time-limit=%u", lc_script_limits_get_seconds (SCRIPT_SECONDS));
  g_autofree char *memory = g_strdup_printf ("--memory-limit=%u", lc_script_limits_get_memory ());
  g_autoptr (GPtrArray) words = g_ptr_array_new ();
  g_autoptr (GSubprocess) process = NULL;
  g_autoptr (GBytes) output = NULL, errors = NULL;

  if (command == NULL)
    {
      g_set_error (error, G_IO_ERROR, G_IO_ERROR_NOT_FOUND,
                   _ ("The program lightcone is not there: install it beside the browser."));
      return NULL;
    }
  g_ptr_array_add (words, command);
  for (gsize i = 0; arguments[i] != NULL; i++)
    g_ptr_array_add (words, (char *)arguments[i]);
  g_ptr_array_add (words, seconds);
  g_ptr_array_add (words, memory);
  g_ptr_array_add (words, NULL);
  process = g_subprocess_newv ((const char *const *)words->pdata,
                               G_SUBPROCESS_FLAGS_STDOUT_PIPE | G_SUBPROCESS_FLAGS_STDERR_PIPE, error);
  if (process == NULL)
    return NULL;
  if (!g_subprocess_communicate (process, NULL, cancellable, &output, &errors, error))
    {
      g_subprocess_force_exit (process);
      g_subprocess_wait (process, NULL, NULL);
      return NULL;
    }
  *complaint = script_process_dup_complaint (errors);
  if (g_subprocess_get_successful (process))
    return g_steal_pointer (&output);
  g_set_error (error, LC_PICTURE_ERROR, LC_PICTURE_ERROR_SHEET, "%s", *complaint);
  g_clear_pointer (complaint, g_free);
  return NULL;
}

void
lc_script_said_free (LcScriptSaid *said)
{
  g_free (said->output);
  g_free (said->complaint);
  g_free (said);
}

gpointer
lc_script_process_work (gpointer arguments, LcJobPermille *done, GCancellable *cancellable, GError **error)
{
  g_autofree char *complaint = NULL;
  g_autoptr (GBytes) output = script_process_run (arguments, cancellable, &complaint, error);
  LcScriptSaid *said;
  gsize length;
  const char *bytes;

  if (output == NULL)
    return NULL;
  said = g_new0 (LcScriptSaid, 1);
  bytes = g_bytes_get_data (output, &length);
  said->output = length > 0 ? g_utf8_make_valid (bytes, (gssize)length) : g_strdup ("");
  said->complaint = g_steal_pointer (&complaint);
  return said;
}

/* --- Views -------------------------------------------------------------------------------------------------------- */

static char *
script_process_dup_processes (const LcSheetRequest *request)
{
  GString *numbers = g_string_new (NULL);

  for (guint32 i = 0; i < request->n_processes; i++)
    g_string_append_printf (numbers, "%s%u", i > 0 ? "," : "", request->processes[i]);
  return g_string_free (numbers, FALSE);
}

/* Called by the thread that makes the picture. */
static GVariant *
script_process_make_sheet (const LcSheetRequest *request, gpointer data, GCancellable *cancellable, GError **error)
{
  g_autofree char *from = g_strdup_printf ("%" G_GUINT64_FORMAT, request->from);
  g_autofree char *to = g_strdup_printf ("%" G_GUINT64_FORMAT, request->to);
  g_autofree char *processes = script_process_dup_processes (request);
  g_autofree char *complaint = NULL;
  const char *const arguments[] = {
      "export",      request->directory, "--view", request->name, "--format", "sheet",      "--output",
      "-",           "--from",           from,     "--to",        to,         "--timeline", request->timeline,
      "--processes", processes,          NULL};
  g_autoptr (GBytes) output = script_process_run (arguments, cancellable, &complaint, error);

  /* What another process writes is not trusted to be what it should be. */
  return output != NULL ? g_variant_ref_sink (g_variant_new_from_bytes (G_VARIANT_TYPE (LC_SHEET_TYPE), output, FALSE))
                        : NULL;
}

void
lc_script_process_install (void)
{
  lc_script_limits_start ();
  lc_sheets_set_maker (script_process_make_sheet, NULL);
}
