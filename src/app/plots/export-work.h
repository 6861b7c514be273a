/* SPDX-License-Identifier: Apache-2.0 */
/* Work of jobs on files, commands and copies of a picture. */
#ifndef LC_APP_EXPORT_WORK_H
#define LC_APP_EXPORT_WORK_H

#include "app/job.h"
#include "app/plots/picture-request.h"

/* The data of all work here. */
typedef struct
{
  LcPictureRequest *request;
  char *path;
  LcFileKind kind;
  double scale;
  guint n_frames;  /* parts of a picture that moves; 1: it does not */
  GObject *window; /* held until the end; or NULL */
} LcExportWork;

LcExportWork *lc_export_work_new (const LcPictureRequest *request, const char *path, LcFileKind kind, double scale);
void lc_export_work_free (gpointer work);

/* Writes the picture as lc_picture_write does. */
gpointer lc_export_write (gpointer work, LcJobPermille *done, GCancellable *cancellable, GError **error);

/* The command that makes the same file, quoted for a shell. */
typedef struct
{
  char *text;
  gboolean unsaid; /* the command cannot express all choices */
} LcExportCommand;

/* The result is an LcExportCommand. */
gpointer lc_export_say_command (gpointer work, LcJobPermille *done, GCancellable *cancellable, GError **error);
void lc_export_command_free (LcExportCommand *command);

/* The picture as PNG at some scale, as SVG, and as a sentence. */
typedef struct
{
  GBytes *png;
  GBytes *svg;
  char *description;
} LcExportCopy;

/* The result is an LcExportCopy. */
gpointer lc_export_make_copy (gpointer work, LcJobPermille *done, GCancellable *cancellable, GError **error);
void lc_export_copy_free (LcExportCopy *copy);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (LcExportCommand, lc_export_command_free)
G_DEFINE_AUTOPTR_CLEANUP_FUNC (LcExportCopy, lc_export_copy_free)

#endif
