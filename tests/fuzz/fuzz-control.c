/* SPDX-License-Identifier: Apache-2.0 */
/* Any bytes as the beginning of .control: whoever opens the trace of a recording that nobody has ended closes it. */
#include <string.h>

#include "fuzz.h"
#include "lightcone/control.h"
#include "lightcone/recording.h"
#include "maker.h"

/* What follows are tables, which hold zeros but for a little. */
enum
{
  BEGINNING = offsetof (struct lc_control, counters),
};

/* An older version is taken for today's, in most inputs: they are kept for longer than a version lasts, and with
 * another one all the rest would be looked at no more. */
static void
write_control (const char *directory, const guint8 *bytes, gsize size)
{
  g_autofree guint8 *control = g_malloc0 (sizeof (struct lc_control));
  const guint32 version = LC_CONTROL_VERSION;
  guint32 given;

  memcpy (control, bytes, MIN (size, BEGINNING));
  memcpy (&given, control + offsetof (struct lc_control, version), sizeof given);
  if (given > 0 && given < version && size % 8 != 3)
    memcpy (control + offsetof (struct lc_control, version), &version, sizeof version);
  /* The rest of the input is a place in the tables and what is there. */
  if (size > BEGINNING + sizeof (guint32))
    {
      gsize room = sizeof (struct lc_control) - BEGINNING, length = size - BEGINNING - sizeof (guint32);
      guint32 place;

      memcpy (&place, bytes + BEGINNING, sizeof place);
      memcpy (control + BEGINNING + place % room, bytes + BEGINNING + sizeof place, MIN (length, room - place % room));
    }
  maker_write (directory, ".control", control, size % 8 == 7 ? size : sizeof (struct lc_control));
}

int
LLVMFuzzerTestOneInput (const uint8_t *bytes, size_t size)
{
  char *directory = maker_directory ();
  g_autoptr (Maker) maker = maker_new (0);
  LcRecordingResult result;
  LcTrace *trace;

  maker_mark (maker, LC_TAG, 1, 20);
  maker_write_metadata (directory);
  maker_finish_with_head (maker, directory, 0);
  write_control (directory, bytes, size);
  if (lc_recording_is_abandoned (directory) && !lc_recording_is_going_on (directory))
    lc_recording_recover (directory, &result, NULL);
  trace = lc_trace_open (directory, NULL);
  if (trace != NULL)
    {
      for (guint32 i = 0; i < lc_trace_get_n_processes (trace); i++)
        g_array_unref (maker_events (trace, i));
      for (guint32 i = 0; i < lc_trace_get_n_objects (trace); i++)
        g_free (lc_trace_dup_object_name (trace, i));
      lc_trace_free (trace);
    }
  maker_remove (directory);
  return 0;
}

gboolean
fuzz_seed (guint number, GByteArray *bytes)
{
  g_autofree struct lc_control *control = g_new0 (struct lc_control, 1);
  const guint32 place = (guint32)(offsetof (struct lc_control, shared_records) - BEGINNING);
  const struct lc_object_record record = {.object_class = LC_CLASS_MUTEX, .address = 0x1000, .ticks = MAKER_START};

  if (number >= 3)
    return FALSE;
  memcpy (control->magic, "LCCONTRL", sizeof control->magic);
  control->version = LC_CONTROL_VERSION;
  control->frequency = 1000000000;
  control->start = MAKER_START;
  memcpy (control->uuid, maker_uuid, sizeof control->uuid);
  control->joined = 1;
  control->next_process = control->next_instance = 1;
  control->shared_objects = number;
  control->lost[1] = number * 7;
  if (number == 1)
    g_strlcpy (control->job, "job 4", sizeof control->job);
  g_byte_array_append (bytes, (const guint8 *)control, BEGINNING);
  if (number == 2)
    {
      g_byte_array_append (bytes, (const guint8 *)&place, sizeof place);
      g_byte_array_append (bytes, (const guint8 *)&record, sizeof record);
    }
  return TRUE;
}
