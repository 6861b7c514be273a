/* SPDX-License-Identifier: Apache-2.0 */
/* Opens, lists, makes and removes files in a trace directory, relative to its descriptor. */
#include "folder.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/random.h>
#include <unistd.h>

#include "lightcone/trace.h"

#define ENTER_FLAGS (O_PATH | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)
#define READ_FLAGS (O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC | O_NOCTTY)

/* Number of random names to try for a temporary file. */
#define NAME_TRIES 100

struct _LcFolder
{
  gatomicrefcount references;
  LcFolder *parent; /* NULL: the trace directory itself, whose `fd` is open */
  char *name;       /* in the parent */
  char *path;
  int fd;
  gid_t group;
};

static LcFolder *
folder_new (LcFolder *parent, const char *path, const char *name, int fd)
{
  LcFolder *folder = g_new0 (LcFolder, 1);

  g_atomic_ref_count_init (&folder->references);
  folder->parent = parent != NULL ? lc_folder_ref (parent) : NULL;
  folder->name = g_strdup (name);
  folder->path = parent != NULL ? g_build_filename (parent->path, name, NULL) : g_strdup (path);
  folder->fd = fd;
  folder->group = parent != NULL ? parent->group : LC_FOLDER_PRIVATE;
  return folder;
}

LcFolder *
lc_folder_open (const char *path, GError **error)
{
  int fd = open (path, O_PATH | O_DIRECTORY | O_CLOEXEC);

  if (fd >= 0)
    return folder_new (NULL, path, NULL, fd);
  lc_file_set_error (error, path, errno);
  return NULL;
}

LcFolder *
lc_folder_ref (LcFolder *folder)
{
  g_atomic_ref_count_inc (&folder->references);
  return folder;
}

void
lc_folder_unref (LcFolder *folder)
{
  if (folder == NULL || !g_atomic_ref_count_dec (&folder->references))
    return;
  if (folder->parent == NULL)
    close (folder->fd);
  lc_folder_unref (folder->parent);
  g_free (folder->name);
  g_free (folder->path);
  g_free (folder);
}

const char *
lc_folder_get_path (const LcFolder *folder)
{
  return folder->path;
}

char *
lc_folder_dup_path (const LcFolder *folder, const char *name)
{
  return name != NULL ? g_build_filename (folder->path, name, NULL) : g_strdup (folder->path);
}

void
lc_folder_set_error (const LcFolder *folder, const char *name, int code, GError **error)
{
  g_autofree char *path = lc_folder_dup_path (folder, name);

  if (code == ELOOP)
    g_set_error (error, G_FILE_ERROR, G_FILE_ERROR_LOOP, "%s: a symbolic link, which is not followed within a trace",
                 path);
  else
    lc_file_set_error (error, path, code);
}

/* --- Entering folders -------------------------------------------------------------------------------------------- */

static void
folder_leave (const LcFolder *folder, int fd)
{
  int problem = errno;

  if (folder->parent != NULL && fd >= 0)
    close (fd);
  errno = problem;
}

/* Opens an inner folder each time it is needed, because a trace of many hosts would need too many descriptors. -1:
 * errno. */
static int
folder_enter (const LcFolder *folder)
{
  int above, fd;

  if (folder->parent == NULL)
    return folder->fd;
  above = folder_enter (folder->parent);
  if (above < 0)
    return -1;
  fd = openat (above, folder->name, ENTER_FLAGS);
  folder_leave (folder->parent, above);
  return fd;
}

gboolean
lc_folder_stat (const LcFolder *folder, const char *name, struct stat *status)
{
  int above = folder_enter (folder);
  gboolean good = above >= 0 && fstatat (above, name != NULL ? name : "", status,
                                         AT_SYMLINK_NOFOLLOW | (name != NULL ? 0 : AT_EMPTY_PATH)) == 0;

  folder_leave (folder, above);
  return good;
}

static gboolean
folder_has (const LcFolder *folder, const char *name, mode_t type)
{
  struct stat status;

  return lc_folder_stat (folder, name, &status) && (status.st_mode & S_IFMT) == type;
}

LcFolder *
lc_folder_open_inner (LcFolder *folder, const char *name, GError **error)
{
  g_autoptr (LcFolder) inner = folder_new (folder, NULL, name, -1);
  int fd = folder_enter (inner);

  if (fd >= 0)
    {
      folder_leave (inner, fd);
      return g_steal_pointer (&inner);
    }
  lc_folder_set_error (folder, name, errno == ENOTDIR && folder_has (folder, name, S_IFLNK) ? ELOOP : errno, error);
  return NULL;
}

static int
folder_open_at (const LcFolder *folder, const char *name, int flags, mode_t mode)
{
  int above = folder_enter (folder), fd;

  if (above < 0)
    return -1;
  fd = openat (above, name, flags, mode);
  folder_leave (folder, above);
  return fd;
}

/* --- Looking ----------------------------------------------------------------------------------------------------- */

gboolean
lc_folder_has_file (const LcFolder *folder, const char *name)
{
  return folder_has (folder, name, S_IFREG);
}

gboolean
lc_folder_has_folder (const LcFolder *folder, const char *name)
{
  return folder_has (folder, name, S_IFDIR);
}

gboolean
lc_folder_is_ours (const LcFolder *folder)
{
  struct stat status;

  return lc_folder_stat (folder, NULL, &status) && status.st_uid == geteuid ();
}

GPtrArray *
lc_folder_list (const LcFolder *folder, GError **error)
{
  int fd = folder_open_at (folder, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC, 0);
  DIR *list = fd >= 0 ? fdopendir (fd) : NULL;
  const struct dirent *entry;
  GPtrArray *names;

  if (list == NULL)
    {
      lc_folder_set_error (folder, NULL, errno, error);
      if (fd >= 0)
        close (fd);
      return NULL;
    }
  names = g_ptr_array_new_with_free_func (g_free);
  while ((errno = 0, entry = readdir (list)) != NULL)
    if (strcmp (entry->d_name, ".") != 0 && strcmp (entry->d_name, "..") != 0)
      g_ptr_array_add (names, g_strdup (entry->d_name));
  if (errno != 0)
    {
      lc_folder_set_error (folder, NULL, errno, error);
      g_clear_pointer (&names, g_ptr_array_unref);
    }
  closedir (list);
  return names;
}

static gboolean
parse_number (const char *text, guint32 *number)
{
  guint64 value = 0;

  if (*text == '\0' || (text[0] == '0' && text[1] != '\0'))
    return FALSE;
  for (; g_ascii_isdigit (*text); text++)
    {
      value = value * 10 + (guint64)(*text - '0');
      if (value >= G_MAXUINT32)
        return FALSE;
    }
  *number = (guint32)value;
  return *text == '\0';
}

static int
compare_numbered (gconstpointer a, gconstpointer b)
{
  const LcNumberedFile *left = a, *right = b;

  return left->number < right->number ? -1 : left->number > right->number;
}

static void
clear_numbered (gpointer data)
{
  g_free (((LcNumberedFile *)data)->name);
}

GArray *
lc_folder_list_numbered (const LcFolder *folder, const char *prefix, GError **error)
{
  g_autoptr (GPtrArray) names = lc_folder_list (folder, error);
  GArray *files;

  if (names == NULL)
    return NULL;
  files = g_array_new (FALSE, FALSE, sizeof (LcNumberedFile));
  g_array_set_clear_func (files, clear_numbered);
  for (guint i = 0; i < names->len; i++)
    {
      const char *name = names->pdata[i];
      LcNumberedFile file;

      if (!g_str_has_prefix (name, prefix) || !parse_number (name + strlen (prefix), &file.number))
        continue;
      file.name = g_strdup (name);
      g_array_append_val (files, file);
    }
  g_array_sort (files, compare_numbered);
  return files;
}

/* --- Reading ------------------------------------------------------------------------------------------------------ */

/* Closes the descriptor, and fails, unless it is that of a regular file. -1: error. */
static int
folder_check_file (const LcFolder *folder, const char *name, int fd, struct stat *status, GError **error)
{
  g_autofree char *path = NULL;

  if (fd >= 0 && fstat (fd, status) == 0 && S_ISREG (status->st_mode))
    return fd;
  path = lc_folder_dup_path (folder, name);
  /* Opening a socket, or a device that nothing serves, fails with these codes. */
  if (fd >= 0 || errno == ENXIO || errno == ENODEV)
    g_set_error (error, G_FILE_ERROR, G_FILE_ERROR_INVAL, "%s: not a regular file", path);
  else
    lc_folder_set_error (folder, name, errno, error);
  if (fd >= 0)
    close (fd);
  return -1;
}

int
lc_folder_open_file (const LcFolder *folder, const char *name, guint64 *size, GError **error)
{
  struct stat status = {0};
  int fd = folder_check_file (folder, name, folder_open_at (folder, name, READ_FLAGS, 0), &status, error);

  *size = (guint64)status.st_size;
  return fd;
}

gboolean
lc_folder_read (const LcFolder *folder, const char *name, gsize limit, char **text, gsize *length, GError **error)
{
  guint64 size;
  int fd = lc_folder_open_file (folder, name, &size, error);
  g_autofree char *path = lc_folder_dup_path (folder, name);
  gboolean good;

  if (fd < 0)
    return FALSE;
  good = lc_file_read_all (fd, path, limit, text, length, error);
  close (fd);
  return good;
}

/* --- Changing ----------------------------------------------------------------------------------------------------- */

void
lc_folder_share (LcFolder *folder, gid_t group)
{
  folder->group = group;
}

/* Sets the mode whatever the user's mask is: a shared trace is shared with its group, any other is private. */
static gboolean
share_descriptor (int fd, gid_t group, mode_t alone, mode_t shared)
{
  if (group == LC_FOLDER_PRIVATE)
    return fchmod (fd, alone) == 0;
  return fchown (fd, (uid_t)-1, group) == 0 && fchmod (fd, shared) == 0;
}

/* Creates a file. -1: errno. */
static int
folder_create (const LcFolder *folder, const char *name)
{
  int fd = folder_open_at (folder, name, O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC | O_NOCTTY, 0600);

  if (fd < 0 || share_descriptor (fd, folder->group, 0600, 0660))
    return fd;
  close (fd);
  return -1;
}

int
lc_folder_create (const LcFolder *folder, const char *name, GError **error)
{
  int fd = folder_create (folder, name);

  if (fd < 0)
    lc_folder_set_error (folder, name, errno, error);
  return fd;
}

/* Another process may make the file, or remove it, between the two calls. -1: errno. */
static int
folder_open_or_create (const LcFolder *folder, const char *name, gboolean create)
{
  int fd = -1;

  for (guint i = 0; i < NAME_TRIES; i++)
    {
      fd = folder_open_at (folder, name, O_RDWR | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC | O_NOCTTY, 0);
      if (fd >= 0 || errno != ENOENT || !create)
        return fd;
      fd = folder_create (folder, name);
      if (fd >= 0 || errno != EEXIST)
        return fd;
    }
  return fd;
}

int
lc_folder_open_to_change (const LcFolder *folder, const char *name, int flags, GError **error)
{
  struct stat status = {0};
  int fd = folder_open_or_create (folder, name, (flags & O_CREAT) != 0);

  fd = folder_check_file (folder, name, fd, &status, error);
  if (fd < 0)
    return -1;
  if (status.st_nlink > 1)
    g_set_error (error, G_FILE_ERROR, G_FILE_ERROR_PERM, "%s/%s: the file has another name too, so it is not changed",
                 folder->path, name);
  else if (status.st_uid != geteuid () && folder->group == LC_FOLDER_PRIVATE)
    g_set_error (error, LC_TRACE_ERROR, LC_TRACE_ERROR_FOREIGN, "%s/%s: another user's file, so it is not changed",
                 folder->path, name);
  else
    return fd;
  close (fd);
  return -1;
}

static gboolean
make_folder_at (int above, const char *name, gid_t group)
{
  int fd, problem;
  gboolean good;

  if (mkdirat (above, name, 0700) != 0)
    return FALSE;
  fd = openat (above, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
  good = fd >= 0 && share_descriptor (fd, group, 0700, S_ISGID | 0770);
  problem = errno;
  if (fd >= 0)
    close (fd);
  if (!good)
    unlinkat (above, name, AT_REMOVEDIR);
  errno = problem;
  return good;
}

gboolean
lc_folder_make (const LcFolder *folder, const char *name, GError **error)
{
  int above = folder_enter (folder);
  gboolean good = above >= 0 && make_folder_at (above, name, folder->group);

  folder_leave (folder, above);
  if (!good)
    lc_folder_set_error (folder, name, errno, error);
  return good;
}

gboolean
lc_folder_make_root (const char *path, gid_t group)
{
  return make_folder_at (AT_FDCWD, path, group);
}

static gboolean
folder_write_all (int fd, const void *bytes, gsize size)
{
  gsize done = 0;

  while (done < size)
    {
      ssize_t n = write (fd, (const guint8 *)bytes + done, size - done);

      if (n < 0 && errno == EINTR)
        continue;
      if (n == 0)
        errno = ENOSPC;
      if (n <= 0)
        return FALSE;
      done += (gsize)n;
    }
  return TRUE;
}

/* Creates a temporary file beside the one it will replace, under a name that removing a trace recognizes. -1: errno. */
static int
folder_create_beside (const LcFolder *folder, const char *name, char **beside)
{
  static const char letters[] = G_CSET_A_2_Z G_CSET_a_2_z G_CSET_DIGITS;

  for (guint i = 0; i < NAME_TRIES; i++)
    {
      guint8 random[6];
      GString *text;
      int fd;

      if (getrandom (random, sizeof random, 0) != (ssize_t)sizeof random)
        return -1;
      text = g_string_new (name);
      g_string_append_c (text, '.');
      for (guint j = 0; j < sizeof random; j++)
        g_string_append_c (text, letters[random[j] % (sizeof letters - 1)]);
      *beside = g_string_free (text, FALSE);
      fd = folder_create (folder, *beside);
      if (fd >= 0 || errno != EEXIST)
        return fd;
      g_clear_pointer (beside, g_free);
    }
  return -1;
}

/* Syncs only if an old file would be lost: after a crash, a new file may well be empty, but an old one must survive. */
static gboolean
folder_replace (const LcFolder *folder, int fd, const char *beside, const char *name)
{
  struct stat old;
  int above;
  gboolean good;

  if (lc_folder_stat (folder, name, &old) && old.st_size > 0 && fsync (fd) != 0)
    return FALSE;
  above = folder_enter (folder);
  good = above >= 0 && renameat (above, beside, above, name) == 0;
  folder_leave (folder, above);
  return good;
}

gboolean
lc_folder_write (const LcFolder *folder, const char *name, const void *bytes, gsize size, GError **error)
{
  g_autofree char *beside = NULL;
  int fd = folder_create_beside (folder, name, &beside), problem;
  gboolean good = fd >= 0 && folder_write_all (fd, bytes, size) && folder_replace (folder, fd, beside, name);

  problem = errno;
  if (fd >= 0)
    close (fd);
  if (!good && fd >= 0)
    lc_folder_remove (folder, beside, NULL);
  if (!good)
    lc_folder_set_error (folder, name, problem, error);
  return good;
}

static gboolean
folder_unlink (const LcFolder *folder, const char *name, int flags, GError **error)
{
  int above = folder_enter (folder);
  gboolean good = above >= 0 && (unlinkat (above, name, flags) == 0 || errno == ENOENT);

  folder_leave (folder, above);
  if (!good)
    lc_folder_set_error (folder, name, errno, error);
  return good;
}

gboolean
lc_folder_sync (const LcFolder *folder, GError **error)
{
  int above = folder_enter (folder), problem;
  int fd = above >= 0 ? openat (above, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC) : -1;
  gboolean good = fd >= 0 && syncfs (fd) == 0;

  problem = errno;
  if (fd >= 0)
    close (fd);
  folder_leave (folder, above);
  errno = problem;
  if (!good)
    lc_folder_set_error (folder, ".", errno, error);
  return good;
}

gboolean
lc_folder_remove (const LcFolder *folder, const char *name, GError **error)
{
  return folder_unlink (folder, name, 0, error);
}

gboolean
lc_folder_remove_folder (const LcFolder *folder, const char *name, GError **error)
{
  return folder_unlink (folder, name, AT_REMOVEDIR, error);
}
