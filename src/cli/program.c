/* SPDX-License-Identifier: Apache-2.0 */
/* Looks at the file of the program to record. */
#include "program.h"

#include <elf.h>
#include <errno.h>
#include <fcntl.h>
#include <glib/gi18n.h>
#include <glib/gstdio.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/xattr.h>
#include <unistd.h>

/* Linux follows so many scripts whose interpreter is a script. */
#define INTERPRETERS 5

/* --- Finding the file --------------------------------------------------------------------------------------------- */

/* Returns 0, or the errno why a file cannot be run. */
static int
try_file (const char *path)
{
  struct stat status;

  if (stat (path, &status) != 0)
    return errno;
  if (!S_ISREG (status.st_mode))
    return EACCES;
  return access (path, X_OK) == 0 ? 0 : errno;
}

char *
lc_program_find (const char *name, int *error_number)
{
  const char *folders = g_getenv ("PATH");
  g_auto (GStrv) list = g_strsplit (folders != NULL ? folders : "/bin:/usr/bin", ":", -1);

  if (strchr (name, '/') != NULL)
    {
      *error_number = try_file (name);
      return *error_number == 0 ? g_strdup (name) : NULL;
    }
  *error_number = ENOENT;
  for (char **folder = list; name[0] != '\0' && *folder != NULL; folder++)
    {
      g_autofree char *path = g_build_filename (**folder != '\0' ? *folder : ".", name, NULL);
      int error = try_file (path);

      if (error == 0)
        return g_steal_pointer (&path);
      if (error == EACCES)
        *error_number = error;
    }
  return NULL;
}

/* --- Looking into the file ---------------------------------------------------------------------------------------- */

/* Gives the program that a script names in its first line, or NULL. */
static char *
interpreter_of (const char *start)
{
  gsize length;

  if (strncmp (start, "#!", 2) != 0)
    return NULL;
  start += 2 + strspn (start + 2, " \t");
  length = strcspn (start, " \t\r\n");
  return length > 0 ? g_strndup (start, length) : NULL;
}

static gboolean
has_dynamic_linker (int file, const Elf64_Ehdr *header)
{
  for (guint i = 0; i < header->e_phnum; i++)
    {
      Elf64_Phdr segment;
      off_t at = (off_t)(header->e_phoff + (guint64)i * header->e_phentsize);

      if (pread (file, &segment, sizeof segment, at) == sizeof segment && segment.p_type == PT_INTERP)
        return TRUE;
    }
  return FALSE;
}

static gboolean
gains_privileges (int file)
{
  struct stat status;

  if (fstat (file, &status) == 0 && (((status.st_mode & S_ISUID) != 0 && status.st_uid != geteuid ()) ||
                                     ((status.st_mode & S_ISGID) != 0 && status.st_gid != getegid ())))
    return TRUE;
  return geteuid () != 0 && fgetxattr (file, "security.capability", NULL, 0) > 0;
}

static const char *
why_file_silent (int file, const Elf64_Ehdr *header, const Elf64_Ehdr *ours)
{
  if (memcmp (header->e_ident, ELFMAG, SELFMAG) != 0)
    return NULL;
  if (header->e_ident[EI_CLASS] != ours->e_ident[EI_CLASS] || header->e_machine != ours->e_machine)
    return _ ("the program is for another kind of processor than the recorder");
  if (!has_dynamic_linker (file, header))
    return _ ("the program is linked statically");
  if (gains_privileges (file))
    return _ ("the program has more privileges than its user");
  return NULL;
}

static gssize
program_read_start (int file, void *bytes, gsize size)
{
  return file >= 0 ? pread (file, bytes, size, 0) : -1;
}

const char *
lc_program_why_silent (const char *path)
{
  g_autofree char *name = g_strdup (path);
  int self = open ("/proc/self/exe", O_RDONLY | O_CLOEXEC);
  const char *reason = NULL;
  Elf64_Ehdr ours = {0};

  program_read_start (self, &ours, sizeof ours);
  for (guint i = 0; i < INTERPRETERS && name != NULL && reason == NULL; i++)
    {
      union
      {
        Elf64_Ehdr header;
        char text[256];
      } start = {.text = ""};
      int file = open (name, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
      gssize size = program_read_start (file, &start, sizeof start - 1);

      if (size >= (gssize)sizeof start.header)
        reason = why_file_silent (file, &start.header, &ours);
      g_free (name);
      name = size > 0 ? interpreter_of (start.text) : NULL;
      if (file >= 0)
        close (file);
    }
  if (self >= 0)
    close (self);
  return reason;
}
