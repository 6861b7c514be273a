/* SPDX-License-Identifier: Apache-2.0 */
/* The files switches-N of a trace. */
#ifndef LC_TRACE_SWITCH_FILES_H
#define LC_TRACE_SWITCH_FILES_H

#include "folder.h"
#include "lightcone/trace-format.h"

#define LC_SWITCHES_PREFIX "switches-"

/* A file from front to back; zero at first. */
typedef struct
{
  int file;
  guint64 size;
  guint64 next; /* byte after the pack */
  struct lc_switches_header header;
  struct lc_switch_pack pack; /* the last one that was read ... */
  guint64 place;              /* ... and its absences */
  gboolean is_damaged;        /* what begins at `next` is no pack, or not a whole one ... */
  gboolean is_unread;         /* ... or the system did not let it be read this time */
} LcSwitchFile;

/* FALSE: the file cannot be opened, or its first bytes are not those of such a file; then `file` is -1. */
gboolean lc_switch_file_open (LcSwitchFile *file, const LcFolder *folder, const char *name, GError **error);
void lc_switch_file_close (LcSwitchFile *file);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (LcSwitchFile, lc_switch_file_close)

/* Reads the next pack, without its absences. FALSE: the file has ended, or is damaged. */
gboolean lc_switch_file_next (LcSwitchFile *file);

/* Says in a file that all is in it until `end`, in ticks. */
void lc_switch_file_end (int file, guint64 end);

/* The sums of what the files of a trace say. */
typedef struct
{
  guint files;
  guint64 recorded; /* absences */
  guint64 lost;     /* switches */
  guint32 refused;  /* errno; 0: the kernel told them */
} LcSwitchSums;

void lc_switch_files_sum (const LcFolder *folder, LcSwitchSums *sums);

/* Ends all files that nobody has ended. */
void lc_switch_files_end (const LcFolder *folder, guint64 end);

/* Why the kernel does not tell switches, by the header's errno. */
const char *lc_switches_why_refused (guint32 refused);

#endif
