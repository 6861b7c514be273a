/* SPDX-License-Identifier: Apache-2.0 */
/* The operations of the binary format, by number. */
#ifndef LC_TRACE_OPERATIONS_H
#define LC_TRACE_OPERATIONS_H

#include "lightcone/trace.h"

typedef struct
{
  const char *name; /* NULL: no such operation */
  guint8 operation_class;
  guint8 layout;
  guint16 flags; /* valid fields of an LcTraceEvent */
} LcOperationInfo;

extern const LcOperationInfo lc_operations[LC_OPERATION_END];

/* Returns the sizes of events by operation, in packets with this version of the format; 0: no such operation. */
const guint8 *lc_operations_get_sizes (guint64 version);

/* Names by enum lc_class. */
extern const char *const lc_class_names[LC_CLASSES];

/* Tells whether a value other than 0 of the operation's events is the number of failed attempts in a row. */
gboolean lc_operation_counts_tries (guint16 operation);

/* Tells whether the operation is a test of a request, or a probe, in vain: with the flag contended the event is a row
 * of them, in which the process did nothing else. */
gboolean lc_operation_counts_tests (guint16 operation);

/* Returns LC_NO_OPERATION if no operation has this name. */
enum lc_operation lc_operation_find (const char *name, gsize length);

#endif
