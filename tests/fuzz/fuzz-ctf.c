/* SPDX-License-Identifier: Apache-2.0 */
/* Any bytes as a part of a binary trace: it is read, closed, and read again. The first byte says as which part. */
#include <string.h>

#include "closing.h"
#include "fuzz.h"
#include "maker.h"

static const char *const parts[] = {"ctf/process-0", "ctf/metadata", "heads-0",    "packets-0",
                                    "trace.ini",     "objects-0",    "requests-0", "switches-0"};

enum
{
  REQUESTS = 3,
};

/* A rank with a channel to itself, on which it has received by requests. */
static void
write_requests (const char *directory)
{
  g_autoptr (GByteArray) objects = maker_objects (0);
  const struct lc_request_record requests[REQUESTS] = {{2, 0}, {0, 0}, {2, 1}};

  maker_rank (objects, 0, 1, 0);
  maker_mpi_object (objects, LC_CLASS_CHANNEL, "0>0:1", LC_CHANNEL_ENDS (0, 0));
  maker_write (directory, "objects-0", objects->data, objects->len);
  maker_write (directory, "requests-0", requests, sizeof requests);
}

/* Of the thread of the only process. */
static void
write_switches (const char *directory)
{
  struct
  {
    struct lc_switches_header header;
    struct lc_switch_pack packs[2];
    struct lc_absence_record absences[2];
  } file = {
      .header = {.magic = {'L', 'C', 'S', 'W', 'I', 'T', 'C', 'H'}, .version = LC_SWITCHES_VERSION, .begin = 1000},
      .packs = {{.magic = LC_SWITCH_PACK_MAGIC, .begin = 1003, .end = 1005, .lost = 3},
                {.magic = LC_SWITCH_PACK_MAGIC, .count = 2, .pid = 40, .thread = 40, .begin = 1022, .end = 1040}},
      .absences = {{1022, 5}, {1030, 10 | LC_ABSENCE_READY}},
  };

  memcpy (file.header.uuid, maker_uuid, sizeof file.header.uuid);
  maker_write (directory, "switches-0", &file, sizeof file);
}

static void
read_absences (LcTrace *trace, guint32 process)
{
  g_autoptr (LcAbsences) absences = lc_trace_open_absences (trace, process, NULL);
  gint64 last = 0;
  LcAbsence next[3];
  gssize n = 0;

  while (absences != NULL && (n = lc_absences_next (absences, next, G_N_ELEMENTS (next), NULL)) > 0)
    for (gssize i = 0; i < n; i++)
      {
        g_assert_cmpint (next[i].begin, >=, last);
        g_assert_cmpint (next[i].end, >, next[i].begin);
        last = next[i].end;
      }
  g_assert_cmpint (n, ==, 0);
}

static void
read_all (const char *directory)
{
  g_autoptr (LcTrace) trace = lc_trace_open (directory, NULL);

  if (trace == NULL)
    return;
  for (guint32 i = 0; i < lc_trace_get_n_processes (trace); i++)
    {
      g_array_unref (maker_events (trace, i));
      lc_trace_count_events (trace, i);
      read_absences (trace, i);
    }
  g_array_unref (lc_trace_list_problems (trace));
}

int
LLVMFuzzerTestOneInput (const uint8_t *bytes, size_t size)
{
  LcRecordingResult result = {0};
  g_autoptr (Maker) maker = NULL;
  char *directory;
  guint64 last;

  if (size == 0)
    return 0;
  directory = maker_directory ();
  maker = maker_new (0);
  maker_mark (maker, LC_TAG, 1, 20);
  for (guint32 i = 0; i < REQUESTS; i++)
    maker_flagged_message (maker, LC_IRECV, 0, i, 30, 40, LC_EVENT_REQUEST | LC_EVENT_BLIND);
  maker_write_metadata (directory);
  write_requests (directory);
  write_switches (directory);
  maker_finish (maker, directory);
  maker_write (directory, parts[bytes[0] % G_N_ELEMENTS (parts)], bytes + 1, size - 1);
  read_all (directory);
  {
    g_autoptr (LcFolder) folder = lc_folder_open (directory, NULL);

    lc_close_streams (folder, maker_uuid, 0, &result, &last, NULL);
  }
  read_all (directory);
  maker_remove (directory);
  return 0;
}

static void
add_file (GByteArray *bytes, const char *directory, guint8 part)
{
  g_autoptr (GByteArray) file = maker_read (directory, parts[part]);

  /* Of a head, no more than what is in it. */
  g_byte_array_append (bytes, &part, 1);
  g_byte_array_append (bytes, file->data, MIN (file->len, 2000));
}

static Maker *
small_stream (void)
{
  Maker *maker = maker_new (0);

  maker_sync (maker, LC_LOCK, 2, 1, 0, 20, 30, LC_EVENT_CONTENDED);
  maker_mark (maker, LC_TAG, 7, 40);
  maker_packet (maker);
  maker_message (maker, LC_SEND, 3, 1, 100, 50, 60);
  maker_sync (maker, LC_CREATE, 0, 0, 0, 70, 70, 0);
  maker_collective (maker, LC_ALL_REDUCE, 4, 1, 2, 4096, 80, 90);
  maker_flagged_message (maker, LC_IRECV, 0, 1, 90, 95, LC_EVENT_REQUEST);
  return maker;
}

gboolean
fuzz_seed (guint number, GByteArray *bytes)
{
  char *directory = maker_directory ();
  g_autoptr (Maker) maker = small_stream ();

  maker_write_metadata (directory);
  write_requests (directory);
  write_switches (directory);
  maker_write_text (directory, "trace.ini",
                    "[trace]\nhost=here\nclock_frequency=1000000000\nclock_ticks=1000\n"
                    "[gaps]\n1=0;35;ring;7\n2=60;65;paused\n3=85;;dump\n");
  if (number < 2)
    maker_finish (maker, directory);
  else if (number == 2)
    maker_finish_with_head (maker, directory, 0);
  else
    maker_finish_loose (maker, directory);
  if (number < G_N_ELEMENTS (parts))
    add_file (bytes, directory, (guint8)number);
  maker_remove (directory);
  return number < G_N_ELEMENTS (parts);
}
