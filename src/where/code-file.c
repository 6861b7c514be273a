/* SPDX-License-Identifier: Apache-2.0 */
/* Opens files of code, and the separate files that hold what was taken out of them. */
#include "code-file.h"

#include <dwarf.h>
#include <elfutils/libdwelf.h>
#include <string.h>
#include <unistd.h>

#include "trace/crc.h"
#include "trace/files.h"

#define DEBUG_DIRECTORY "/usr/lib/debug"
#define LONGEST_BUILD_ID 64
#define ZEROS 64

static void
close_elf (LcElfFile *file)
{
  g_clear_pointer (&file->elf, elf_end);
  g_clear_pointer (&file->bytes, g_free);
  g_clear_pointer (&file->path, g_free);
}

/* The zero bytes behind the file end every string in it: the libraries trust sections of strings to end with one. */
static gboolean
read_bytes (LcElfFile *file, int fd, guint64 size)
{
  gssize got;

  file->size = (gsize)size;
  file->bytes = size >= SELFMAG && size <= LC_LARGEST_CODE ? g_try_malloc (file->size + ZEROS) : NULL;
  file->is_unread = file->bytes == NULL && size >= SELFMAG && size <= LC_LARGEST_CODE;
  if (file->bytes == NULL)
    return FALSE;
  memset (file->bytes + size, 0, ZEROS);
  got = lc_file_read (fd, file->bytes, SELFMAG, 0);
  if (got == SELFMAG && memcmp (file->bytes, ELFMAG, SELFMAG) == 0)
    got = lc_file_read (fd, file->bytes, file->size, 0);
  file->is_unread = got < 0;
  return got == (gssize)size;
}

/* That we may not read a file is for good only if its mode says so. */
gboolean
lc_code_error_is_passing (const char *path, const GError *error)
{
  if (g_error_matches (error, G_FILE_ERROR, G_FILE_ERROR_ACCES))
    return access (path, R_OK) == 0;
  return g_error_matches (error, G_FILE_ERROR, G_FILE_ERROR_NOMEM) ||
         g_error_matches (error, G_FILE_ERROR, G_FILE_ERROR_NFILE) ||
         g_error_matches (error, G_FILE_ERROR, G_FILE_ERROR_MFILE) ||
         g_error_matches (error, G_FILE_ERROR, G_FILE_ERROR_IO);
}

/* FALSE: there is no such file, or it is no file of code. */
static gboolean
open_elf (const char *path, LcElfFile *file)
{
  g_autoptr (GError) error = NULL;
  guint64 size = 0;
  int fd = lc_file_open (path, &size, &error);

  if (fd < 0)
    {
      file->is_unread |= lc_code_error_is_passing (path, error);
      return FALSE;
    }
  if (read_bytes (file, fd, size))
    file->elf = elf_memory (file->bytes, file->size);
  close (fd);
  if (file->elf != NULL && elf_kind (file->elf) == ELF_K_ELF)
    {
      file->path = g_strdup (path);
      return TRUE;
    }
  close_elf (file);
  return FALSE;
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

/* Opens a file, and lets go of it if it has another build-id. */
static gboolean
open_same (const char *path, const char *build_id, LcElfFile *file)
{
  g_autofree char *id = open_elf (path, file) ? build_id_of (file->elf) : NULL;

  if (g_strcmp0 (id, build_id) == 0)
    return TRUE;
  close_elf (file);
  return FALSE;
}

static gboolean
open_by_build_id (const char *directory, const char *build_id, LcElfFile *file)
{
  g_autofree char *path = g_strdup_printf ("%s/.build-id/%.2s/%s.debug", directory, build_id, build_id + 2);

  return open_same (path, build_id, file);
}

/* --- Separate debugging information ---------------------------------------------------------------------------- */

/* Opens the file that a link names, if it is the one that was meant. */
static gboolean
open_linked (const char *path, const char *build_id, guint32 checksum, LcElfFile *file)
{
  g_autofree char *id = open_elf (path, file) ? build_id_of (file->elf) : NULL;

  if (file->elf != NULL &&
      ((build_id != NULL && g_strcmp0 (id, build_id) == 0) || lc_crc (0, file->bytes, file->size) == checksum))
    return TRUE;
  close_elf (file);
  return FALSE;
}

static gboolean
open_by_link (const char *path, const char *directory, const char *build_id, LcCodeFile *file)
{
  GElf_Word checksum = 0;
  const char *name = dwelf_elf_gnu_debuglink (file->main.elf, &checksum);
  g_autofree char *folder = g_path_get_dirname (path);
  const char *const places[][2] = {{folder, ""}, {folder, "/.debug"}, {directory, folder}};

  if (name == NULL || name[0] == '\0' || strchr (name, '/') != NULL)
    return FALSE;
  for (gsize i = 0; i < G_N_ELEMENTS (places); i++)
    {
      g_autofree char *linked = g_strdup_printf ("%s%s/%s", places[i][0], places[i][1], name);

      if (open_linked (linked, build_id, checksum, &file->debug))
        return TRUE;
    }
  return FALSE;
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
  if (open_by_build_id (directory, build_id, &file->shared) || open_same (plain, build_id, &file->shared))
    file->shared_dwarf = begin_dwarf (file->shared.elf);
  if (file->shared_dwarf == NULL)
    return FALSE;
  dwarf_setalt (file->dwarf, file->shared_dwarf);
  return TRUE;
}

static void
find_dwarf (LcCodeFile *file, const char *path, const char *directory)
{
  g_autofree char *build_id = build_id_of (file->main.elf);

  file->dwarf = begin_dwarf (file->main.elf);
  if (file->dwarf == NULL && ((build_id != NULL && open_by_build_id (directory, build_id, &file->debug)) ||
                              open_by_link (path, directory, build_id, file)))
    file->dwarf = begin_dwarf (file->debug.elf);
  if (file->dwarf != NULL && !attach_shared (file, path, directory))
    g_clear_pointer (&file->dwarf, dwarf_end);
}

LcCodeFile *
lc_code_file_open (const char *path, const char *build_id, const char *debug_directory)
{
  LcCodeFile *file = g_new0 (LcCodeFile, 1);
  g_autofree char *id = NULL;

  elf_version (EV_CURRENT);
  file->splits = g_hash_table_new_full (NULL, NULL, NULL, g_free);
  file->state = LC_CODE_MISSING;
  if (!open_elf (path, &file->main))
    return file;
  id = build_id_of (file->main.elf);
  if (build_id != NULL && (id == NULL || g_ascii_strcasecmp (id, build_id) != 0))
    {
      file->state = LC_CODE_OTHER;
      close_elf (&file->main);
      return file;
    }
  find_dwarf (file, path, debug_directory != NULL ? debug_directory : DEBUG_DIRECTORY);
  file->state = file->dwarf == NULL ? LC_CODE_BARE : LC_CODE_GOOD;
  return file;
}

/* --- Packages of .dwo files ------------------------------------------------------------------------------------- */

static gboolean
open_package (const LcElfFile *beside, LcElfFile *package)
{
  g_autofree char *path = beside->path != NULL ? g_strconcat (beside->path, ".dwp", NULL) : NULL;

  return path != NULL && open_elf (path, package);
}

Elf *
lc_code_file_get_package (LcCodeFile *file)
{
  if (!file->is_package_sought && !open_package (&file->main, &file->package))
    open_package (&file->debug, &file->package);
  file->is_package_sought = TRUE;
  return file->package.elf;
}

gboolean
lc_code_file_is_unread (const LcCodeFile *file)
{
  return file->main.is_unread || file->debug.is_unread || file->shared.is_unread || file->package.is_unread ||
         file->is_split_unread;
}

void
lc_code_file_free (LcCodeFile *file)
{
  g_hash_table_unref (file->splits);
  g_clear_pointer (&file->dwarf, dwarf_end);
  g_clear_pointer (&file->shared_dwarf, dwarf_end);
  close_elf (&file->package);
  close_elf (&file->shared);
  close_elf (&file->debug);
  close_elf (&file->main);
  g_free (file);
}
