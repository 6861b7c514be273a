/* SPDX-License-Identifier: Apache-2.0 */
/* Iterates over the records of an objects-I file, whatever bytes it holds. */
#ifndef LC_TRACE_RECORDS_H
#define LC_TRACE_RECORDS_H

#include "folder.h"
#include "problems.h"

/* A larger file is read only up to here. */
#define LC_RECORDS_LIMIT (UINT64_C (4) << 30)

typedef struct
{
  guint32 number;
  struct lc_object_record record;
  const char *name; /* record.name_length bytes, not terminated; valid until the next record */
} LcRecord;

typedef struct
{
  int fd;
  guint8 *window; /* NULL: the file is not open */
  guint64 window_offset;
  gsize window_size;
  guint64 base; /* where place 0 would be in the file */
  guint64 size;
  guint32 n_places;
  guint32 next;
  gboolean reserved; /* the places before `next` were reserved and not written */
  struct lc_objects_header header;
  LcProblems *problems; /* may be NULL */
  gboolean is_told;     /* what is wrong with the file is told elsewhere */
  gboolean is_unnamed;  /* no name follows a record */
  const char *name;     /* of the file, for the problems */
} LcRecords;

/*
 * Opens a file of the folder. A file with an invalid header has no records, and a problem is counted. FALSE: the file
 * cannot be opened. lc_records_clear closes it.
 */
gboolean lc_records_open (LcRecords *records, const LcFolder *folder, const char *name, LcProblems *problems,
                          GError **error);

/* The same for a file of which another reader tells what is wrong: only what the system did not let this one read is
 * counted. FALSE: there is no such file, or it cannot be opened. */
gboolean lc_records_open_again (LcRecords *records, const LcFolder *folder, const char *name, LcProblems *problems);

/*
 * The same for the shared objects of a recording that goes on, which are in its control block: objects-shared is
 * written only when the trace is closed. FALSE: there is no control block of this version.
 */
gboolean lc_records_open_control (LcRecords *records, const LcFolder *folder, LcProblems *problems);

/* TRUE if the file is a control block of this version. */
gboolean lc_records_is_control (int file);

gboolean lc_records_next (LcRecords *records, LcRecord *record);
void lc_records_rewind (LcRecords *records);
void lc_records_clear (LcRecords *records);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (LcRecords, lc_records_clear)

#endif
