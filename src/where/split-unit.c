/* SPDX-License-Identifier: Apache-2.0 */
/* Reads the .dwo files in which compilers leave most of a unit's debugging information with -gsplit-dwarf. */
#include "split-unit.h"

#include <dwarf.h>
#include <errno.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "trace/files.h"
#include "where/split-package.h"

/*
 * libdw opens such a file by itself and by its path, and nothing else can join it to the skeleton: it would wait for a
 * pipe, and would map a file that a compiler may cut off meanwhile. So the file is read here, with the limits of all
 * files of code, into memory that has a descriptor; and while libdw looks for it, the name in the skeleton, which is
 * in memory of ours, is that of the descriptor.
 */

#define NO_PATH "/dev/null/." /* that nothing can be at */

enum
{
  ZEROS = 64, /* after the file: they end every string in it */
  LONGEST_NAME = 32,
};

static const char *
split_unit_string (Dwarf_Die *unit, guint attribute)
{
  Dwarf_Attribute found;

  return dwarf_attr (unit, attribute, &found) != NULL ? dwarf_formstring (&found) : NULL;
}

/* NULL: a relative path from a place that nobody knows. */
static char *
split_unit_dup_path (Dwarf_Die *unit, const char *name)
{
  const char *folder = split_unit_string (unit, DW_AT_comp_dir);

  if (name[0] == '/')
    return g_strdup (name);
  return folder != NULL && folder[0] == '/' ? g_build_filename (folder, name, NULL) : NULL;
}

/* --- Reading -------------------------------------------------------------------------------------------------------
 */

/* Copies the file to memory that nobody can cut off. */
static gboolean
split_unit_copy (LcCodeFile *file, int from, int to, guint64 size)
{
  gboolean good = FALSE;
  char *bytes;

  if (ftruncate (to, (off_t)size + ZEROS) != 0)
    bytes = MAP_FAILED;
  else
    bytes = mmap (NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED, to, 0);
  if (bytes == MAP_FAILED)
    {
      file->is_split_unread = TRUE;
      return FALSE;
    }
  if (lc_file_read (from, bytes, SELFMAG, 0) == SELFMAG && memcmp (bytes, ELFMAG, SELFMAG) == 0)
    {
      gssize got = lc_file_read (from, bytes, size, 0);

      file->is_split_unread |= got < 0;
      good = got == (gssize)size;
    }
  munmap (bytes, size);
  return good;
}

/* Returns a descriptor of a copy, or -1. */
static int
split_unit_read (LcCodeFile *file, const char *path)
{
  g_autoptr (GError) error = NULL;
  guint64 size = 0;
  int from = lc_file_open (path, &size, &error), to = -1;

  if (from < 0)
    file->is_split_unread |= lc_code_error_is_passing (path, error);
  else if (size >= SELFMAG && size <= LC_LARGEST_CODE - file->split_bytes)
    {
      file->split_bytes += size;
      to = memfd_create ("lightcone-dwo", MFD_CLOEXEC);
      file->is_split_unread |= to < 0;
      if (to >= 0 && !split_unit_copy (file, from, to, size))
        {
          close (to);
          to = -1;
        }
    }
  if (from >= 0)
    close (from);
  return to;
}

/* --- Joining -------------------------------------------------------------------------------------------------------
 */

/* Whether a name can be written over with a longer one for a moment: it is in a section of strings of a file in memory
 * of ours, behind which there is room. */
static gboolean
split_unit_has_room (const LcElfFile *file, const Dwarf_Attribute *attribute, const char *name)
{
  return attribute->form != DW_FORM_string && file->bytes != NULL && name >= file->bytes &&
         name < file->bytes + file->size;
}

/* Lets libdw look for the rest of a skeleton at another path. It remembers what it found, also that it was nothing. */
static gboolean
split_unit_join (Dwarf_Die *unit, char *name, const char *path, Dwarf_Die *result)
{
  const gsize length = strlen (path) + 1;
  char before[LONGEST_NAME];
  int status;

  memcpy (before, name, length);
  memcpy (name, path, length);
  status = dwarf_cu_info (unit->cu, NULL, NULL, NULL, result, NULL, NULL, NULL);
  memcpy (name, before, length);
  return status == 0 && dwarf_tag (result) == DW_TAG_compile_unit;
}

/* Returns a descriptor of a copy of what a skeleton stands for, or -1. A package is made of a finished program, so what
 * is in it is never older than a .dwo file. */
static int
split_unit_open (LcCodeFile *file, Dwarf_Die *unit, const char *name, guint64 id)
{
  const int packed = lc_split_package_cut (file, id);
  g_autofree char *path = packed < 0 ? split_unit_dup_path (unit, name) : NULL;

  return path != NULL ? split_unit_read (file, path) : packed;
}

static gboolean
split_unit_find (LcCodeFile *file, Dwarf_Die *unit, guint64 id, Dwarf_Die *result)
{
  char path[LONGEST_NAME] = NO_PATH;
  Dwarf_Attribute attribute;
  const char *name = NULL;
  gboolean good;
  int copy;

  if (dwarf_attr (unit, DW_AT_dwo_name, &attribute) != NULL ||
      dwarf_attr (unit, DW_AT_GNU_dwo_name, &attribute) != NULL)
    name = dwarf_formstring (&attribute);
  if (name == NULL || (strlen (name) < LONGEST_NAME && !split_unit_has_room (&file->main, &attribute, name) &&
                       !split_unit_has_room (&file->debug, &attribute, name)))
    return FALSE;
  copy = split_unit_open (file, unit, name, id);
  if (copy >= 0)
    g_snprintf (path, sizeof path, "/proc/self/fd/%d", copy);
  good = split_unit_join (unit, (char *)name, path, result);
  if (copy >= 0)
    close (copy);
  return good;
}

void
lc_split_unit_follow (LcCodeFile *file, Dwarf_Die *unit)
{
  gpointer known;
  Dwarf_Die found;
  guint8 type = 0;
  guint64 id = 0;

  if (dwarf_cu_info (unit->cu, NULL, &type, NULL, NULL, &id, NULL, NULL) != 0 || type != DW_UT_skeleton)
    return;
  if (!g_hash_table_lookup_extended (file->splits, unit->cu, NULL, &known))
    {
      known = split_unit_find (file, unit, id, &found) ? g_memdup2 (&found, sizeof found) : NULL;
      g_hash_table_insert (file->splits, unit->cu, known);
    }
  if (known != NULL)
    *unit = *(const Dwarf_Die *)known;
  else
    file->state = LC_CODE_SPLIT;
}
