/* SPDX-License-Identifier: Apache-2.0 */
/* Opens files of code, and the separate files that hold what was taken out of them. */
#include "code-file.h"

#include <elfutils/libdwelf.h>
#include <string.h>
#include <unistd.h>

#include "trace/files.h"

#define DEBUG_DIRECTORY "/usr/lib/debug"
#define LARGEST_FILE (UINT64_C (4) << 30)
#define LONGEST_BUILD_ID 64

/* -1: there is no such file, or it is no file of code. */
static int
open_elf (const char *path, Elf **elf)
{
  guint64 size = 0;
  int fd = lc_file_open (path, &size, NULL);

  if (fd < 0)
    return -1;
  *elf = size <= LARGEST_FILE ? elf_begin (fd, ELF_C_READ, NULL) : NULL;
  if (*elf != NULL && elf_kind (*elf) == ELF_K_ELF)
    return fd;
  g_clear_pointer (elf, elf_end);
  close (fd);
  return -1;
}

static char *
format_id (const void *bytes, gssize length)
{
  GString *id = g_string_new (NULL);

  for (gssize i = 0; i < MIN (length, LONGEST_BUILD_ID); i++)
    g_string_append_printf (id, "%02x", ((const guint8 *)bytes)[i]);
  return g_string_free (id, FALSE);
}

/* NULL: the file has none. */
static char *
build_id_of (Elf *elf)
{
  const void *bytes = NULL;
  gssize length = dwelf_elf_gnu_build_id (elf, &bytes);

  return length > 1 ? format_id (bytes, length) : NULL;
}

/* Opens a file, and lets go of it if it has another build-id; `build_id` NULL: any will do. */
static int
open_same (const char *path, const char *build_id, Elf **elf)
{
  int fd = open_elf (path, elf);
  g_autofree char *id = fd >= 0 ? build_id_of (*elf) : NULL;

  if (fd < 0 || build_id == NULL || g_strcmp0 (id, build_id) == 0)
    return fd;
  g_clear_pointer (elf, elf_end);
  close (fd);
  return -1;
}

static int
open_by_build_id (const char *directory, const char *build_id, Elf **elf)
{
  g_autofree char *path = g_strdup_printf ("%s/.build-id/%.2s/%s.debug", directory, build_id, build_id + 2);

  return open_same (path, build_id, elf);
}

/* --- Separate debugging information ---------------------------------------------------------------------------- */

static gboolean
checksum_is (int fd, guint32 expected)
{
  g_autofree guint8 *bytes = g_malloc (1 << 16);
  guint32 crc = ~UINT32_C (0), table[256];
  guint64 offset = 0;
  gssize n;

  for (guint32 i = 0; i < G_N_ELEMENTS (table); i++)
    {
      table[i] = i;
      for (int bit = 0; bit < 8; bit++)
        table[i] = (table[i] >> 1) ^ (table[i] % 2 != 0 ? UINT32_C (0xedb88320) : 0);
    }
  while ((n = lc_file_read (fd, bytes, 1 << 16, offset)) > 0)
    {
      for (gssize i = 0; i < n; i++)
        crc = (crc >> 8) ^ table[(crc ^ bytes[i]) & 0xff];
      offset += (guint64)n;
    }
  return n == 0 && ~crc == expected;
}

/* Opens the file that a link names, if it is the one that was meant. */
static int
open_linked (const char *path, const char *build_id, guint32 checksum, Elf **elf)
{
  int fd = open_elf (path, elf);
  g_autofree char *id = fd >= 0 ? build_id_of (*elf) : NULL;

  if (fd < 0 || (build_id != NULL && g_strcmp0 (id, build_id) == 0) || checksum_is (fd, checksum))
    return fd;
  g_clear_pointer (elf, elf_end);
  close (fd);
  return -1;
}

static int
open_by_link (const char *path, const char *directory, const char *build_id, Elf *from, Elf **elf)
{
  GElf_Word checksum = 0;
  const char *name = dwelf_elf_gnu_debuglink (from, &checksum);
  g_autofree char *folder = g_path_get_dirname (path);
  const char *const places[][2] = {{"", folder}, {"/.debug", folder}, {folder, directory}};

  if (name == NULL || name[0] == '\0' || strchr (name, '/') != NULL)
    return -1;
  for (gsize i = 0; i < G_N_ELEMENTS (places); i++)
    {
      g_autofree char *linked = g_strdup_printf ("%s%s/%s", places[i][1], places[i][0], name);
      int fd = open_linked (linked, build_id, checksum, elf);

      if (fd >= 0)
        return fd;
    }
  return -1;
}

/* --- Debugging information ------------------------------------------------------------------------------------------
 */

/* NULL: there is none that says anything of functions. */
static Dwarf *
begin_dwarf (Elf *elf)
{
  Dwarf *dwarf = dwarf_begin_elf (elf, DWARF_C_READ, NULL);
  Dwarf_CU *unit = NULL;

  if (dwarf != NULL && dwarf_get_units (dwarf, NULL, &unit, NULL, NULL, NULL, NULL) == 0)
    return dwarf;
  if (dwarf != NULL)
    dwarf_end (dwarf);
  return NULL;
}

/*
 * Opens the file of debugging information that this one shares with others. The library would do it itself, but would
 * wait for a pipe of that name. FALSE: it may.
 */
static gboolean
attach_shared (LcCodeFile *file, const char *path, const char *directory)
{
  const char *name = NULL;
  const void *id = NULL;
  gssize length = dwelf_dwarf_gnu_debugaltlink (file->dwarf, &name, &id);
  g_autofree char *build_id = length > 1 ? format_id (id, length) : NULL;
  g_autofree char *folder = g_path_get_dirname (path), *plain = NULL;

  if (build_id == NULL || length > LONGEST_BUILD_ID)
    return length <= 0;
  plain = g_canonicalize_filename (name, folder);
  file->shared_fd = open_by_build_id (directory, build_id, &file->shared_elf);
  if (file->shared_fd < 0)
    file->shared_fd = open_same (plain, build_id, &file->shared_elf);
  if (file->shared_fd >= 0)
    file->shared_dwarf = begin_dwarf (file->shared_elf);
  if (file->shared_dwarf == NULL)
    return FALSE;
  dwarf_setalt (file->dwarf, file->shared_dwarf);
  return TRUE;
}

static void
find_dwarf (LcCodeFile *file, const char *path, const char *directory)
{
  g_autofree char *build_id = build_id_of (file->elf);

  file->dwarf = begin_dwarf (file->elf);
  if (file->dwarf == NULL)
    {
      if (build_id != NULL)
        file->debug_fd = open_by_build_id (directory, build_id, &file->debug_elf);
      if (file->debug_fd < 0)
        file->debug_fd = open_by_link (path, directory, build_id, file->elf, &file->debug_elf);
      file->dwarf = file->debug_fd >= 0 ? begin_dwarf (file->debug_elf) : NULL;
    }
  if (file->dwarf != NULL && !attach_shared (file, path, directory))
    g_clear_pointer (&file->dwarf, dwarf_end);
}

LcCodeFile *
lc_code_file_open (const char *path, const char *build_id, const char *debug_directory)
{
  LcCodeFile *file = g_new0 (LcCodeFile, 1);
  g_autofree char *id = NULL;

  elf_version (EV_CURRENT);
  file->debug_fd = file->shared_fd = -1;
  file->state = LC_CODE_MISSING;
  file->fd = open_elf (path, &file->elf);
  if (file->fd < 0)
    return file;
  id = build_id_of (file->elf);
  if (build_id != NULL && (id == NULL || g_ascii_strcasecmp (id, build_id) != 0))
    {
      file->state = LC_CODE_OTHER;
      g_clear_pointer (&file->elf, elf_end);
      return file;
    }
  find_dwarf (file, path, debug_directory != NULL ? debug_directory : DEBUG_DIRECTORY);
  file->state = file->dwarf != NULL ? LC_CODE_GOOD : LC_CODE_BARE;
  return file;
}

void
lc_code_file_free (LcCodeFile *file)
{
  const int descriptors[] = {file->fd, file->debug_fd, file->shared_fd};

  g_clear_pointer (&file->dwarf, dwarf_end);
  g_clear_pointer (&file->shared_dwarf, dwarf_end);
  g_clear_pointer (&file->shared_elf, elf_end);
  g_clear_pointer (&file->debug_elf, elf_end);
  g_clear_pointer (&file->elf, elf_end);
  for (gsize i = 0; i < G_N_ELEMENTS (descriptors); i++)
    if (descriptors[i] >= 0)
      close (descriptors[i]);
  g_free (file);
}
