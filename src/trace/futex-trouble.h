/* SPDX-License-Identifier: Apache-2.0 */
/* Why not all futexes of a recording were seen. */
#ifndef LC_TRACE_FUTEX_TROUBLE_H
#define LC_TRACE_FUTEX_TROUBLE_H

#include <glib.h>

/* Gives the names of these bits of enum lc_futex_trouble, as in trace.ini: "kernel;aside". */
char *lc_futex_trouble_names (guint32 trouble);

/* Explains the first of these names, to people. */
const char *lc_futex_trouble_why (const char *names);

#endif
