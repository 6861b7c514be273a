/* SPDX-License-Identifier: Apache-2.0 */
/* Any bytes in a place of an abandoned recording, or in the ring of what it has kept: whoever opens it closes it. The
 * first byte says which. */
#include <string.h>

#include "fuzz.h"
#include "lightcone/control.h"
#include "lightcone/recording.h"
#include "maker.h"

/* What an input is. */
enum
{
  PLACE,  /* a place beside another one */
  OLDEST, /* the oldest file of the ring */
  NEWEST, /* or the newest */
  BOTH,   /* a place, where there is a ring */
  KINDS,
  KEPT = 1 << 20, /* bytes */
};

static const char *const ring[] = {"ring-0", "ring-1"};

/* The tables that follow are zeros. */
static void
recover_write_control (const char *directory, gboolean keeps)
{
  g_autofree struct lc_control *control = g_new0 (struct lc_control, 1);

  memcpy (control->magic, "LCCONTRL", sizeof control->magic);
  control->version = LC_CONTROL_VERSION;
  control->frequency = 1000000000;
  control->start = MAKER_START;
  memcpy (control->uuid, maker_uuid, sizeof control->uuid);
  control->joined = 1;
  control->next_process = control->next_instance = 2;
  control->places = 2;
  control->keep_bytes = keeps ? KEPT : 0;
  maker_write (directory, ".control", control, sizeof *control);
}

/* Two packets of a process. */
static Maker *
recover_make_stream (guint32 process)
{
  Maker *maker = maker_new (process);

  maker_mark (maker, LC_TAG, 1, 20 + process);
  maker_packet (maker);
  maker_mark (maker, LC_TAG, 2, 40 + process);
  maker_header (maker)->state = LC_STATE_RUNNING;
  return maker;
}

static void
recover_write_places (const char *directory, const uint8_t *bytes, size_t size)
{
  g_autofree guint8 *places = g_malloc0 (2 * LC_HEAD_BYTES);
  g_autoptr (Maker) maker = maker_new (1);

  maker_mark (maker, LC_TAG, 3, 30);
  memcpy (places, maker->bytes->data, maker->bytes->len);
  memcpy (places + LC_HEAD_BYTES, bytes, MIN (size, LC_HEAD_BYTES));
  maker_write (directory, "heads-0", places, 2 * LC_HEAD_BYTES);
}

static void
recover_write (const char *directory, guint kind, const uint8_t *bytes, size_t size)
{
  const gboolean is_place = kind == PLACE || kind == BOTH;

  maker_write_metadata (directory);
  recover_write_control (directory, kind != PLACE);
  recover_write_places (directory, bytes, is_place ? size : 0);
  for (guint32 i = 0; kind != PLACE && i < G_N_ELEMENTS (ring); i++)
    {
      g_autoptr (Maker) maker = recover_make_stream (i);

      if ((kind == OLDEST && i == 0) || (kind == NEWEST && i == 1))
        maker_write (directory, ring[i], bytes, size);
      else
        maker_write (directory, ring[i], maker->bytes->data, maker->bytes->len);
    }
}

int
LLVMFuzzerTestOneInput (const uint8_t *bytes, size_t size)
{
  LcRecordingResult result;
  LcTrace *trace;
  char *directory;

  if (size == 0)
    return 0;
  directory = maker_directory ();
  recover_write (directory, bytes[0] % KINDS, bytes + 1, size - 1);
  g_assert_true (lc_recording_is_abandoned (directory));
  /* Nothing is left of the recording when it was closed; else the next one goes on with it. */
  if (lc_recording_recover (directory, &result, NULL))
    g_assert_false (result.running == 0 && lc_recording_is_abandoned (directory));
  trace = lc_trace_open (directory, NULL);
  if (trace != NULL)
    {
      for (guint32 i = 0; i < lc_trace_get_n_processes (trace); i++)
        g_array_unref (maker_events (trace, i));
      g_array_unref (lc_trace_list_problems (trace));
      lc_trace_free (trace);
    }
  maker_remove (directory);
  return 0;
}

/* A piece of each kind, and packets. */
gboolean
fuzz_seed (guint number, GByteArray *bytes)
{
  guint8 kind = PLACE;

  if (number >= LC_PIECE_KINDS + 1 + KINDS)
    return FALSE;
  if (number > LC_PIECE_KINDS)
    {
      g_autoptr (Maker) maker = NULL;

      kind = (guint8)(number - LC_PIECE_KINDS - 1);
      maker = recover_make_stream (kind == NEWEST);
      g_byte_array_append (bytes, &kind, 1);
      g_byte_array_append (bytes, maker->bytes->data, maker->bytes->len);
    }
  else
    {
      g_autoptr (GByteArray) objects = maker_objects (0);
      struct lc_piece piece = {.magic = LC_PIECE_MAGIC, .kind = number, .pid = 40};

      maker_object (objects, LC_CLASS_MUTEX, "queue", 0, 0);
      piece.bytes = objects->len;
      memcpy (piece.uuid, maker_uuid, sizeof piece.uuid);
      g_byte_array_append (bytes, &kind, 1);
      g_byte_array_append (bytes, (const guint8 *)&piece, sizeof piece);
      g_byte_array_append (bytes, objects->data, objects->len);
    }
  return TRUE;
}
