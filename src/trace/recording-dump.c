/* SPDX-License-Identifier: Apache-2.0 */
/* Makes a trace of its own of what has been recorded until now, while the recording goes on. */
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "adding.h"
#include "directory.h"
#include "files.h"
#include "heads.h"
#include "lightcone/trace.h"
#include "reader.h"
#include "recording-private.h"
#include "ring.h"

#define BUFFER_BYTES (1u << 20)
#define TRIES 3

typedef struct
{
  LcRecording *source;
  LcFolder *folder; /* of the copy */
  struct lc_control *control;
  GArray *places; /* guint32: those of heads-0 that were copied */
} Dump;

/* us. A recording empties its places every few milliseconds, if it is not stopped. */
#define HOLD (10 * G_USEC_PER_SEC)
#define ROUND_PAUSE 1000
#define ROUND_TRIES 500

/* The ring drops nothing for the next seconds. */
static void
dump_hold (const Dump *dump)
{
  __atomic_store_n (&dump->source->control->hold, (guint64)g_get_monotonic_time () + HOLD, __ATOMIC_RELEASE);
}

/* --- Files ----------------------------------------------------------------------------------------------------- */

/* Bytes that are added to the file meanwhile are left out. A file that has gone was dropped from the ring. */
static gboolean
dump_file (const LcFolder *from, const LcFolder *to, const char *name, GError **error)
{
  g_autofree guint8 *bytes = g_malloc (BUFFER_BYTES);
  guint64 size, done = 0;
  int in = lc_folder_open_file (from, name, &size, NULL), out;
  gboolean good = TRUE;

  if (in < 0)
    return TRUE;
  out = lc_folder_create (to, name, error);
  while (out >= 0 && good && done < size)
    {
      gssize n = lc_file_read (in, bytes, (gsize)MIN (BUFFER_BYTES, size - done), done);

      if (n <= 0)
        break;
      good = lc_adding_write (out, done, done, bytes, (gsize)n, NULL, 0);
      if (!good)
        lc_folder_set_error (to, name, errno, error);
      done += (guint64)n;
    }
  close (in);
  if (out >= 0)
    close (out);
  return out >= 0 && good;
}

/* All files of a folder but those that are made anew, or cannot be copied while they change. */
static gboolean
dump_files (const Dump *dump, const LcFolder *from, const LcFolder *to, GError **error)
{
  static const char *const others[] = {".control", "heads-0", "history.lightcone", "trace.ini", NULL};
  g_autoptr (GPtrArray) names = lc_folder_list (from, error);

  if (names == NULL)
    return FALSE;
  for (guint i = 0; i < names->len; i++)
    {
      const char *name = names->pdata[i];

      if (g_strv_contains (others, name) || !lc_folder_has_file (from, name) || name[0] == '.' ||
          g_str_has_prefix (name, "history.lightcone"))
        continue;
      dump_hold (dump);
      if (!dump_file (from, to, name, error))
        return FALSE;
    }
  return TRUE;
}

static gboolean
dump_folder (const Dump *dump, const char *name, GError **error)
{
  g_autoptr (LcFolder) from = NULL, to = NULL;

  if (!lc_folder_has_folder (dump->source->folder, name))
    return TRUE;
  if (!lc_folder_make (dump->folder, name, error))
    return FALSE;
  from = lc_folder_open_inner (dump->source->folder, name, error);
  to = from != NULL ? lc_folder_open_inner (dump->folder, name, error) : NULL;
  return to != NULL && dump_files (dump, from, to, error);
}

/* --- Places ---------------------------------------------------------------------------------------------------- */

static gboolean
dump_is_same (const struct lc_packet *one, const struct lc_packet *other)
{
  return one->magic == other->magic && one->process == other->process && one->packet_seq_num == other->packet_seq_num;
}

/* A place may be emptied, and used again, while it is read: then what was read is no good. FALSE: there is nothing. */
static gboolean
dump_read_place (int heads, guint64 offset, guint8 *bytes)
{
  for (guint try = 0; try < TRIES; try++)
    {
      struct lc_packet before, after;

      if (lc_file_read (heads, bytes, LC_HEAD_BYTES, offset) != LC_HEAD_BYTES ||
          lc_file_read (heads, &after, sizeof after, offset) != (gssize)sizeof after)
        return FALSE;
      memcpy (&before, bytes, sizeof before);
      if (before.magic != LC_CTF_MAGIC && before.magic != LC_PIECE_MAGIC)
        return FALSE;
      if (dump_is_same (&before, &after))
        return TRUE;
    }
  return FALSE;
}

static gboolean
dump_place (Dump *dump, int from, int to, guint32 place, guint8 *bytes, GError **error)
{
  guint64 offset = (guint64)place * LC_HEAD_BYTES;

  if (!dump_read_place (from, offset, bytes))
    return TRUE;
  if (!lc_adding_write (to, offset, offset, bytes, LC_HEAD_BYTES, NULL, 0))
    {
      lc_folder_set_error (dump->folder, "heads-0", errno, error);
      return FALSE;
    }
  g_array_append_val (dump->places, place);
  return TRUE;
}

/* A place that is free now was never used, or its content is in the files, which are copied later. */
static gboolean
dump_places (Dump *dump, GError **error)
{
  const struct lc_control *control = dump->source->control;
  g_autofree guint8 *bytes = g_malloc (LC_HEAD_BYTES);
  guint32 count = MIN (__atomic_load_n (&control->places, __ATOMIC_ACQUIRE), LC_PLACES);
  guint64 size;
  int from = lc_folder_open_file (dump->source->folder, "heads-0", &size, error);
  int to = from >= 0 ? lc_folder_create (dump->folder, "heads-0", error) : -1;
  gboolean good = to >= 0;

  for (guint32 place = 0; good && place < count; place++)
    if ((__atomic_load_n (&control->free_places[place / 64], __ATOMIC_ACQUIRE) >> place % 64 & 1) == 0)
      good = dump_place (dump, from, to, place, bytes, error);
  if (from >= 0)
    close (from);
  if (to >= 0)
    close (to);
  return good;
}

/* --- The control block ------------------------------------------------------------------------------------------ */

/* In the copy, places in use belong to processes that are not there: whoever closes it takes them over. */
static gboolean
dump_control (const Dump *dump, guint64 now, GError **error)
{
  gsize size = dump->source->control_size;
  g_autofree struct lc_control *control = g_memdup2 (dump->source->control, size);

  control->copied_at = now;
  control->places = 0;
  memset (control->free_places, 0xFF, sizeof control->free_places);
  memset (control->full_places, 0, sizeof control->full_places);
  for (guint i = 0; i < dump->places->len; i++)
    {
      guint32 place = g_array_index (dump->places, guint32, i);

      control->free_places[place / 64] &= ~(G_GUINT64_CONSTANT (1) << place % 64);
      control->places = place + 1;
    }
  return lc_folder_write (dump->folder, ".control", control, size, error);
}

static gboolean
dump_settings (const Dump *dump, GError **error)
{
  char *text;
  gsize length;
  gboolean good;

  if (!lc_folder_read (dump->source->folder, "trace.ini", 1u << 20, &text, &length, error))
    return FALSE;
  good = lc_folder_write (dump->folder, "trace.ini", text, length, error);
  g_free (text);
  return good;
}

/* --- All of it -------------------------------------------------------------------------------------------------- */

/* After the next round but one nothing is dropped any more that was to be dropped when the hold began. */
static void
dump_wait_for_round (const Dump *dump)
{
  guint32 *rounds = &dump->source->control->rounds, before = __atomic_load_n (rounds, __ATOMIC_ACQUIRE);

  for (guint i = 0; i < ROUND_TRIES && __atomic_load_n (rounds, __ATOMIC_ACQUIRE) - before < 2; i++)
    g_usleep (ROUND_PAUSE);
}

/* Places are copied before files: so all that ended before `now` is in the copy, or was dropped before. */
static gboolean
dump_all (Dump *dump, GError **error)
{
  guint64 now;
  gboolean good;

  dump_hold (dump);
  dump_wait_for_round (dump);
  now = lc_clock_stamp ((enum lc_clock)dump->source->control->clock).ticks;
  good = dump_places (dump, error) && dump_folder (dump, "ctf", error) && dump_folder (dump, "snapshots", error) &&
         dump_files (dump, dump->source->folder, dump->folder, error) && dump_settings (dump, error) &&
         dump_control (dump, now, error);
  __atomic_store_n (&dump->source->control->hold, 0, __ATOMIC_RELEASE);
  return good;
}

static LcRecording *
dump_open (const char *directory, GError **error)
{
  g_autoptr (LcRecording) source = g_new0 (LcRecording, 1);

  source->lock = -1;
  source->directory = g_canonicalize_filename (directory, NULL);
  source->folder = lc_folder_open (directory, error);
  if (source->folder == NULL)
    return NULL;
  if (!lc_directory_is_busy (source->folder))
    g_set_error (error, LC_TRACE_ERROR, LC_TRACE_ERROR_NOT_A_TRACE, "%s: nothing is being recorded there", directory);
  else if (lc_recording_attach (source, error))
    return g_steal_pointer (&source);
  return NULL;
}

/* A process is known to run by the name of the directory whose places it has mapped: the copy needs another one. */
static gboolean
dump_check_name (const LcRecording *source, const char *to, GError **error)
{
  g_autofree char *path = g_canonicalize_filename (to, NULL), *name = g_path_get_basename (path);
  g_autofree char *own = g_path_get_basename (source->directory);

  if (!g_str_equal (name, own))
    return TRUE;
  g_set_error (error, LC_TRACE_ERROR, LC_TRACE_ERROR_EXISTS, "%s: choose a name that the recording does not have", to);
  return FALSE;
}

gboolean
lc_recording_dump (const char *directory, const char *to, LcRecordingResult *result, GError **error)
{
  g_autoptr (LcRecording) source = NULL;
  g_autoptr (LcFolder) folder = NULL;
  Dump dump = {0};
  gboolean made, good;
  int making;

  g_return_val_if_fail (directory != NULL && to != NULL && result != NULL, FALSE);
  source = dump_open (directory, error);
  if (source == NULL || !dump_check_name (source, to, error))
    return FALSE;
  folder = lc_directory_take (to, FALSE, LC_FOLDER_PRIVATE, &made, &making, error);
  if (folder == NULL)
    return FALSE;
  dump = (Dump){.source = source, .folder = folder, .places = g_array_new (FALSE, FALSE, sizeof (guint32))};
  good = dump_all (&dump, error) && lc_directory_is_made (folder, making, error);
  g_array_unref (dump.places);
  if (good)
    return lc_recording_close_abandoned (folder, result, error);
  lc_directory_clear (folder, made, NULL);
  close (making);
  return FALSE;
}
