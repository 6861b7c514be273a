/* SPDX-License-Identifier: Apache-2.0 */
/* Says what came of a run with two events turned round: its output, its end, and where it is recorded. */
#include "flip-report.h"

#include <errno.h>
#include <fcntl.h>
#include <glib/gi18n.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "command.h"
#include "report/format.h"
#include "report/output.h"

gboolean
lc_flip_can_run_twice (void)
{
  struct stat status;

  return fstat (STDIN_FILENO, &status) != 0 || !(S_ISFIFO (status.st_mode) || S_ISSOCK (status.st_mode));
}

int
lc_flip_open_output (const char *path)
{
  int output = open (path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);

  if (output < 0)
    lc_complain ("%s: %s", path, g_strerror (errno));
  return output;
}

/* --- Output --------------------------------------------------------------------------------------------------- */

static char *
flip_dup_line (const char *text, const char *end)
{
  const char *newline = text < end ? memchr (text, '\n', (gsize)(end - text)) : NULL;
  g_autofree char *line = g_strndup (text, (gsize)((newline != NULL ? newline : end) - text));

  return lc_format_text (line);
}

static int
flip_compare_lines (gconstpointer a, gconstpointer b)
{
  return strcmp (*(char *const *)a, *(char *const *)b);
}

/* Gives the lines of a text, sorted; NULL: there are zeros in it. */
static char **
flip_sort_lines (GMappedFile *file)
{
  const gsize length = g_mapped_file_get_length (file);
  g_autofree char *text = g_strndup (length > 0 ? g_mapped_file_get_contents (file) : "", length);
  char **lines = strlen (text) == length ? g_strsplit (text, "\n", -1) : NULL;

  if (lines != NULL)
    qsort (lines, g_strv_length (lines), sizeof *lines, flip_compare_lines);
  return lines;
}

/* Whether both have the same lines, in whichever order. */
static gboolean
flip_has_same_lines (GMappedFile *recorded, GMappedFile *came)
{
  g_auto (GStrv) one = NULL, other = NULL;

  if (g_mapped_file_get_length (recorded) != g_mapped_file_get_length (came))
    return FALSE;
  one = flip_sort_lines (recorded);
  other = flip_sort_lines (came);
  return one != NULL && other != NULL && g_strv_equal ((const char *const *)one, (const char *const *)other);
}

static void
flip_tell_lines (GMappedFile *recorded, GMappedFile *came, gsize begin, guint64 line)
{
  const gsize n = g_mapped_file_get_length (recorded), m = g_mapped_file_get_length (came);
  const char *one = g_mapped_file_get_contents (recorded), *other = g_mapped_file_get_contents (came);
  g_autofree char *number = lc_format_count (line);
  g_autofree char *before = flip_dup_line (one + begin, one + n), *after = flip_dup_line (other + begin, other + m);

  g_print (_ ("the output differs from line %s on; as recorded: %s\n"), number, before);
  g_print (_ ("  turned round: %s\n"), after);
}

/* TRUE: they are the same. */
static gboolean
flip_compare_outputs (GMappedFile *recorded, GMappedFile *came, gboolean has_ranks)
{
  const gsize n = g_mapped_file_get_length (recorded), m = g_mapped_file_get_length (came);
  const char *one = g_mapped_file_get_contents (recorded), *other = g_mapped_file_get_contents (came);
  gsize same = 0, begin = 0;
  guint64 line = 1;

  for (; same < n && same < m && one[same] == other[same]; same++)
    if (one[same] == '\n')
      {
        begin = same + 1;
        line++;
      }
  if (same == n && same == m)
    {
      g_print (_ ("the output is as recorded\n"));
      return TRUE;
    }
  flip_tell_lines (recorded, came, begin, line);
  if (has_ranks && flip_has_same_lines (recorded, came))
    g_print (_ ("  but all lines are the same in another order, in which ranks may print them by chance\n"));
  return FALSE;
}

gboolean
lc_flip_show_output (const char *recorded, const char *came, gboolean has_ranks)
{
  g_autoptr (GMappedFile) new = g_mapped_file_new (came, FALSE, NULL);
  g_autoptr (GMappedFile) old = recorded != NULL ? g_mapped_file_new (recorded, FALSE, NULL) : NULL;
  g_autoptr (GBytes) bytes = NULL;

  bytes = new != NULL ? g_mapped_file_get_bytes (new) : NULL;
  if (bytes != NULL)
    lc_output_write_bytes (bytes);
  if (new != NULL && old != NULL)
    return flip_compare_outputs (old, new, has_ranks);
  g_print (_ ("the output was not compared: the program could not be run as recorded before\n"));
  return TRUE;
}

/* --- The end -------------------------------------------------------------------------------------------------- */

/* Gives "exit 3" or "signal 6", as trace.ini has it. */
static char *
flip_dup_status (int status)
{
  return WIFSIGNALED (status) ? g_strdup_printf ("signal %d", WTERMSIG (status))
                              : g_strdup_printf ("exit %d", WEXITSTATUS (status));
}

void
lc_flip_tell_difference (const char *text)
{
  g_auto (GStrv) lines = g_strsplit (text, "\n", -1);

  g_print (_ ("then it did something else than recorded, and was free:\n"));
  for (guint i = 0; lines[i] != NULL; i++)
    g_print ("  %s\n", lines[i]);
}

void
lc_flip_tell_trace (const LcReplayRecord *record)
{
  g_autofree char *path = record != NULL ? lc_format_text (record->output) : NULL;

  if (record != NULL && g_file_test (record->output, G_FILE_TEST_IS_DIR))
    g_print (_ ("the run is recorded in %s\n"), path);
}

int
lc_flip_tell_end (LcTrace *trace, const LcFlipEnd *end)
{
  g_autofree char *came = flip_dup_status (end->status);
  g_autofree char *status = g_key_file_get_string (lc_trace_get_settings (trace), "trace", "status", NULL);
  const char *then =
      end->keeps_order ? _ ("turned round, then as recorded where possible") : _ ("turned round, then free");
  const char *recorded = status != NULL ? status : "?";

  if (end->has_hung && end->has_ranks)
    g_print (_ ("%s; the program hung, for 10 s nothing happened, and it was ended; recorded: %s\n"), then, recorded);
  else if (end->has_hung)
    g_print (_ ("%s; the program hung, for 5 s nothing happened, and it was ended; recorded: %s\n"), then, recorded);
  else if (g_strcmp0 (came, status) == 0)
    {
      g_print (_ ("%s; the program ended as recorded: %s\n"), then, came);
      return end->is_same_output ? LC_EXIT_GOOD : LC_EXIT_PROBLEM;
    }
  else
    g_print (_ ("%s; the program ended otherwise: %s, recorded: %s\n"), then, came, recorded);
  return LC_EXIT_PROBLEM;
}
