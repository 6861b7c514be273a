/* SPDX-License-Identifier: Apache-2.0 */
/* The operations of the binary format, by their numbers. */
#ifndef LC_TRACE_OPERATIONS_H
#define LC_TRACE_OPERATIONS_H

#include "lightcone/trace.h"

typedef struct
{
  const char *name; /* NULL: no such operation */
  guint8 operation_class;
  guint8 layout;
  guint16 flags; /* which fields of an LcTraceEvent mean something */
} LcOperationInfo;

extern const LcOperationInfo lc_operations[LC_OPERATION_END];

/* Bytes of an event by its operation, in packets of that version of the format; 0: no such operation. */
const guint8 *lc_operations_get_sizes (guint64 version);

/* By enum lc_class. */
extern const char *const lc_class_names[LC_CLASSES];

/* Whether the value of its events, when it is not 0, says how many attempts in a row failed. */
gboolean lc_operation_counts_tries (guint16 operation);

/* LC_NO_OPERATION if there is none of that name. */
enum lc_operation lc_operation_find (const char *name, gsize length);

#endif
