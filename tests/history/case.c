/* SPDX-License-Identifier: Apache-2.0 */
/* Makes a folder with a random trace, merges it, and takes it all away again. */
#include "case.h"

#include <glib/gstdio.h>

#include "random-history.h"

void
case_open (Case *at)
{
  g_autoptr (GError) error = NULL;
  const LcMergeOptions options = {0};

  at->history = lc_merge_open (at->directory, &options, &error);
  g_assert_no_error (error);
  at->model = model_new (at->directory);
}

void
case_init (Case *at, guint32 seed, guint n_processes, guint n_steps)
{
  RandomHistory *random = random_history_new (seed, n_processes, n_steps);

  at->directory = g_dir_make_tmp ("lightcone-history-XXXXXX", NULL);
  at->n_processes = n_processes;
  random_history_write (random, at->directory, seed % 3 == 0 ? 1000 : 0, seed);
  random_history_free (random);
  case_open (at);
}

void
case_clear (Case *at)
{
  g_autofree char *history = g_build_filename (at->directory, "history.lightcone", NULL);

  lc_history_free (at->history);
  model_free (at->model);
  g_unlink (history);
  for (guint i = 0; i < at->n_processes; i++)
    {
      g_autofree char *path = g_strdup_printf ("%s/%u.events", at->directory, i);

      g_unlink (path);
    }
  g_assert_cmpint (g_rmdir (at->directory), ==, 0); /* nothing is left */
  g_free (at->directory);
}
