/* SPDX-License-Identifier: Apache-2.0 */
/* Reads text files line by line, in bounded memory. */
#include "lines.h"

#include <string.h>
#include <unistd.h>

gboolean
lc_lines_open (LcLines *lines, LcFolder *folder, const char *name, gsize piece, LcProblems *problems, const char *file,
               GError **error)
{
  int fd;

  *lines = (LcLines){.problems = problems, .file = file, .piece = piece};
  fd = lc_folder_open_file (folder, name, &lines->file_size, error);
  if (fd < 0)
    return FALSE;
  close (fd);
  lines->folder = lc_folder_ref (folder);
  lines->name = g_strdup (name);
  lines->bytes = g_byte_array_new ();
  return TRUE;
}

void
lc_lines_clear (LcLines *lines)
{
  g_clear_pointer (&lines->folder, lc_folder_unref);
  g_clear_pointer (&lines->name, g_free);
  g_clear_pointer (&lines->bytes, g_byte_array_unref);
}

/* FALSE: no more bytes. A file that was truncated meanwhile ends at its new end. */
static gboolean
lines_read_piece (LcLines *lines)
{
  gsize size = (gsize)MIN (lines->piece, lines->file_size - lines->read), before;
  g_autoptr (GError) error = NULL;
  guint64 now;
  gssize got;
  int fd;

  if (size == 0)
    return FALSE;
  fd = lc_folder_open_file (lines->folder, lines->name, &now, &error);
  if (fd < 0)
    {
      lc_problems_count (lines->problems, LC_PROBLEM_FILE_UNREADABLE, lines->file, 0, "%s", error->message);
      lines->file_size = lines->read;
      return FALSE;
    }
  g_byte_array_remove_range (lines->bytes, 0, (guint)lines->next);
  lines->scanned -= lines->next;
  lines->next = 0;
  before = lines->bytes->len;
  g_byte_array_set_size (lines->bytes, (guint)(before + size));
  got = lc_file_read (fd, lines->bytes->data + before, size, lines->read);
  close (fd);
  g_byte_array_set_size (lines->bytes, (guint)(before + (gsize)MAX (got, 0)));
  lines->read += (guint64)MAX (got, 0);
  if (got < (gssize)size)
    lines->file_size = lines->read;
  return got > 0;
}

/* Finds the end of the line at `next`; NULL: it is not in `bytes` yet. */
static const char *
lines_find_end (LcLines *lines)
{
  gsize left = lines->bytes->len - lines->scanned;
  const char *end = left > 0 ? memchr (lines->bytes->data + lines->scanned, '\n', left) : NULL;

  if (end == NULL)
    lines->scanned = lines->bytes->len;
  return end;
}

static void
lines_stop (LcLines *lines)
{
  lc_problems_count (lines->problems, LC_PROBLEM_LONG_LINE, lines->file, lines->number + 1, NULL);
  lines->position = lines->file_size;
  lines->file_size = lines->read;
  lines->next = lines->scanned = lines->bytes->len;
}

gboolean
lc_lines_next (LcLines *lines, const char **line, gsize *length)
{
  const char *end;
  gboolean more = TRUE;

  if (lines->folder == NULL)
    return FALSE;
  while ((end = lines_find_end (lines)) == NULL && lines->bytes->len - lines->next <= LC_LONGEST_LINE && more)
    more = lines_read_piece (lines);
  if (lines->next == lines->bytes->len)
    return FALSE;
  if (end == NULL)
    end = (const char *)lines->bytes->data + lines->bytes->len;
  *line = (const char *)lines->bytes->data + lines->next;
  *length = (gsize)(end - *line);
  if (*length > LC_LONGEST_LINE)
    {
      lines_stop (lines);
      return FALSE;
    }
  lines->next = lines->scanned = MIN (lines->next + *length + 1, lines->bytes->len);
  lines->position = lines->read - (lines->bytes->len - lines->next);
  lines->number++;
  return TRUE;
}
