/* SPDX-License-Identifier: Apache-2.0 */
/* A few lines of a source file, around the one that a site is in. */
#include "app/inspect/source-lines.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum
{
  AROUND = 3,           /* lines before the one of the site, and after it */
  MOST_BYTES = 4 << 20, /* of a file of source code that people have written */
  MOST_OF_LINE = 200,   /* bytes that are shown */
  TAB = 4,
  MOST_FOLDERS = 16, /* around the one that a module is in */
};

/* --- Files ------------------------------------------------------------------------------------------------------- */

static gboolean
source_lines_read_all (int file, char *bytes, gsize size, gsize *length)
{
  gssize n = 1;

  for (*length = 0; *length < size && n > 0; *length += (gsize)MAX (n, 0))
    while ((n = read (file, bytes + *length, size - *length)) < 0 && errno == EINTR)
      ;
  return n >= 0;
}

/* Reads a regular file that is not too large: devices and pipes are not even opened. */
static char *
source_lines_load (const char *path)
{
  g_autofree char *bytes = NULL;
  struct stat found;
  gboolean good;
  gsize length;
  int file;

  if (stat (path, &found) != 0 || !S_ISREG (found.st_mode))
    return NULL;
  file = open (path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
  if (file < 0)
    return NULL;
  good = fstat (file, &found) == 0 && S_ISREG (found.st_mode) && found.st_size <= MOST_BYTES;
  if (good)
    {
      bytes = g_malloc ((gsize)found.st_size + 1);
      good = source_lines_read_all (file, bytes, (gsize)found.st_size, &length);
      bytes[good ? length : 0] = '\0';
    }
  close (file);
  return good ? g_steal_pointer (&bytes) : NULL;
}

/* Tries one place for the file; the trace says nothing but names, so all of these may be missing. */
static char *
source_lines_try (const char *folder, const char *name, char **path)
{
  g_autofree char *joined = g_path_is_absolute (name) ? g_strdup (name) : g_build_filename (folder, name, NULL);

  g_free (*path);
  *path = g_canonicalize_filename (joined, NULL);
  return source_lines_load (*path);
}

/* Compilers are started in a folder around the one that the module is put in: it is looked for from the inside out. */
static char *
source_lines_climb (const char *module, const char *name, char **path)
{
  g_autofree char *folder = g_path_get_dirname (module);
  char *text = source_lines_try (folder, name, path);

  for (guint i = 0; i < MOST_FOLDERS && text == NULL && g_path_skip_root (folder) != NULL; i++)
    {
      char *outer = g_path_get_dirname (folder);

      g_free (folder);
      folder = outer;
      if (*g_path_skip_root (folder) == '\0')
        break;
      text = source_lines_try (folder, name, path);
    }
  return text;
}

static char *
source_lines_find (const LcHistorySite *site, const char *trace_directory, char **path)
{
  g_autofree char *beside = site->module != NULL ? g_path_get_dirname (site->module) : NULL;
  g_autofree char *name = g_path_get_basename (site->file);
  char *text = NULL;

  if (g_path_is_absolute (site->file))
    text = source_lines_try (NULL, site->file, path);
  else if (site->module != NULL && g_path_is_absolute (site->module))
    text = source_lines_climb (site->module, site->file, path);
  if (text == NULL && !g_path_is_absolute (site->file))
    text = source_lines_try (trace_directory, site->file, path);
  if (text == NULL && beside != NULL)
    text = source_lines_try (beside, name, path);
  return text != NULL ? text : source_lines_try (trace_directory, name, path);
}

/* --- Lines ------------------------------------------------------------------------------------------------------- */

/* Copies a line with blanks for tabs. */
static char *
source_lines_copy (const char *begin, gsize length)
{
  g_autofree char *valid = g_utf8_make_valid (begin, (gssize)MIN (length, MOST_OF_LINE));
  GString *line = g_string_new (NULL);

  for (const char *at = valid; *at != '\0'; at++)
    if (*at != '\t')
      g_string_append_c (line, *at);
    else
      do
        g_string_append_c (line, ' ');
      while (line->len % TAB != 0);
  g_strchomp (line->str);
  return g_string_free (line, FALSE);
}

static void
source_lines_unindent (GPtrArray *lines)
{
  gsize least = G_MAXSIZE;

  for (guint i = 0; i < lines->len; i++)
    if (*(const char *)lines->pdata[i] != '\0')
      least = MIN (least, strspn (lines->pdata[i], " "));
  for (guint i = 0; i < lines->len; i++)
    if (*(const char *)lines->pdata[i] != '\0')
      memmove (lines->pdata[i], (char *)lines->pdata[i] + least, strlen (lines->pdata[i]) - least + 1);
}

static void
source_lines_cut (LcSourceLines *source, const char *text)
{
  guint32 number = 1;

  source->first = source->line > AROUND ? source->line - AROUND : 1;
  for (const char *at = text; at != NULL && *at != '\0' && number <= source->line + AROUND; number++)
    {
      const char *end = strchr (at, '\n');
      gsize length = end != NULL ? (gsize)(end - at) : strlen (at);

      if (number >= source->first)
        g_ptr_array_add (source->lines, source_lines_copy (at, length));
      at = end != NULL ? end + 1 : NULL;
    }
  source_lines_unindent (source->lines);
}

LcSourceLines *
lc_source_lines_read (const LcHistorySite *site, const char *trace_directory)
{
  g_autoptr (LcSourceLines) source = g_new0 (LcSourceLines, 1);
  g_autofree char *text = NULL;

  source->lines = g_ptr_array_new_with_free_func (g_free);
  if (site->file == NULL || site->line == 0 || site->line > G_MAXINT32)
    return NULL;
  text = source_lines_find (site, trace_directory, &source->path);
  if (text == NULL)
    return NULL;
  source->line = site->line;
  source_lines_cut (source, text);
  return source->first + source->lines->len > source->line ? g_steal_pointer (&source) : NULL;
}

void
lc_source_lines_free (LcSourceLines *source)
{
  if (source == NULL)
    return;
  g_free (source->path);
  g_ptr_array_unref (source->lines);
  g_free (source);
}
