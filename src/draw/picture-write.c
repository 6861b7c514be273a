/* SPDX-License-Identifier: Apache-2.0 */
/* A picture on the disk. */
#include <errno.h>
#include <fcntl.h>
#include <glib/gi18n-lib.h>
#include <glib/gstdio.h>
#include <sys/stat.h>
#include <unistd.h>

#include "picture-private.h"

static const struct
{
  const char *ending;
  LcFileKind kind;
} endings[] = {{".png", LC_FILE_PNG}, {".svg", LC_FILE_SVG}, {".pdf", LC_FILE_PDF}};

char *
lc_file_kind_dup_endings (void)
{
  GString *names = g_string_new (NULL);

  for (gsize i = 0; i < G_N_ELEMENTS (endings); i++)
    g_string_append_printf (names, "%s%s", i > 0 ? ", " : "", endings[i].ending);
  return g_string_free (names, FALSE);
}

gboolean
lc_file_kind_parse (const char *path, LcFileKind *kind, GError **error)
{
  g_autofree char *lower = g_ascii_strdown (path, -1), *names = NULL;

  for (gsize i = 0; i < G_N_ELEMENTS (endings); i++)
    if (g_str_has_suffix (lower, endings[i].ending))
      {
        *kind = endings[i].kind;
        return TRUE;
      }
  names = lc_file_kind_dup_endings ();
  g_set_error (error, LC_PICTURE_ERROR, LC_PICTURE_ERROR_FILE,
               _ ("%s: no kind of file that can be written; the name has to end with one of %s"), path, names);
  return FALSE;
}

/* --- On the disk ---------------------------------------------------------------------------------------------------
 */

static gboolean
fail_file (const char *path, GError **error)
{
  int code = errno;

  g_set_error (error, G_FILE_ERROR, g_file_error_from_errno (code), "%s: %s", path, g_strerror (code));
  return FALSE;
}

static gboolean
picture_write_all (int file, GBytes *bytes)
{
  gsize length;
  const char *at = g_bytes_get_data (bytes, &length), *end = at + length;

  while (at < end)
    {
      gssize written = write (file, at, (gsize)(end - at));

      if (written < 0 && errno == EINTR)
        continue;
      if (written < 0)
        return FALSE;
      at += written;
    }
  return TRUE;
}

/* Writes into something that is no regular file: a device or a pipe. */
static gboolean
write_into (const char *path, GBytes *bytes, GError **error)
{
  int file = g_open (path, O_WRONLY | O_CLOEXEC | O_NOCTTY, 0);
  gboolean written;

  if (file < 0)
    return fail_file (path, error);
  written = picture_write_all (file, bytes);
  if (!written)
    fail_file (path, error);
  if (close (file) != 0 && written)
    return fail_file (path, error);
  return written;
}

/* Writes another file and renames it to `path`, so that the old one is never half overwritten. `mode` is the old
 * file's, or 0. */
static gboolean
write_aside (const char *path, mode_t mode, GBytes *bytes, GError **error)
{
  g_autofree char *aside = g_strconcat (path, ".XXXXXX", NULL);
  int file = g_mkstemp_full (aside, O_WRONLY | O_CLOEXEC, 0666);
  gboolean written;

  if (file < 0)
    return fail_file (path, error);
  written = picture_write_all (file, bytes) && (mode == 0 || fchmod (file, mode) == 0);
  if (!written)
    fail_file (path, error);
  if (close (file) != 0 && written)
    written = fail_file (path, error);
  if (written && g_rename (aside, path) != 0)
    written = fail_file (path, error);
  if (!written)
    g_unlink (aside);
  return written;
}

gboolean
lc_picture_write_bytes (GBytes *bytes, const char *path, GError **error)
{
  g_autofree char *real = NULL;
  struct stat status;

  if (stat (path, &status) != 0)
    return write_aside (path, 0, bytes, error);
  if (!S_ISREG (status.st_mode))
    return write_into (path, bytes, error);
  /* A symbolic link stays one: the file that it points to is replaced. */
  real = realpath (path, NULL);
  return write_aside (real != NULL ? real : path, status.st_mode & 07777, bytes, error);
}

gboolean
lc_picture_write (LcPicture *picture, const char *path, LcFileKind kind, double scale, GError **error)
{
  g_autoptr (GBytes) bytes = lc_picture_encode (picture, kind, scale, error);

  if (bytes != NULL)
    return lc_picture_write_bytes (bytes, path, error);
  g_prefix_error (error, "%s: ", path);
  return FALSE;
}
