/* SPDX-License-Identifier: Apache-2.0 */
/* The objects of a trace: numbered as they are found, named when they are shown. */
#ifndef LC_TRACE_OBJECTS_H
#define LC_TRACE_OBJECTS_H

#include "lightcone/trace.h"

typedef struct
{
  const char *name; /* not owned; NULL: none */
  guint64 address;
  guint64 value;
  guint64 first;
  guint64 offset; /* in the module */
  guint32 number;
  guint32 instance;
  guint32 process;
  guint32 stack;  /* or LC_TRACE_NONE */
  guint32 module; /* or LC_TRACE_NONE */
  guint8 object_class;
  guint8 kind;
} LcObject;

typedef struct _LcObjects LcObjects;

LcObjects *lc_objects_new (void);
void lc_objects_free (LcObjects *objects);

/* Adds an object, numbers it among those of its class and name, and returns its index. */
guint32 lc_objects_add (LcObjects *objects, const LcObject *object);

/* Whether the object is the same as all others of its class and name: MPI's, and the system's. */
gboolean lc_object_is_by_name (const LcObject *object);

/* Finds the object of such a kind with this class and name; there is at most one. LC_TRACE_NONE: none. */
guint32 lc_objects_find_by_name (const LcObjects *objects, guint8 object_class, const char *name);

/* Marks an object as shared by several address spaces. */
void lc_objects_share (LcObjects *objects, guint32 index);

guint32 lc_objects_count (const LcObjects *objects);
const LcObject *lc_objects_get (const LcObjects *objects, guint32 index);

/* Numbers all objects anew, those of one class and name in this order of their indexes. */
void lc_objects_renumber (LcObjects *objects, const guint32 *order);

char *lc_objects_dup_name (const LcObjects *objects, guint32 index);

#endif
