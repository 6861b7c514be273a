/* SPDX-License-Identifier: Apache-2.0 */
/* Closes a trace that was left open, before it is read. */
#include "recover.h"

#include <glib/gi18n.h>

#include "command.h"
#include "lightcone/recording.h"
#include "lightcone/trace.h"

LcRecoverState
lc_recover (const char *directory)
{
  g_autoptr (GError) error = NULL;
  LcRecordingResult result;

  if (!lc_recording_is_abandoned (directory) && !lc_recording_is_going_on (directory))
    return LC_RECOVER_NOT_NEEDED;
  if (lc_recording_recover (directory, &result, &error))
    return LC_RECOVER_DONE;
  if (g_error_matches (error, LC_TRACE_ERROR, LC_TRACE_ERROR_BUSY))
    return LC_RECOVER_BUSY;
  lc_complain (_ ("%s (the trace stays open)"), error->message);
  return LC_RECOVER_FAILED;
}
