/* SPDX-License-Identifier: Apache-2.0 */
/* Makes small binary traces, and reads traces for the tests. */
#include "maker.h"

#include <ftw.h>
#include <glib/gstdio.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "ctf-metadata.h"
#include "operations.h"

const guint8 maker_uuid[16] = {0x00, 0x11, 0x22, 0x33, 0x44, 0x55, 0x46, 0x77,
                               0x88, 0x99, 0xAA, 0xBB, 0xCC, 0xDD, 0xEE, 0xFF};

/* --- Folders and files ------------------------------------------------------------------------------------------ */

char *
maker_directory (void)
{
  g_autoptr (GError) error = NULL;
  char *directory = g_dir_make_tmp ("lightcone-test-XXXXXX", &error);
  g_autofree char *streams = g_build_filename (directory, "ctf", NULL);

  g_assert_no_error (error);
  g_assert_cmpint (g_mkdir (streams, 0777), ==, 0);
  return directory;
}

static int
remove_entry (const char *path, const struct stat *status, int type, struct FTW *place)
{
  return remove (path);
}

void
maker_remove (char *directory)
{
  nftw (directory, remove_entry, 8, FTW_DEPTH | FTW_PHYS);
  g_free (directory);
}

void
maker_write (const char *directory, const char *name, const void *bytes, gsize size)
{
  g_autofree char *path = g_build_filename (directory, name, NULL);
  FILE *file = fopen (path, "we");

  /* Not g_file_set_contents, which waits for the disk. */
  g_assert_nonnull (file);
  g_assert_cmpuint (fwrite (bytes, 1, size, file), ==, size);
  g_assert_cmpint (fclose (file), ==, 0);
}

void
maker_write_text (const char *directory, const char *name, const char *text)
{
  maker_write (directory, name, text, strlen (text));
}

GByteArray *
maker_read (const char *directory, const char *name)
{
  g_autofree char *path = g_build_filename (directory, name, NULL);
  g_autoptr (GError) error = NULL;
  char *bytes = NULL;
  gsize size;

  g_file_get_contents (path, &bytes, &size, &error);
  g_assert_no_error (error);
  return g_byte_array_new_take ((guint8 *)bytes, size);
}

void
maker_write_metadata (const char *directory)
{
  LcCtfDescription description = {
      .frequency = 1000000000,
      .start = MAKER_START,
      .epoch = MAKER_EPOCH,
      .hostname = (char *)"here",
  };
  g_autofree char *text = NULL;

  memcpy (description.uuid, maker_uuid, sizeof maker_uuid);
  text = lc_ctf_metadata_write (&description);
  maker_write_text (directory, "ctf/metadata", text);
}

/* --- Streams ---------------------------------------------------------------------------------------------------- */

struct lc_packet *
maker_header (Maker *maker)
{
  return (struct lc_packet *)(void *)(maker->bytes->data + maker->packet);
}

static void
update (Maker *maker)
{
  struct lc_packet *header = maker_header (maker);

  header->content_size = header->packet_size = (maker->bytes->len - maker->packet) * 8;
  header->timestamp_end = maker->last;
}

void
maker_packet (Maker *maker)
{
  struct lc_packet header = {
      .magic = LC_CTF_MAGIC,
      .timestamp_begin = maker->last,
      .packet_seq_num = maker->packets++,
      .process = maker->process,
      .instance = maker->instance,
      .pid = 40,
      .thread = 40 + maker->process,
      .parent = maker->process == 0 ? LC_NO_PROCESS : 0,
      .first_ordinal = maker->events,
      .format_version = maker->version,
  };

  memcpy (header.uuid, maker_uuid, sizeof maker_uuid);
  g_snprintf (header.name, sizeof header.name, "%s", "program");
  if (maker->packets > 1)
    maker_header (maker)->state = LC_STATE_RUNNING;
  header.state = LC_STATE_ENDED;
  maker->packet = maker->bytes->len;
  g_byte_array_append (maker->bytes, (const guint8 *)&header, sizeof header);
  update (maker);
}

Maker *
maker_new (guint32 process)
{
  Maker *maker = g_new0 (Maker, 1);

  maker->bytes = g_byte_array_new ();
  maker->process = process;
  maker->version = LC_FORMAT_VERSION;
  maker->last = MAKER_START;
  maker_packet (maker);
  return maker;
}

void
maker_free (Maker *maker)
{
  g_byte_array_unref (maker->bytes);
  g_free (maker);
}

static void
append (Maker *maker, const void *event, gsize size, guint64 end)
{
  g_byte_array_append (maker->bytes, event, (guint)size);
  maker->events++;
  maker->last = end;
  update (maker);
}

/* `bytes`: only of a collective operation, in packets that have room for it. Before version 3, an event has no site. */
static void
append_sync (Maker *maker, guint16 operation, guint32 object, guint64 word, guint64 bytes, guint64 begin, guint64 end,
             guint8 flags)
{
  const gboolean of_many = lc_operations[operation].layout == LC_LAYOUT_COLLECTIVE && maker->version >= 2;
  const struct lc_event_sync sync = {
      .end = MAKER_START + end,
      .operation = operation,
      .cpu = 3,
      .object = object,
      .duration = end - begin,
      .flags = flags,
      .sequence_value = word,
      .site = maker->site,
  };
  const gsize size = maker->version >= 3 ? sizeof sync : offsetof (struct lc_event_sync, site);
  guint8 event[sizeof (struct lc_event_collective)];

  memcpy (event, &sync, size);
  memcpy (event + size, &bytes, sizeof bytes);
  append (maker, event, size + (of_many ? sizeof bytes : 0), sync.end);
}

void
maker_sync (Maker *maker, guint16 operation, guint32 object, guint64 sequence, guint64 value, guint64 begin,
            guint64 end, guint8 flags)
{
  append_sync (maker, operation, object, sequence | value << LC_SEQUENCE_BITS, 0, begin, end, flags);
}

void
maker_message (Maker *maker, guint16 operation, guint32 object, guint32 sequence, guint32 bytes, guint64 begin,
               guint64 end)
{
  append_sync (maker, operation, object, sequence | (guint64)bytes << 32, 0, begin, end, 0);
}

void
maker_flagged_message (Maker *maker, guint16 operation, guint32 object, guint32 sequence, guint64 begin, guint64 end,
                       guint8 flags)
{
  append_sync (maker, operation, object, sequence | UINT64_C (64) << 32, 0, begin, end, flags);
}

void
maker_collective (Maker *maker, guint16 operation, guint32 object, guint64 sequence, guint64 members, guint64 bytes,
                  guint64 begin, guint64 end)
{
  append_sync (maker, operation, object, sequence | members << LC_SEQUENCE_BITS, bytes, begin, end, 0);
}

void
maker_unknown_collective (Maker *maker, guint16 operation, guint32 object, guint64 sequence, guint64 members,
                          guint64 begin, guint64 end, gboolean unknown)
{
  append_sync (maker, operation, object, sequence | members << LC_SEQUENCE_BITS, 0, begin, end,
               unknown ? LC_EVENT_UNKNOWN : 0);
}

void
maker_mark (Maker *maker, guint16 operation, guint32 value, guint64 at)
{
  const struct lc_event_tag event = {.end = MAKER_START + at,
                                     .operation = operation,
                                     .cpu = 2,
                                     .value = value,
                                     .site = maker->site,
                                     .text = maker->text};
  const gboolean has_site = lc_operations[operation].layout == LC_LAYOUT_TAG && maker->version >= 3;

  append (maker, &event, has_site ? sizeof event : sizeof (struct lc_event_mark), event.end);
}

void
maker_finish (Maker *maker, const char *directory)
{
  g_autofree char *name = g_strdup_printf ("ctf/process-%u", maker->process);

  maker_write (directory, name, maker->bytes->data, maker->bytes->len);
}

/* What is in a file, or nothing if it is not there. */
static GByteArray *
read_if_any (const char *directory, const char *name)
{
  g_autofree char *path = g_build_filename (directory, name, NULL);

  return g_file_test (path, G_FILE_TEST_EXISTS) ? maker_read (directory, name) : g_byte_array_new ();
}

void
maker_finish_with_head (Maker *maker, const char *directory, guint place)
{
  g_autofree char *name = g_strdup_printf ("ctf/process-%u", maker->process);
  g_autoptr (GByteArray) heads = read_if_any (directory, "heads-0");
  struct lc_packet *header = maker_header (maker);
  gsize used = maker->bytes->len - maker->packet, before = heads->len;

  g_assert_cmpuint (used, <=, LC_HEAD_BYTES);
  header->packet_size = sizeof *header * 8;
  header->timestamp_end = header->timestamp_begin;
  header->state = LC_STATE_RUNNING;
  if (before < (place + 1) * LC_HEAD_BYTES)
    {
      g_byte_array_set_size (heads, (place + 1) * LC_HEAD_BYTES);
      memset (heads->data + before, 0, heads->len - before);
    }
  memcpy (heads->data + place * LC_HEAD_BYTES, header, used);
  maker_write (directory, "heads-0", heads->data, heads->len);
  if (maker->packet > 0)
    maker_write (directory, name, maker->bytes->data, maker->packet);
}

void
maker_finish_loose (Maker *maker, const char *directory)
{
  g_autoptr (GByteArray) packets = read_if_any (directory, "packets-0");

  g_byte_array_append (packets, maker->bytes->data, maker->bytes->len);
  maker_write (directory, "packets-0", packets->data, packets->len);
}

/* --- Objects ---------------------------------------------------------------------------------------------------- */

GByteArray *
maker_objects (guint32 instance)
{
  struct lc_objects_header header = {
      .magic = "LCOBJECT",
      .version = LC_OBJECTS_VERSION,
      .instance = instance,
      .pid = 40,
      .parent = LC_NO_PROCESS,
  };
  GByteArray *objects = g_byte_array_new ();

  g_byte_array_append (objects, (const guint8 *)&header, sizeof header);
  return objects;
}

void
maker_rank (GByteArray *objects, guint32 rank, guint32 ranks, guint64 ready)
{
  struct lc_objects_header *header = (struct lc_objects_header *)(void *)objects->data;

  header->rank = rank + 1;
  header->ranks = ranks;
  header->ready = ready;
}

guint32
maker_mpi_object (GByteArray *objects, enum lc_class object_class, const char *name, guint64 value)
{
  const guint32 number = maker_object (objects, object_class, name, 0, value);

  ((struct lc_object_record *)(void *)objects->data)[number].kind = LC_KIND_MPI;
  return number;
}

/* Adds a record and the bytes after it, and returns the record's number. */
static guint32
append_record (GByteArray *objects, const void *record, const void *name, gsize name_length)
{
  const guint place = sizeof (struct lc_object_record);
  const guint32 number = objects->len / place;
  guint before;

  g_byte_array_append (objects, record, place);
  if (name_length > 0)
    g_byte_array_append (objects, name, (guint)name_length);
  before = objects->len;
  g_byte_array_set_size (objects, (before + place - 1) / place * place);
  memset (objects->data + before, 0, objects->len - before);
  return number;
}

guint32
maker_object (GByteArray *objects, enum lc_class object_class, const char *name, guint32 module, guint64 value)
{
  const struct lc_object_record record = {
      .object_class = (guint8)object_class,
      .name_length = (guint16)(name != NULL ? strlen (name) : 0),
      .module = module,
      .address = 0x1000 + objects->len / sizeof record,
      .value = value,
      .ticks = MAKER_START + 5,
  };

  return append_record (objects, &record, name, record.name_length);
}

guint32
maker_module (GByteArray *objects, const char *path, const char *build_id, guint64 begin, guint64 end)
{
  g_autoptr (GString) name = g_string_new (path);
  struct lc_object_record record = {
      .object_class = LC_CLASS_MODULE, .address = begin, .value = end, .ticks = MAKER_START + 5};

  if (build_id != NULL)
    {
      g_string_append_c (name, '\0');
      g_string_append (name, build_id);
    }
  record.name_length = (guint16)name->len;
  return append_record (objects, &record, name->str, name->len);
}

guint32
maker_site (GByteArray *objects, guint8 kind, guint32 module, guint32 parent, guint64 offset)
{
  const struct lc_site_record record = {
      .object_class = LC_CLASS_SITE,
      .kind = kind,
      .module = module,
      .parent = parent,
      .offset = offset,
      .ticks = MAKER_START + 5,
  };

  return append_record (objects, &record, NULL, 0);
}

guint32
maker_object_at (GByteArray *objects, enum lc_class object_class, guint32 site, guint64 address)
{
  const guint32 number = maker_object (objects, object_class, NULL, site, 0);

  ((struct lc_object_record *)(void *)objects->data)[number].address = address;
  return number;
}

/* --- The sample --------------------------------------------------------------------------------------------------- */

static void
add_operation (Maker *maker, guint16 operation, const guint32 *records, guint64 at)
{
  const LcOperationInfo *info = &lc_operations[operation];

  if (info->layout == LC_LAYOUT_MARK || info->layout == LC_LAYOUT_TAG)
    maker_mark (maker, operation, operation == LC_TAG ? 77 : records[info->operation_class], at + 10);
  else if (info->layout == LC_LAYOUT_MESSAGE)
    maker_message (maker, operation, records[info->operation_class], operation, 4096, at, at + 10);
  else if (info->layout == LC_LAYOUT_COLLECTIVE)
    maker_collective (maker, operation, records[info->operation_class], operation, 2, UINT64_C (5) << 32, at, at + 10);
  else if (info->operation_class == LC_CLASS_THREAD)
    maker_sync (maker, operation, 2, 0, 0, at, at + 10, 0);
  else
    maker_sync (maker, operation, records[info->operation_class], operation, 2, at, at + 10, LC_EVENT_CONTENDED);
}

char *
maker_sample (void)
{
  char *directory = maker_directory ();
  g_autoptr (GByteArray) objects = maker_objects (0);
  guint32 records[LC_CLASSES];
  guint64 at = 100;

  for (guint i = 1; i < LC_CLASSES; i++)
    if (i != LC_CLASS_SITE && i != LC_CLASS_NAME && i != LC_CLASS_ACCOUNT) /* these are no objects */
      records[i] = maker_object (objects, (enum lc_class)i, i % 2 ? "an object with a name of some length" : NULL, 0,
                                 i == LC_CLASS_MODULE ? 0 : i);
  maker_write (directory, "objects-0", objects->data, objects->len);
  maker_write_metadata (directory);
  maker_write_text (directory, "trace.ini", "[trace]\ntitle=sample\nhost=here\n");
  for (guint process = 0; process < 3; process++)
    {
      g_autoptr (Maker) maker = maker_new (process);

      for (guint i = process; i < LC_OPERATION_END; i += 3)
        {
          if (lc_operations[i].name == NULL)
            continue;
          if (maker->events % 4 == 3)
            maker_packet (maker);
          add_operation (maker, (guint16)i, records, at);
          at += 20;
        }
      maker_finish (maker, directory);
    }
  return directory;
}

/* --- Reading --------------------------------------------------------------------------------------------------------
 */

const LcTraceProblem *
maker_problem (GArray *problems, const char *name, const char *file)
{
  for (guint i = 0; i < problems->len; i++)
    {
      const LcTraceProblem *problem = &g_array_index (problems, LcTraceProblem, i);

      if (g_str_equal (problem->name, name) && (file == NULL || g_str_equal (problem->file, file)))
        return problem;
    }
  return NULL;
}

GArray *
maker_events (LcTrace *trace, guint32 process)
{
  g_autoptr (LcTraceCursor) cursor = lc_trace_cursor_open (trace, process);
  GArray *events = g_array_new (FALSE, FALSE, sizeof (LcTraceEvent));
  guint64 last = 0;
  LcTraceBatch batch;

  while (lc_trace_cursor_next (cursor, &batch))
    {
      g_assert_cmpuint (batch.n_events, >, 0);
      g_assert_cmpuint (batch.first_ordinal, ==, events->len);
      g_array_append_vals (events, batch.events, (guint)batch.n_events);
    }
  g_assert_cmpuint (lc_trace_cursor_tell (cursor), ==, lc_trace_get_process (trace, process)->bytes);
  for (guint i = 0; i < events->len; i++)
    {
      const LcTraceEvent *event = &g_array_index (events, LcTraceEvent, i);

      /* What the reader promises, whatever the files say. */
      g_assert_cmpuint (event->begin, >=, last);
      g_assert_cmpuint (event->end, >=, event->begin);
      g_assert_nonnull (lc_trace_get_operation (trace, event->operation));
      g_assert_true (event->stack == LC_TRACE_NONE || event->stack < lc_trace_get_n_stacks (trace));
      g_assert_true (event->object == LC_TRACE_NONE || event->object < lc_trace_get_n_objects (trace));
      g_assert_true (event->peer == LC_TRACE_NONE || event->peer < lc_trace_get_n_processes (trace));
      last = event->end;
    }
  return events;
}
