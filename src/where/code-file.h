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
  LC_CODE_SPLIT,   /* with that of lines; functions and variables of some units are in .dwo files that are not there */
  LC_CODE_BARE,    /* without */
  LC_CODE_OTHER,   /* the file is another version, and is not read */
  LC_CODE_KEPT,    /* another version, or none; what it told before is known */
  LC_CODE_MISSING, /* there is no such file, or it is no file of code */
} LcCodeState;

/* A file that has been read. */
typedef struct
{
  char *path, *bytes; /* NULL: none */
  gsize size;
  Elf *elf;
  gboolean is_unread; /* the system did not let us read it this time */
} LcElfFile;

/* A file of code with what belongs to it. */
typedef struct
{
  LcCodeState state;
  LcElfFile main;
  LcElfFile debug;   /* the separate file */
  LcElfFile shared;  /* of the debugging information that several files share */
  LcElfFile package; /* the .dwp file, once it has been looked for */
  gboolean is_package_sought;
  Dwarf *dwarf; /* NULL: no debugging information */
  Dwarf *shared_dwarf;
  GHashTable *splits;  /* Dwarf_CU of a skeleton -> Dwarf_Die of its unit in a .dwo file, or NULL: none was found */
  guint64 split_bytes; /* of .dwo files that have been read */
  gboolean is_split_unread; /* the system did not let us read one of them this time */
} LcCodeFile;

/* How long a file of code may be, and all its .dwo files together. */
#define LC_LARGEST_CODE (UINT64_C (4) << 30)

/* `build_id` in hexadecimal digits, or NULL: not known; `debug_directory` NULL: the system's. */
LcCodeFile *lc_code_file_open (const char *path, const char *build_id, const char *debug_directory);
void lc_code_file_free (LcCodeFile *file);

/* The .dwp file that lies beside the file or its separate one, NULL: there is none. Looked for when it is first asked
 * for. */
Elf *lc_code_file_get_package (LcCodeFile *file);

/* Whether a file that could not be opened may be opened another time. */
gboolean lc_code_error_is_passing (const char *path, const GError *error);

/* There was no memory or no descriptor, or reading failed: another time more may be known. */
gboolean lc_code_file_is_unread (const LcCodeFile *file);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (LcCodeFile, lc_code_file_free)

#endif
