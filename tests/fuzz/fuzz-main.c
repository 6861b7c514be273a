/* SPDX-License-Identifier: Apache-2.0 */
/* Runs a fuzzer without libFuzzer: over the files named, or over mutations of its seeds for some seconds. */
/* For libFuzzer, leave this file out and compile with clang -fsanitize=fuzzer,address; --write-seeds makes a corpus. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "fuzz.h"

static double seconds = 2;
static int start = 0;
static char *seeds_folder, *corpus;

static const GOptionEntry options[] = {
    {"seconds", 's', 0, G_OPTION_ARG_DOUBLE, &seconds, "How long to mutate", "N"},
    {"start", 0, 0, G_OPTION_ARG_INT, &start, "The start of the random numbers, to do the same again", "N"},
    {"corpus", 'c', 0, G_OPTION_ARG_FILENAME, &corpus, "Run the files of this folder, and mutate them too", "DIR"},
    {"write-seeds", 0, 0, G_OPTION_ARG_FILENAME, &seeds_folder, "Write the seeds as files for another fuzzer", "DIR"},
    {NULL},
};

static guint
below (GRand *random, gsize limit)
{
  return (guint)g_rand_int_range (random, 0, (gint32)MAX (limit, 1));
}

static void
put_number (GRand *random, GByteArray *bytes)
{
  static const guint64 numbers[] = {0,          1,          7,          8,           16,
                                    0x7F,       0x80,       0xFF,       0xFFFF,      0x7FFFFFFF,
                                    0x80000000, 0xFFFFFFFF, G_MAXINT64, G_MAXUINT64, G_GUINT64_CONSTANT (1) << 63};
  gsize size = 1u << below (random, 4);
  guint64 number = numbers[below (random, G_N_ELEMENTS (numbers))];

  if (bytes->len >= size)
    memcpy (bytes->data + below (random, bytes->len - size + 1), &number, size);
}

static void
move_piece (GRand *random, GByteArray *bytes)
{
  guint from = below (random, bytes->len), length = 1 + below (random, MIN (bytes->len - from, 400));
  g_autofree guint8 *piece = g_memdup2 (bytes->data + from, MIN (length, bytes->len - from));

  length = MIN (length, bytes->len - from);
  if (below (random, 2))
    g_byte_array_remove_range (bytes, from, length);
  else if (bytes->len < 1 << 16)
    {
      guint to = below (random, bytes->len);

      g_byte_array_append (bytes, piece, length);
      memmove (bytes->data + to + length, bytes->data + to, bytes->len - length - to);
      memcpy (bytes->data + to, piece, length);
    }
}

static void
mutate (GRand *random, GByteArray *bytes)
{
  for (guint changes = 1 + below (random, 4); changes > 0 && bytes->len > 0; changes--)
    {
      switch (below (random, 5))
        {
        case 0:
          bytes->data[below (random, bytes->len)] ^= (guint8)(1u << below (random, 8));
          break;
        case 1:
          bytes->data[below (random, bytes->len)] = (guint8)below (random, 256);
          break;
        case 2:
          put_number (random, bytes);
          break;
        case 3:
          move_piece (random, bytes);
          break;
        default:
          if (below (random, 4) == 0)
            g_byte_array_set_size (bytes, below (random, bytes->len + 1));
          break;
        }
    }
}

static gboolean
replay (const char *path)
{
  g_autofree char *bytes = NULL;
  g_autoptr (GError) error = NULL;
  gsize size;

  if (!g_file_get_contents (path, &bytes, &size, &error))
    {
      fprintf (stderr, "%s\n", error->message);
      return FALSE;
    }
  LLVMFuzzerTestOneInput ((const uint8_t *)bytes, size);
  return TRUE;
}

static GPtrArray *
collect_seeds (void)
{
  GPtrArray *seeds = g_ptr_array_new_with_free_func ((GDestroyNotify)g_byte_array_unref);

  for (;;)
    {
      g_autoptr (GByteArray) seed = g_byte_array_new ();

      if (!fuzz_seed (seeds->len, seed))
        return seeds;
      g_ptr_array_add (seeds, g_steal_pointer (&seed));
    }
}

static int
compare_names (gconstpointer a, gconstpointer b)
{
  return strcmp (*(const char *const *)a, *(const char *const *)b);
}

/* In the order of their names, so that --start does the same again. */
static void
add_corpus (GPtrArray *seeds)
{
  g_autoptr (GDir) folder = g_dir_open (corpus, 0, NULL);
  g_autoptr (GPtrArray) names = g_ptr_array_new_with_free_func (g_free);
  const char *name;

  while (folder != NULL && (name = g_dir_read_name (folder)) != NULL)
    g_ptr_array_add (names, g_build_filename (corpus, name, NULL));
  g_ptr_array_sort (names, compare_names);
  for (guint i = 0; i < names->len; i++)
    {
      char *bytes;
      gsize size;

      if (g_file_get_contents (names->pdata[i], &bytes, &size, NULL))
        g_ptr_array_add (seeds, g_byte_array_new_take ((guint8 *)bytes, size));
    }
}

static void
write_seeds (const GPtrArray *seeds)
{
  for (guint i = 0; i < seeds->len; i++)
    {
      const GByteArray *seed = seeds->pdata[i];
      g_autofree char *path = g_strdup_printf ("%s/seed-%u", seeds_folder, i);

      g_file_set_contents (path, (const char *)seed->data, seed->len, NULL);
    }
}

static void
run (const GPtrArray *seeds)
{
  gint64 end = g_get_monotonic_time () + (gint64)(seconds * G_USEC_PER_SEC);
  GRand *random = g_rand_new_with_seed ((guint32)start);
  guint rounds = 0;

  for (guint i = 0; i < seeds->len; i++)
    LLVMFuzzerTestOneInput (((GByteArray *)seeds->pdata[i])->data, ((GByteArray *)seeds->pdata[i])->len);
  for (; g_get_monotonic_time () < end; rounds++)
    {
      const GByteArray *seed = seeds->pdata[below (random, seeds->len)];
      g_autoptr (GByteArray) bytes = g_byte_array_new ();

      g_byte_array_append (bytes, seed->data, seed->len);
      mutate (random, bytes);
      LLVMFuzzerTestOneInput (bytes->data, bytes->len);
    }
  g_rand_free (random);
  printf ("%u mutations of %u seeds, --start %d\n", rounds, seeds->len, start);
}

int
main (int argc, char **argv)
{
  g_autoptr (GOptionContext) context = g_option_context_new ("[FILE...]");
  g_autoptr (GPtrArray) seeds = collect_seeds ();
  g_autoptr (GError) error = NULL;
  gboolean good = TRUE;

  start = (int)(g_get_real_time () % G_MAXINT32);
  /* Most write files for each input, and a disk would take most of the time. */
  if (g_getenv ("TMPDIR") == NULL && access ("/dev/shm", W_OK | X_OK) == 0)
    g_setenv ("TMPDIR", "/dev/shm", TRUE);
  g_option_context_add_main_entries (context, options, NULL);
  if (!g_option_context_parse (context, &argc, &argv, &error))
    {
      fprintf (stderr, "%s\n", error->message);
      return 2;
    }
  if (corpus != NULL)
    add_corpus (seeds);
  /* Told before anything can go wrong. */
  printf ("--start %d\n", start);
  fflush (stdout);
  for (int i = 1; i < argc; i++)
    good &= replay (argv[i]);
  if (seeds_folder != NULL)
    write_seeds (seeds);
  else if (argc == 1)
    run (seeds);
  return good ? 0 : 1;
}
