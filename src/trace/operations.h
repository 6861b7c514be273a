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
  guint8 size;   /* bytes of an event */
  guint16 flags; /* which fields of an LcTraceEvent mean something */
} LcOperationInfo;

extern const LcOperationInfo lc_operations[LC_OPERATION_END];

/* By enum lc_class. */
extern const char *const lc_class_names[LC_CLASSES];

/* LC_NO_OPERATION if there is none of that name. */
enum lc_operation lc_operation_find (const char *name, gsize length);

#endif
