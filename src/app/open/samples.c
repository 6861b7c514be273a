/* SPDX-License-Identifier: Apache-2.0 */
/* The sample traces that are installed with Lightcone. */
#include "app/open/samples.h"

#include <glib/gi18n.h>

static const struct
{
  const char *folder;
  const char *title;
  const char *text;
} samples[] = {
    {"right.trace", N_ ("Triangulation of a matrix"),
     N_ ("Sixteen workers send rows to each other, round after round: the tutorial begins here")},
    {"wrong.trace", N_ ("The same with an error"),
     N_ ("One worker reads rows before they are there: the tutorial finds which, and where")},
    {"crowded.trace", N_ ("The same on 36 processors"),
     N_ ("Simulated: workers that copy at the same time slow each other down")},
    {"buffer.trace", N_ ("Bounded buffer"), N_ ("Producers and consumers wait for a lock and for each other")},
    {"deadlock.trace", N_ ("Deadlock"), N_ ("Five philosophers hold a fork each, and wait for the next one for ever")},
};

static void
free_sample (gpointer data)
{
  LcSample *sample = data;

  g_free (sample->path);
  g_free (sample);
}

/* Finds a sample in the folders of the system's data, and where this program was to be installed. */
static char *
sample_dup_path (const char *folder)
{
  const char *const *roots = g_get_system_data_dirs ();

  for (gsize i = 0; roots[i] != NULL; i++)
    {
      g_autofree char *path = g_build_filename (roots[i], "lightcone", "samples", folder, NULL);

      if (g_file_test (path, G_FILE_TEST_IS_DIR))
        return g_steal_pointer (&path);
    }
  return g_build_filename (LC_SAMPLES_FOLDER, folder, NULL);
}

GPtrArray *
lc_samples_find (void)
{
  GPtrArray *found = g_ptr_array_new_with_free_func (free_sample);

  for (gsize i = 0; i < G_N_ELEMENTS (samples); i++)
    {
      g_autofree char *path = sample_dup_path (samples[i].folder);
      LcSample *sample;

      if (!g_file_test (path, G_FILE_TEST_IS_DIR))
        continue;
      sample = g_new0 (LcSample, 1);
      sample->title = _ (samples[i].title);
      sample->text = _ (samples[i].text);
      sample->path = g_steal_pointer (&path);
      g_ptr_array_add (found, sample);
    }
  return found;
}
