/* SPDX-License-Identifier: Apache-2.0 */
/* Work of jobs on files, commands and copies of a picture. */
#include "app/plots/export-work.h"

LcExportWork *
lc_export_work_new (const LcPictureRequest *request, const char *path, LcFileKind kind, double scale)
{
  LcExportWork *work = g_new0 (LcExportWork, 1);

  *work = (LcExportWork){lc_picture_request_copy (request), g_strdup (path), kind, scale, 1, NULL};
  return work;
}

void
lc_export_work_free (gpointer data)
{
  LcExportWork *work = data;

  lc_picture_request_free (work->request);
  g_free (work->path);
  g_clear_object (&work->window);
  g_free (work);
}

gpointer
lc_export_write (gpointer data, LcJobPermille *done, GCancellable *cancellable, GError **error)
{
  const LcExportWork *work = data;
  g_autoptr (LcPicture) picture = lc_picture_request_make (work->request, cancellable, error);
  const LcPictureFrames frames = {work->n_frames, LC_USUAL_RATE};
  g_autoptr (GBytes) bytes = NULL;

  if (picture == NULL)
    return NULL;
  if (work->n_frames == 1)
    return GINT_TO_POINTER (lc_picture_write (picture, work->path, work->kind, work->scale, error));
  bytes = lc_picture_encode_frames (picture, &frames, work->kind, work->scale, cancellable, error);
  return GINT_TO_POINTER (bytes != NULL && lc_picture_write_bytes (bytes, work->path, error));
}

/* --- Commands ---------------------------------------------------------------------------------------------------- */

static void
add_quoted (GString *text, const char *word)
{
  g_autofree char *quoted = g_shell_quote (word);
  gboolean plain = word[0] != '\0';

  for (const char *c = word; *c != '\0' && plain; c++)
    plain = g_ascii_isalnum (*c) || strchr ("-_./:,=+%@", *c) != NULL;
  g_string_append_printf (text, "%s%s", text->len > 0 ? " " : "", plain ? word : quoted);
}

static char *
export_work_join (const LcExportWork *work, char **arguments)
{
  g_autoptr (GString) text = g_string_new ("lightcone export");
  char scale[G_ASCII_DTOSTR_BUF_SIZE];

  add_quoted (text, work->request->shown->opened->directory);
  for (gsize i = 0; arguments[i] != NULL; i++)
    add_quoted (text, arguments[i]);
  if (work->n_frames != 1)
    g_string_append_printf (text, " --frames %u", work->n_frames);
  if (work->scale != 1)
    g_string_append_printf (text, " --scale %s", g_ascii_dtostr (scale, sizeof scale, work->scale));
  g_string_append (text, " -o");
  add_quoted (text, work->path);
  return g_string_free (g_steal_pointer (&text), FALSE);
}

void
lc_export_command_free (LcExportCommand *command)
{
  g_free (command->text);
  g_free (command);
}

gpointer
lc_export_say_command (gpointer data, LcJobPermille *done, GCancellable *cancellable, GError **error)
{
  const LcExportWork *work = data;
  LcPictureOptions options;
  g_auto (LcPictureNumbers) numbers = {.row_ends = NULL};
  g_auto (GStrv) arguments = NULL;
  gboolean unsaid = FALSE;
  LcExportCommand *command;

  if (lc_picture_request_fill (work->request, &options, &numbers, error))
    arguments = lc_picture_dup_arguments (work->request->shown->opened->history, &options, &unsaid, cancellable, error);
  if (arguments == NULL)
    return NULL;
  command = g_new0 (LcExportCommand, 1);
  *command = (LcExportCommand){export_work_join (work, arguments), unsaid};
  return command;
}

/* --- Copies ------------------------------------------------------------------------------------------------------ */

void
lc_export_copy_free (LcExportCopy *copy)
{
  if (copy == NULL)
    return;
  g_clear_pointer (&copy->png, g_bytes_unref);
  g_clear_pointer (&copy->svg, g_bytes_unref);
  g_free (copy->description);
  g_free (copy);
}

gpointer
lc_export_make_copy (gpointer data, LcJobPermille *done, GCancellable *cancellable, GError **error)
{
  const LcExportWork *work = data;
  g_autoptr (LcPicture) picture = lc_picture_request_make (work->request, cancellable, error);
  g_autoptr (LcExportCopy) copy = g_new0 (LcExportCopy, 1);

  if (picture == NULL || (copy->png = lc_picture_encode (picture, LC_FILE_PNG, work->scale, error)) == NULL ||
      (copy->svg = lc_picture_encode (picture, LC_FILE_SVG, 1, error)) == NULL)
    return NULL;
  copy->description = lc_picture_dup_description (picture);
  return g_steal_pointer (&copy);
}
