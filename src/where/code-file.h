/* SPDX-License-Identifier: Apache-2.0 */
/* Opens files of code, and the separate files that hold what was taken out of them. */
#ifndef LC_WHERE_CODE_FILE_H
#define LC_WHERE_CODE_FILE_H

#include <elfutils/libdw.h>
#include <glib.h>

/* What there is of a file of code. */
typedef enum
{
  LC_CODE_GOOD,    /* with debugging information */
  LC_CODE_SPLIT,   /* with that of lines; functions and variables are in .dwo files, which are not read */
  LC_CODE_BARE,    /* without */
  LC_CODE_OTHER,   /* the file is another version, and is not read */
  LC_CODE_KEPT,    /* another version, or none; what it told before is known */
  LC_CODE_MISSING, /* there is no such file, or it is no file of code */
} LcCodeState;

/* A file that has been read. */
typedef struct
{
  char *bytes; /* NULL: none */
  gsize size;
  Elf *elf;
  gboolean is_unread; /* the system did not let us read it this time */
} LcElfFile;

/* A file of code with what belongs to it. */
typedef struct
{
  LcCodeState state;
  LcElfFile main;
  LcElfFile debug;  /* the separate file */
  LcElfFile shared; /* of the debugging information that several files share */
  Dwarf *dwarf;     /* NULL: no debugging information */
  Dwarf *shared_dwarf;
} LcCodeFile;

/* `build_id` in hexadecimal digits, or NULL: not known; `debug_directory` NULL: the system's. */
LcCodeFile *lc_code_file_open (const char *path, const char *build_id, const char *debug_directory);
void lc_code_file_free (LcCodeFile *file);

/* There was no memory or no descriptor, or reading failed: another time more may be known. */
gboolean lc_code_file_is_unread (const LcCodeFile *file);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (LcCodeFile, lc_code_file_free)

#endif
