/* SPDX-License-Identifier: Apache-2.0 */
/* Why events were lost, in words. */
#ifndef LC_CLI_LOST_H
#define LC_CLI_LOST_H

#include <glib.h>

#include "lightcone/trace-format.h"

/* ": the disk is full", ": the disk is full (10), there are too many objects (2)" ...; "" if the reasons are unknown.
 */
char *lc_lost_reasons (const guint64 lost[LC_LOST_REASONS]);

#endif
