/* SPDX-License-Identifier: Apache-2.0 */
/* Runs a program in many orders until it fails. */
#ifndef LC_CLI_SEARCH_H
#define LC_CLI_SEARCH_H

#include <glib.h>

typedef struct
{
  char **command;
  guint runs;
  guint64 seed;      /* of the second run; the first one leaves nothing to chance */
  gint64 patience;   /* us, after which a run hangs */
  const char *trace; /* to leave of the failure */
  gboolean quiet;
} LcSearch;

/* Returns the command's exit status: 0 if no run failed. */
int lc_search_failure (const LcSearch *search);

#endif
