/* SPDX-License-Identifier: Apache-2.0 */
/* Clock correction, for a trace of several hosts: constants added to clocks so that no arc ends before it begins. */
#ifndef LIGHTCONE_CLOCK_CORRECTION_H
#define LIGHTCONE_CLOCK_CORRECTION_H

#include <gio/gio.h>

#include "lightcone/rules.h"
#include "lightcone/trace.h"

G_BEGIN_DECLS

/*
 * Clocks are aligned by samples (docs/format.md), whose error may be longer than a message takes. What is left then,
 * arcs that point backwards, is measured from a sweep, and the least shifts that mend all of them are kept in the
 * trace's clock.ini: the files of the parts stay as they are, and who removes clock.ini has the samples' word again.
 */

typedef struct
{
  char *host;
  gint64 shift; /* ns; 0: only other hosts were shifted */
  guint64 arcs; /* arcs from or to this host that pointed backwards */
  guint64 most; /* by how many ns an arc pointed backwards at most */
} LcHostCorrection;

/*
 * Finds shifts for the trace in `directory`, unless it has them already, they were declined, or it is of one host.
 * When there are no shifts that mend all, or they cannot be kept, nothing is changed. FALSE with LC_TRACE_ERROR or
 * G_IO_ERROR_CANCELLED.
 */
gboolean lc_clocks_correct (const char *directory, const LcRules *rules, GCancellable *cancellable, GError **error);

/* Takes the shifts back; none are looked for again until clock.ini is removed. A trace of one host is left as it is. */
gboolean lc_clocks_decline (const char *directory, GError **error);

/* Lists the correction of each host with arcs that pointed backwards (LcHostCorrection); empty if none was made. */
GArray *lc_clocks_list (const char *directory);

G_END_DECLS

#endif
