/* SPDX-License-Identifier: Apache-2.0 */
/* Merges a small trace of two processes, which lock, meet, tag, wait for and send to each other. */
#include "merged.h"

#include <stdlib.h>

#include "lightcone/merge.h"
#include "maker.h"

enum
{
  ROUNDS = 40,
};

static char *directory, *history;

static void
merged_remove (void)
{
  maker_remove (directory);
  g_free (history);
}

static void
merged_write_trace (void)
{
  g_autoptr (GString) first = g_string_new ("%lightcone-events 1\n"), second = g_string_new ("%lightcone-events 1\n");

  for (guint i = 0; i < ROUNDS; i++)
    {
      guint at = 100 * i;

      g_string_append_printf (first,
                              "%u %u tag value=%u\n%u %u lock A %u\n%u %u unlock A %u\n%u %u send c %u bytes=64 to=1\n"
                              "%u %u barrier B %u value=2\n",
                              at, at, i, at + 1, at + 5, 2 * i + 1, at + 8, at + 8, 2 * i + 1, at + 10, at + 12, i,
                              at + 20, at + 60, i);
      g_string_append_printf (
          second, "%u %u lock A %u\n%u %u unlock A %u\n%u %u recv c %u from=0\n%u %u barrier B %u value=2\n", at + 2,
          at + 9, 2 * i + 2, at + 11, at + 11, 2 * i + 2, at + 14, at + 16, i, at + 30, at + 60, i);
    }
  maker_write_text (directory, "0.events", first->str);
  maker_write_text (directory, "1.events", second->str);
}

const char *
merged_get_directory (void)
{
  g_autoptr (GError) error = NULL;

  if (directory != NULL)
    return directory;
  directory = maker_directory ();
  history = g_build_filename (directory, "history.lightcone", NULL);
  atexit (merged_remove);
  merged_write_trace ();
  g_assert_true (lc_merge (directory, NULL, NULL, &error));
  g_assert_no_error (error);
  return directory;
}

const char *
merged_get_history (void)
{
  merged_get_directory ();
  return history;
}
