/* SPDX-License-Identifier: Apache-2.0 */
/* Why events were lost, in words. */
#include "lost.h"

#include <glib/gi18n.h>

#include "format.h"
#include "lightcone/recording.h"

static const char *
describe (guint reason)
{
  switch ((enum lc_lost)reason)
    {
    case LC_LOST_DISK:
      return _ ("the disk is full");
    case LC_LOST_FILE:
      return _ ("a file of the trace could not be written");
    case LC_LOST_SIGNAL:
      return _ ("signal handlers did too much at once");
    case LC_LOST_OBJECTS:
      return _ ("there are too many objects");
    case LC_LOST_EXIT:
      return _ ("threads went on after their end");
    case LC_LOST_WORLD:
      return _ ("MPI's processes communicated with those of another world");
    case LC_LOST_FULL:
      return _ ("they came faster than they could be written");
    case LC_LOST_LIMIT:
      return _ ("the trace has become as large as it may");
    case LC_LOST_SANDBOX:
      return _ ("threads were in a sandbox");
    case LC_LOST_REASONS:
    default:
      return lc_recording_lost_name (reason);
    }
}

char *
lc_lost_reasons (const guint64 lost[LC_LOST_REASONS])
{
  GString *text = g_string_new (NULL);
  guint reasons = 0;

  for (guint i = 0; i < LC_LOST_REASONS; i++)
    reasons += lost[i] > 0;
  for (guint i = 0; i < LC_LOST_REASONS; i++)
    {
      g_autofree char *count = lc_format_count (lost[i]);

      if (lost[i] == 0)
        continue;
      g_string_append_printf (text, "%s%s", text->len == 0 ? ": " : ", ", describe (i));
      if (reasons > 1)
        g_string_append_printf (text, " (%s)", count);
    }
  return g_string_free (text, FALSE);
}
