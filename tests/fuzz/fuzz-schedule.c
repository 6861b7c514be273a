/* SPDX-License-Identifier: Apache-2.0 */
/* Any bytes as a schedule; what is accepted is written again, and reads as the same. */
#include <string.h>

#include "fuzz.h"
#include "lightcone/schedule.h"

int
LLVMFuzzerTestOneInput (const uint8_t *bytes, size_t size)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (LcSchedule) schedule = lc_schedule_parse ((const char *)bytes, size, "x.schedule", &error);
  g_autoptr (LcSchedule) again = NULL;
  g_autofree char *text = NULL, *text_again = NULL;

  if (schedule == NULL)
    {
      g_assert_nonnull (strstr (error->message, "x.schedule: line "));
      return 0;
    }
  text = lc_schedule_to_text (schedule);
  again = lc_schedule_parse (text, strlen (text), "y.schedule", &error);
  g_assert_no_error (error);
  text_again = lc_schedule_to_text (again);
  g_assert_cmpstr (text_again, ==, text);
  return 0;
}

gboolean
fuzz_seed (guint number, GByteArray *bytes)
{
  static const char *const seeds[] = {
      "%lightcone-schedule 1\ntitle race\\x0a 1\nprogram ./p\nargument ./p\nargument -x 3\nmodule 01ab /p\nprocess 0 - "
      "p\n"
      "process 1 0.0 worker 1\nevent 1:12 lock\nobject queue\nsite put() q.c:7\nevent 0:3 lock\norder 1:12 before "
      "0:3\n",
      "%lightcone-schedule 1\n\n# nothing\n",
  };

  if (number >= G_N_ELEMENTS (seeds))
    return FALSE;
  g_byte_array_append (bytes, (const guint8 *)seeds[number], (guint)strlen (seeds[number]));
  return TRUE;
}
