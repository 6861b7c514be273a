/* SPDX-License-Identifier: Apache-2.0 */
/* Which package of the system a file came with. */
#include "package.h"

#include <string.h>
#include <unistd.h>

#include "trace/files.h"

#define LARGEST_LIST (16 << 20)
#define ENDING ".list"

/* Whether a line of a text is a path, with or without the /usr that systems have put before some. */
static gboolean
package_has_line (const char *text, const char *path)
{
  const gsize length = strlen (path);

  for (const char *found = strstr (text, path); found != NULL; found = strstr (found + 1, path))
    {
      const gsize before = (gsize)(found - text);
      const gboolean begins = before == 0 || found[-1] == '\n' ||
                              (before >= 4 && memcmp (found - 4, "/usr", 4) == 0 && (before == 4 || found[-5] == '\n'));

      if (begins && (found[length] == '\n' || found[length] == '\0'))
        return TRUE;
    }
  return FALSE;
}

static gboolean
package_has_file (const char *folder, const char *list, const char *path)
{
  g_autofree char *whole = g_build_filename (folder, list, NULL), *text = NULL;
  guint64 size = 0;
  gsize length = 0;
  int fd = lc_file_open (whole, &size, NULL);
  gboolean found =
      fd >= 0 && lc_file_read_all (fd, whole, LARGEST_LIST, &text, &length, NULL) && package_has_line (text, path);

  if (fd >= 0)
    close (fd);
  return found;
}

/* A list is called "libc6:amd64.list" where a package may be there for several kinds of machines. */
char *
lc_dup_package (const char *path, const char *folder)
{
  GDir *lists = g_dir_open (folder, 0, NULL);
  const char *plain = g_str_has_prefix (path, "/usr/") ? path + strlen ("/usr") : path, *list;
  char *package = NULL;

  while (lists != NULL && package == NULL && (list = g_dir_read_name (lists)) != NULL)
    if (g_str_has_suffix (list, ENDING) && package_has_file (folder, list, plain))
      package = g_strndup (list, MIN (strcspn (list, ":"), strlen (list) - strlen (ENDING)));
  g_clear_pointer (&lists, g_dir_close);
  return package;
}
