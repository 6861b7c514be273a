/* SPDX-License-Identifier: Apache-2.0 */
/* Any values and any bytes in a file of marks; what can be read of it is changed, and then is what it was and the
 * change.
 */
#include <string.h>

#include "fuzz.h"
#include "lightcone/marks.h"
#include "maker.h"
#include "merged.h"
#include "rows.h"

enum
{
  OVERWRITES = 'w', /* the first byte of an input that writes over bytes of the file; any other changes rows */
  PLACE = 3,        /* bytes that say where */
};

static const char *const tables[] = {"mark", "annotation", "sqlite_schema"};
static char *original;
static gsize length;

static gboolean
marks_fill (LcMarks *marks, gpointer data, GError **error)
{
  const LcUserMark all[] = {{"odd", 0, FALSE, 1, 1}, {"odd", 1, TRUE, 10, 900}, {"even", 1, FALSE, 0, 0}};
  const LcAnnotation note = {0, 1, "look here"};

  for (gsize i = 0; i < G_N_ELEMENTS (all); i++)
    if (!lc_marks_add (marks, &all[i], error))
      return FALSE;
  return lc_marks_annotate (marks, &note, error);
}

static gboolean
marks_add_one (LcMarks *marks, gpointer data, GError **error)
{
  const LcUserMark mark = {"a fuzzer's", 7, TRUE, 123456789, 987654321};

  return lc_marks_add (marks, &mark, error);
}

/* --- What was read ------------------------------------------------------------------------------------------- */

static int
marks_compare (const LcUserMark *a, const LcUserMark *b)
{
  const int names = strcmp (a->name, b->name);

  if (names != 0)
    return names;
  if (a->process != b->process)
    return a->process < b->process ? -1 : 1;
  if (a->is_span != b->is_span)
    return a->is_span ? 1 : -1;
  if (a->begin != b->begin)
    return a->begin < b->begin ? -1 : 1;
  return a->end < b->end ? -1 : a->end > b->end;
}

static void
marks_check (const LcMarks *marks)
{
  for (guint i = 0; i < marks->marks->len; i++)
    {
      const LcUserMark *mark = &g_array_index (marks->marks, LcUserMark, i);

      g_assert_true (mark->name[0] != '\0' && strlen (mark->name) <= LC_MARKS_LONGEST_NAME &&
                     g_utf8_validate (mark->name, -1, NULL));
      g_assert_true (mark->begin <= mark->end && mark->process != LC_TRACE_NONE);
      g_assert_true (i == 0 || marks_compare (mark - 1, mark) < 0);
    }
  for (guint i = 0; i < marks->annotations->len; i++)
    {
      const LcAnnotation *note = &g_array_index (marks->annotations, LcAnnotation, i);

      g_assert_true (note->text[0] != '\0' && strlen (note->text) <= LC_MARKS_LONGEST_TEXT);
    }
}

/* What cannot be read is not written over. */
static void
marks_expect_refusal (const char *history)
{
  g_autofree char *path = lc_marks_dup_path (history), *before = NULL, *after = NULL;
  gsize size_before = 0, size_after = 0;

  g_assert_true (g_file_get_contents (path, &before, &size_before, NULL));
  g_assert_false (lc_marks_change (history, marks_add_one, NULL, NULL));
  g_assert_true (g_file_get_contents (path, &after, &size_after, NULL));
  g_assert_cmpmem (before, size_before, after, size_after);
}

static void
marks_ask (const char *path)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (LcMarks) marks = lc_marks_read (path, &error), after = NULL;
  guint before, known = 0;

  if (marks == NULL)
    {
      g_assert_nonnull (error);
      marks_expect_refusal (path);
      return;
    }
  marks_check (marks);
  before = marks->marks->len;
  for (guint i = 0; i < before; i++)
    known += strcmp (g_array_index (marks->marks, LcUserMark, i).name, "a fuzzer's") == 0;
  g_assert_true (lc_marks_change (path, marks_add_one, NULL, &error));
  after = lc_marks_read (path, &error);
  g_assert_no_error (error);
  marks_check (after);
  g_assert_cmpuint (after->marks->len, >=, before + (known == 0));
  g_assert_cmpuint (after->annotations->len, ==, marks->annotations->len);
}

/* --- The input ----------------------------------------------------------------------------------------------- */

static void
marks_make_original (void)
{
  g_autofree char *path = lc_marks_dup_path (merged_get_history ());

  g_assert_true (lc_marks_change (merged_get_history (), marks_fill, NULL, NULL));
  g_assert_true (g_file_get_contents (path, &original, &length, NULL));
}

static void
marks_overwrite (char *file, const uint8_t *bytes, size_t size)
{
  for (gsize at = 0; at + PLACE < size; at += PLACE + 1)
    file[(bytes[at] | (gsize)bytes[at + 1] << 8 | (gsize)bytes[at + 2] << 16) % length] = (char)bytes[at + PLACE];
}

int
LLVMFuzzerTestOneInput (const uint8_t *bytes, size_t size)
{
  g_autofree char *history = NULL, *path = NULL, *file = NULL;
  const gboolean overwrites = size > 0 && bytes[0] == OVERWRITES;
  char *directory;

  if (original == NULL)
    marks_make_original ();
  directory = maker_directory ();
  history = g_build_filename (directory, "history.lightcone", NULL);
  path = lc_marks_dup_path (history);
  file = g_memdup2 (original, length);
  if (overwrites)
    marks_overwrite (file, bytes + 1, size - 1);
  maker_write (directory, "marks.lightcone", file, length);
  maker_write (directory, "history.lightcone", "", 0);
  if (!overwrites)
    rows_change (path, tables, G_N_ELEMENTS (tables), bytes, size);
  marks_ask (history);
  maker_remove (directory);
  return 0;
}

gboolean
fuzz_seed (guint number, GByteArray *bytes)
{
  static const gint64 values[] = {0, 1, -1, G_MAXUINT32, G_MAXINT64, G_MININT64};
  static const guint8 overwriting[] = {OVERWRITES, 16, 0, 0, 9, 100, 0, 0, 0, 0, 8, 0, 255};

  if (number < G_N_ELEMENTS (values) * 5)
    rows_append_change (bytes, 0, (guint8)(number % 5), ROWS_NUMBER, &values[number / 5], sizeof values[0]);
  else if (number == G_N_ELEMENTS (values) * 5)
    rows_append_change (bytes, 1, 2, ROWS_TEXT, "\xff\xfe", 2);
  else if (number == G_N_ELEMENTS (values) * 5 + 1)
    g_byte_array_append (bytes, overwriting, sizeof overwriting);
  else
    return FALSE;
  return TRUE;
}
