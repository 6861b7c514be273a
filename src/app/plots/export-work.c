/* SPDX-License-Identifier: Apache-2.0 */
/* Work on files, commands and copies of a picture, done in threads. */
#include "app/plots/export-work.h"

typedef struct
{
  LcPictureRequest *request;
  char *path;
  LcFileKind kind;
  double scale;
  gboolean unsaid; /* the command cannot say everything */
} Work;

static void
free_work (gpointer data)
{
  Work *work = data;

  lc_picture_request_free (work->request);
  g_free (work->path);
  g_free (work);
}

static void
export_work_run (const LcPictureRequest *request, const char *path, LcFileKind kind, double scale,
                 GTaskThreadFunc function, GCancellable *cancellable, GAsyncReadyCallback callback, gpointer data)
{
  g_autoptr (GTask) task = g_task_new (NULL, cancellable, callback, data);
  Work *work = g_new0 (Work, 1);

  *work = (Work){lc_picture_request_copy (request), g_strdup (path), kind, scale, FALSE};
  g_task_set_task_data (task, work, free_work);
  g_task_run_in_thread (task, function);
}

/* --- Files ------------------------------------------------------------------------------------------------------- */

static void
write_file (GTask *task, gpointer source, gpointer data, GCancellable *cancellable)
{
  const Work *work = data;
  GError *error = NULL;
  g_autoptr (LcPicture) picture = lc_picture_request_make (work->request, cancellable, &error);

  if (picture != NULL && lc_picture_write (picture, work->path, work->kind, work->scale, &error))
    g_task_return_boolean (task, TRUE);
  else
    g_task_return_error (task, error);
}

void
lc_export_write_async (const LcPictureRequest *request, const char *path, LcFileKind kind, double scale,
                       GCancellable *cancellable, GAsyncReadyCallback callback, gpointer data)
{
  export_work_run (request, path, kind, scale, write_file, cancellable, callback, data);
}

gboolean
lc_export_write_finish (GAsyncResult *result, GError **error)
{
  return g_task_propagate_boolean (G_TASK (result), error);
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
export_work_join (const Work *work, char **arguments)
{
  g_autoptr (GString) text = g_string_new ("lightcone export");
  char scale[G_ASCII_DTOSTR_BUF_SIZE];

  add_quoted (text, work->request->shown->opened->directory);
  for (gsize i = 0; arguments[i] != NULL; i++)
    add_quoted (text, arguments[i]);
  if (work->scale != 1)
    g_string_append_printf (text, " --scale %s", g_ascii_dtostr (scale, sizeof scale, work->scale));
  g_string_append (text, " -o");
  add_quoted (text, work->path);
  return g_string_free (g_steal_pointer (&text), FALSE);
}

static void
say_command (GTask *task, gpointer source, gpointer data, GCancellable *cancellable)
{
  Work *work = data;
  GError *error = NULL;
  LcPictureOptions options;
  g_auto (LcPictureNumbers) numbers = {.row_ends = NULL};
  g_auto (GStrv) arguments = NULL;

  if (lc_picture_request_fill (work->request, &options, &numbers, &error))
    arguments =
        lc_picture_dup_arguments (work->request->shown->opened->history, &options, &work->unsaid, cancellable, &error);
  if (arguments != NULL)
    g_task_return_pointer (task, export_work_join (work, arguments), g_free);
  else
    g_task_return_error (task, error);
}

void
lc_export_command_async (const LcPictureRequest *request, const char *file, double scale, GCancellable *cancellable,
                         GAsyncReadyCallback callback, gpointer data)
{
  export_work_run (request, file, LC_FILE_PNG, scale, say_command, cancellable, callback, data);
}

char *
lc_export_command_finish (GAsyncResult *result, gboolean *unsaid, GError **error)
{
  *unsaid = ((const Work *)g_task_get_task_data (G_TASK (result)))->unsaid;
  return g_task_propagate_pointer (G_TASK (result), error);
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

static void
export_work_make_copy (GTask *task, gpointer source, gpointer data, GCancellable *cancellable)
{
  const Work *work = data;
  GError *error = NULL;
  g_autoptr (LcPicture) picture = lc_picture_request_make (work->request, cancellable, &error);
  g_autoptr (LcExportCopy) copy = g_new0 (LcExportCopy, 1);

  if (picture == NULL || (copy->png = lc_picture_encode (picture, LC_FILE_PNG, work->scale, &error)) == NULL ||
      (copy->svg = lc_picture_encode (picture, LC_FILE_SVG, 1, &error)) == NULL)
    {
      g_task_return_error (task, error);
      return;
    }
  copy->description = lc_picture_dup_description (picture);
  g_task_return_pointer (task, g_steal_pointer (&copy), (GDestroyNotify)lc_export_copy_free);
}

void
lc_export_copy_async (const LcPictureRequest *request, double scale, GCancellable *cancellable,
                      GAsyncReadyCallback callback, gpointer data)
{
  export_work_run (request, NULL, LC_FILE_PNG, scale, export_work_make_copy, cancellable, callback, data);
}

LcExportCopy *
lc_export_copy_finish (GAsyncResult *result, GError **error)
{
  return g_task_propagate_pointer (G_TASK (result), error);
}
