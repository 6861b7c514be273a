/* SPDX-License-Identifier: Apache-2.0 */
/* Opens, maps, reads and lists the files of a trace. */
#include "files.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

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

  if (fd < 0 || fstat (fd, &status) < 0)
    lc_file_set_error (error, path, errno);
  else if (!S_ISREG (status.st_mode))
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
lc_file_map (const char *path, gsize limit, LcMapped *mapped, GError **error)
{
  void *bytes = NULL;
  int fd = lc_file_open (path, &mapped->file_size, error);

  mapped->bytes = NULL;
  mapped->size = 0;
  if (fd < 0)
    return FALSE;
  mapped->size = (gsize)MIN ((guint64)limit, mapped->file_size);
  if (mapped->size > 0)
    bytes = mmap (NULL, mapped->size, PROT_READ, MAP_PRIVATE, fd, 0);
  if (bytes == MAP_FAILED)
    {
      lc_file_set_error (error, path, errno);
      mapped->size = 0;
      close (fd);
      return FALSE;
    }
  mapped->bytes = bytes;
  close (fd);
  return TRUE;
}

void
lc_mapped_clear (LcMapped *mapped)
{
  if (mapped->bytes != NULL)
    munmap ((void *)mapped->bytes, mapped->size);
  mapped->bytes = NULL;
  mapped->size = 0;
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

static gboolean
parse_number (const char *text, guint32 *number)
{
  guint64 value = 0;

  if (*text == '\0' || (text[0] == '0' && text[1] != '\0'))
    return FALSE;
  for (; g_ascii_isdigit (*text); text++)
    {
      value = value * 10 + (guint64)(*text - '0');
      if (value >= G_MAXUINT32)
        return FALSE;
    }
  *number = (guint32)value;
  return *text == '\0';
}

static int
compare_numbered (gconstpointer a, gconstpointer b)
{
  const LcNumberedFile *left = a, *right = b;

  return left->number < right->number ? -1 : left->number > right->number;
}

static void
clear_numbered (gpointer data)
{
  g_free (((LcNumberedFile *)data)->name);
}

GArray *
lc_files_list_numbered (const char *directory, const char *prefix, GError **error)
{
  g_autoptr (GDir) dir = g_dir_open (directory, 0, error);
  GArray *files;
  const char *name;

  if (dir == NULL)
    return NULL;
  files = g_array_new (FALSE, FALSE, sizeof (LcNumberedFile));
  g_array_set_clear_func (files, clear_numbered);
  while ((name = g_dir_read_name (dir)) != NULL)
    {
      LcNumberedFile file;

      if (!g_str_has_prefix (name, prefix) || !parse_number (name + strlen (prefix), &file.number))
        continue;
      file.name = g_strdup (name);
      g_array_append_val (files, file);
    }
  g_array_sort (files, compare_numbered);
  return files;
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
