/* SPDX-License-Identifier: Apache-2.0 */
/* Work on files, commands and copies of a picture, done in threads. */
#ifndef LC_APP_EXPORT_WORK_H
#define LC_APP_EXPORT_WORK_H

#include "app/plots/picture-request.h"

/* Writes the picture as lc_picture_write does. All functions here hold what they need of the request. */
void lc_export_write_async (const LcPictureRequest *request, const char *path, LcFileKind kind, double scale,
                            GCancellable *cancellable, GAsyncReadyCallback callback, gpointer data);
gboolean lc_export_write_finish (GAsyncResult *result, GError **error);

/* Finds the command that makes the same file, quoted for a shell. `*unsaid`: the command cannot express all choices.
 * Free with g_free. */
void lc_export_command_async (const LcPictureRequest *request, const char *file, double scale,
                              GCancellable *cancellable, GAsyncReadyCallback callback, gpointer data);
char *lc_export_command_finish (GAsyncResult *result, gboolean *unsaid, GError **error);

/* The picture as PNG at some scale, as SVG, and as a sentence. */
typedef struct
{
  GBytes *png;
  GBytes *svg;
  char *description;
} LcExportCopy;

void lc_export_copy_async (const LcPictureRequest *request, double scale, GCancellable *cancellable,
                           GAsyncReadyCallback callback, gpointer data);
LcExportCopy *lc_export_copy_finish (GAsyncResult *result, GError **error);
void lc_export_copy_free (LcExportCopy *copy);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (LcExportCopy, lc_export_copy_free)

#endif
