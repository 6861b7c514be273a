/* SPDX-License-Identifier: Apache-2.0 */
/* Opens and reads files that other programs have written. */
#include "files.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "lightcone/trace.h"

void
lc_file_set_error (GError **error, const char *path, int code)
{
  g_set_error (error, G_FILE_ERROR, g_file_error_from_errno (code), "%s: %s", path, g_strerror (code));
}

int
lc_file_open (const char *path, guint64 *size, GError **error)
{
  struct stat status;
  int fd = open (path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);

  /* Opening a socket, or a device that nothing serves, fails with these codes. */
  if ((fd < 0 && errno != ENXIO && errno != ENODEV) || (fd >= 0 && fstat (fd, &status) < 0))
    lc_file_set_error (error, path, errno);
  else if (fd < 0 || !S_ISREG (status.st_mode))
    g_set_error (error, G_FILE_ERROR, G_FILE_ERROR_INVAL, "%s: not a regular file", path);
  else
    {
      *size = (guint64)status.st_size;
      return fd;
    }
  if (fd >= 0)
    close (fd);
  return -1;
}

gboolean
lc_file_read_all (int fd, const char *path, gsize limit, char **text, gsize *length, GError **error)
{
  struct stat status;
  gssize size;

  *text = NULL;
  *length = 0;
  if (fstat (fd, &status) != 0)
    {
      lc_file_set_error (error, path, errno);
      return FALSE;
    }
  if ((guint64)status.st_size > limit)
    {
      g_set_error (error, G_FILE_ERROR, G_FILE_ERROR_FAILED,
                   "%s: has %" G_GUINT64_FORMAT " bytes, where %" G_GSIZE_FORMAT
                   " are the most that make sense: it is not read (remove it, or make it shorter)",
                   path, (guint64)status.st_size, limit);
      return FALSE;
    }
  *text = g_malloc ((gsize)status.st_size + 1);
  size = lc_file_read (fd, *text, (gsize)status.st_size, 0);
  if (size < 0)
    {
      lc_file_set_error (error, path, errno);
      g_clear_pointer (text, g_free);
      return FALSE;
    }
  (*text)[size] = '\0';
  *length = (gsize)size;
  return TRUE;
}

gboolean
lc_trace_read_file (const char *path, gsize limit, char **text, gsize *length, GError **error)
{
  guint64 size;
  int fd = lc_file_open (path, &size, error);
  gboolean good;

  *text = NULL;
  *length = 0;
  if (fd < 0)
    return FALSE;
  good = lc_file_read_all (fd, path, limit, text, length, error);
  close (fd);
  return good;
}

gssize
lc_file_read (int fd, void *bytes, gsize size, guint64 offset)
{
  gsize done = 0;

  while (done < size)
    {
      ssize_t n = pread (fd, (guint8 *)bytes + done, size - done, (off_t)(offset + done));

      if (n < 0 && errno == EINTR)
        continue;
      if (n < 0)
        return -1;
      if (n == 0)
        break;
      done += (gsize)n;
    }
  return (gssize)done;
}

int
lc_files_compare_names (gconstpointer a, gconstpointer b)
{
  const char *left = *(const char *const *)a, *right = *(const char *const *)b;
  const char *l = left, *r = right;

  while (*l != '\0' && *r != '\0')
    {
      gsize l_digits, r_digits;

      if (!g_ascii_isdigit (*l) || !g_ascii_isdigit (*r))
        {
          if (*l != *r)
            return (guchar)*l < (guchar)*r ? -1 : 1;
          l++;
          r++;
          continue;
        }
      l += strspn (l, "0");
      r += strspn (r, "0");
      l_digits = strspn (l, "0123456789");
      r_digits = strspn (r, "0123456789");
      if (l_digits != r_digits)
        return l_digits < r_digits ? -1 : 1;
      if (memcmp (l, r, l_digits) != 0)
        return memcmp (l, r, l_digits);
      l += l_digits;
      r += r_digits;
    }
  if (*l != *r)
    return *l == '\0' ? -1 : 1;
  return strcmp (left, right);
}
