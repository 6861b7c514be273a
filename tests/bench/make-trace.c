/* SPDX-License-Identifier: Apache-2.0 */
/* make-trace DIR --processes P --events N: writes a binary trace of a program that never ran, as large as is wanted. */
#include <errno.h>
#include <glib/gstdio.h>
#include <string.h>
#include <sys/resource.h>

#include "simulation.h"
#include "trace/ctf-metadata.h"
#include "trace/files.h"

static gint64 n_processes = 64, n_events = 1000000, seed = 1;

static const GOptionEntry options[] = {
    {"processes", 'p', 0, G_OPTION_ARG_INT64, &n_processes, "How many (64)", "P"},
    {"events", 'n', 0, G_OPTION_ARG_INT64, &n_events, "Of all processes together (1000000)", "N"},
    {"seed", 's', 0, G_OPTION_ARG_INT64, &seed, "The same gives the same trace (1)", "S"},
    {NULL},
};

/* --- Objects ------------------------------------------------------------------------------------------------ */

static guint32
add_object (GByteArray *bytes, enum lc_class object_class, guint64 value, const char *prefix, guint32 number)
{
  const guint place = sizeof (struct lc_object_record);
  g_autofree char *name = number != LC_NO_PROCESS ? g_strdup_printf ("%s-%u", prefix, number) : g_strdup (prefix);
  guint32 id = bytes->len / place;
  struct lc_object_record record = {
      .object_class = (guint8)object_class,
      .name_length = (guint16)strlen (name),
      .address = object_class == LC_CLASS_MARK ? 0 : 0x555500000000 + (guint64)id * 64,
      .value = value,
      .ticks = TRACE_START,
  };
  gsize padded = (record.name_length + place - 1) / place * place;

  g_byte_array_append (bytes, (const guint8 *)&record, sizeof record);
  g_byte_array_append (bytes, (const guint8 *)name, record.name_length);
  for (gsize i = record.name_length; i < padded; i++)
    g_byte_array_append (bytes, (const guint8 *)"", 1);
  return id;
}

static void
add_objects (GByteArray *bytes, Objects *objects)
{
  static const char *const pipes[PIPES] = {"to-right", "to-left", "tokens"};
  const guint32 n = (guint32)n_processes;

  objects->region = add_object (bytes, LC_CLASS_MARK, 0, "round", LC_NO_PROCESS);
  objects->all = add_object (bytes, LC_CLASS_BARRIER, n, "all", LC_NO_PROCESS);
  for (guint32 i = 0; i < objects->n_hot; i++)
    objects->hot[i] = add_object (bytes, LC_CLASS_MUTEX, 0, "table", i);
  for (guint32 i = 0; i < objects->n_cold; i++)
    objects->cold[i] = add_object (bytes, LC_CLASS_MUTEX, 0, "node", i);
  for (guint32 i = 0; i < objects->n_crews; i++)
    objects->crews[i] = add_object (bytes, LC_CLASS_CREW, 0, "map", i);
  for (guint32 i = 0; i < objects->n_groups; i++)
    objects->groups[i] = add_object (bytes, LC_CLASS_BARRIER, MIN (GROUP, n - i * GROUP), "group", i);
  for (guint32 i = 0; i < n * PIPES; i++)
    objects->pipes[i] =
        add_object (bytes, i % PIPES == TOKENS ? LC_CLASS_SEMAPHORE : LC_CLASS_CHANNEL, 0, pipes[i % PIPES], i / PIPES);
}

static gboolean
write_objects (const char *directory, Objects *objects, GError **error)
{
  const struct lc_objects_header header = {
      .magic = "LCOBJECT", .version = LC_OBJECTS_VERSION, .pid = 1000, .parent = LC_NO_PROCESS};
  g_autofree char *path = g_build_filename (directory, "objects-0", NULL);
  g_autoptr (GByteArray) bytes = g_byte_array_new ();

  g_byte_array_append (bytes, (const guint8 *)&header, sizeof header);
  add_objects (bytes, objects);
  return g_file_set_contents (path, (const char *)bytes->data, bytes->len, error);
}

/* --- Files -------------------------------------------------------------------------------------------------- */

static gboolean
write_descriptions (const char *directory, const guint8 *uuid, GError **error)
{
  LcCtfDescription description = {.frequency = TRACE_FREQUENCY,
                                  .start = TRACE_START,
                                  .epoch = G_GINT64_CONSTANT (1700000000000000000),
                                  .hostname = (char *)"nowhere"};
  g_autofree char *metadata = g_build_filename (directory, "ctf", "metadata", NULL);
  g_autofree char *path = g_build_filename (directory, "trace.ini", NULL);
  g_autofree char *text = NULL;
  g_autoptr (GKeyFile) settings = g_key_file_new ();

  memcpy (description.uuid, uuid, sizeof description.uuid);
  text = lc_ctf_metadata_write (&description);
  g_key_file_set_string (settings, "trace", "title", "a program that never ran");
  g_key_file_set_uint64 (settings, "trace", "clock_frequency", TRACE_FREQUENCY);
  return g_file_set_contents (metadata, text, -1, error) && g_key_file_save_to_file (settings, path, error);
}

/* Each process has a file open. */
static void
allow_files (void)
{
  struct rlimit limit;

  if (getrlimit (RLIMIT_NOFILE, &limit) != 0)
    return;
  limit.rlim_cur = limit.rlim_max;
  setrlimit (RLIMIT_NOFILE, &limit);
}

static gboolean
make_directory (const char *path, GError **error)
{
  if (g_mkdir (path, 0777) == 0)
    return TRUE;
  lc_file_set_error (error, path, errno);
  return FALSE;
}

static gboolean
make_trace (const char *directory, GError **error)
{
  const guint32 n = (guint32)n_processes;
  g_autofree TraceStream *streams = g_new0 (TraceStream, n);
  g_autofree char *inner = g_build_filename (directory, "ctf", NULL);
  guint8 uuid[16] = {'m', 'a', 'd', 'e', ' ', 'u', 0x40, 'p', 0x80};
  Objects objects;
  gboolean good;

  memcpy (uuid + 9, &seed, 7);
  allow_files ();
  objects_init (&objects, n);
  good = make_directory (directory, error) && make_directory (inner, error) &&
         write_descriptions (directory, uuid, error) && write_objects (directory, &objects, error);
  for (guint32 i = 0; good && i < n; i++)
    good = trace_stream_open (&streams[i], directory, i, uuid, error);
  if (good)
    simulation_run (&objects, streams, n, (guint64)n_events, (guint64)seed);
  objects_clear (&objects);
  return good;
}

int
main (int argc, char **argv)
{
  g_autoptr (GOptionContext) context = g_option_context_new ("DIR");
  g_autoptr (GError) error = NULL;

  g_option_context_add_main_entries (context, options, NULL);
  if (!g_option_context_parse (context, &argc, &argv, &error))
    g_printerr ("make-trace: %s\n", error->message);
  else if (argc != 2)
    g_printerr ("make-trace: which directory? (--help says more)\n");
  else if (n_processes < 1 || n_processes > 100000)
    g_printerr ("make-trace: 1 to 100000 processes\n");
  else if (n_events < 0 || (guint64)n_events < simulation_least ((guint32)n_processes))
    g_printerr ("make-trace: %" G_GINT64_FORMAT " processes have at least %" G_GUINT64_FORMAT " events\n", n_processes,
                simulation_least ((guint32)n_processes));
  else if (!make_trace (argv[1], &error))
    g_printerr ("make-trace: %s\n", error->message);
  else
    return 0;
  return 2;
}
