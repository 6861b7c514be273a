/* SPDX-License-Identifier: Apache-2.0 */
/* Makes and removes trace directories. Files that are not known parts of a trace are never touched. */
#include "directory.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "ctf-metadata.h"
#include "lightcone/control.h"
#include "lightcone/trace.h"
#include "reader.h"

#define METADATA_LIMIT (1u << 20)

/* The folders of a trace with their files; "" is the trace itself. A '#' in a name stands for any number. */
static const struct
{
  const char *folder;
  const char *files[16];
} parts[] = {
    {"ctf", {"metadata", "process-#"}},
    {"snapshots", {"#"}},
    {"rules", {"origin-#.rules"}},
    {"",
     {"trace.ini", LC_CLOCK_FILE, ".control", "objects-shared", "objects-#", "symbols-#", "requests-#", "inputs-#",
      "heads-#", "packets-#", "ring-#", "switches-#", "environment", "process-#.events", "history.lightcone"}},
};

/* The lock file, which exists only while it is decided who makes the trace. */
#define LOCK ".lock"
#define LOCK_TRIES 1000

/*
 * The file that marks an unfinished trace. It is made and locked first, and removed when the trace is ready, so that
 * the remains of a killed maker can be recognized at any moment. It works by its name, because a file exists before
 * anything can be written to it. Removing a trace makes the file too, because half a trace could not be recognized as
 * one.
 */
#define MAKING ".lightcone-making"

/* Whether the name is the pattern with a number in the place of its '#'. */
static gboolean
directory_is_numbered (const char *name, const char *pattern, const char *number)
{
  const gsize before = (gsize)(number - pattern);
  gsize digits;

  if (strncmp (name, pattern, before) != 0)
    return FALSE;
  digits = strspn (name + before, "0123456789");
  return digits > 0 && g_str_equal (name + before + digits, number + 1);
}

/* Matches the name itself, and that of the temporary file left by a program that was killed while replacing the
 * file. */
static gboolean
directory_matches (const char *name, const char *pattern)
{
  const char *number = strchr (pattern, '#');
  gsize length = strlen (pattern);

  if (number != NULL)
    return directory_is_numbered (name, pattern, number);
  if (strncmp (name, pattern, length) != 0)
    return FALSE;
  name += length;
  return *name == '\0' ||
         (*name == '.' && strlen (name) == 7 && strspn (name + 1, G_CSET_A_2_Z G_CSET_a_2_z G_CSET_DIGITS) == 6) ||
         g_str_equal (name, "-journal") || g_str_equal (name, "-wal") || g_str_equal (name, "-shm");
}

static gboolean
is_file_of (guint part, const char *name)
{
  for (guint i = 0; parts[part].files[i] != NULL; i++)
    {
      if (directory_matches (name, parts[part].files[i]))
        return TRUE;
    }
  return FALSE;
}

/* Folders are checked on their own. */
static gboolean
is_folder (const char *name)
{
  if (g_str_has_prefix (name, LC_PART_PREFIX))
    return TRUE;
  for (guint i = 0; i < G_N_ELEMENTS (parts); i++)
    {
      if (*parts[i].folder != '\0' && g_str_equal (name, parts[i].folder))
        return TRUE;
    }
  return FALSE;
}

static gboolean
is_ignored (const char *name)
{
  return g_str_equal (name, LOCK) || g_str_equal (name, MAKING);
}

typedef gboolean (*Visit) (const LcFolder *folder, const char *name, gboolean known, GError **error);

/* Calls `visit` for every file of one folder. A missing folder counts as empty. */
static gboolean
visit_folder (LcFolder *trace, guint part, Visit visit, GError **error)
{
  gboolean is_trace = *parts[part].folder == '\0';
  g_autoptr (LcFolder) folder = NULL;
  g_autoptr (GPtrArray) names = NULL;

  if (!is_trace && !lc_folder_has_folder (trace, parts[part].folder))
    return TRUE;
  folder = is_trace ? lc_folder_ref (trace) : lc_folder_open_inner (trace, parts[part].folder, error);
  names = folder != NULL ? lc_folder_list (folder, error) : NULL;
  for (guint i = 0; names != NULL && i < names->len; i++)
    {
      const char *name = names->pdata[i];

      if (is_trace && (is_ignored (name) || (is_folder (name) && lc_folder_has_folder (folder, name))))
        continue;
      if (!visit (folder, name, is_file_of (part, name) && lc_folder_has_file (folder, name), error))
        return FALSE;
    }
  return names != NULL;
}

static gboolean
directory_check_file (const LcFolder *folder, const char *name, gboolean known, GError **error)
{
  g_autofree char *path = lc_folder_dup_path (folder, name);

  if (!known)
    g_set_error (error, LC_TRACE_ERROR, LC_TRACE_ERROR_EXISTS, "%s: not a part of a trace, so nothing is removed",
                 path);
  return known;
}

static gboolean
directory_remove_file (const LcFolder *folder, const char *name, gboolean known, GError **error)
{
  return !known || lc_folder_remove (folder, name, error);
}

static gboolean
visit_trace (LcFolder *folder, Visit visit, GError **error)
{
  for (guint i = 0; i < G_N_ELEMENTS (parts); i++)
    {
      if (!visit_folder (folder, i, visit, error))
        return FALSE;
    }
  return TRUE;
}

/* Visits the parts of several hosts too. */
static gboolean
directory_visit_all (LcFolder *folder, Visit visit, GError **error)
{
  g_auto (GStrv) hosts = lc_trace_list_folder_parts (folder);

  for (char **host = hosts; *host != NULL; host++)
    {
      g_autoptr (LcFolder) part = lc_folder_open_inner (folder, *host, error);

      if (part == NULL || !visit_trace (part, visit, error))
        return FALSE;
    }
  return visit_trace (folder, visit, error);
}

static gboolean
remove_folders (const LcFolder *folder, GError **error)
{
  for (guint i = 0; i < G_N_ELEMENTS (parts); i++)
    if (*parts[i].folder != '\0' && !lc_folder_remove_folder (folder, parts[i].folder, error))
      return FALSE;
  return TRUE;
}

static gboolean
remove_parts (LcFolder *folder, GError **error)
{
  g_auto (GStrv) hosts = lc_trace_list_folder_parts (folder);

  for (char **host = hosts; *host != NULL; host++)
    {
      g_autoptr (LcFolder) part = lc_folder_open_inner (folder, *host, error);

      if (part == NULL || !remove_folders (part, error) || !lc_folder_remove (part, LOCK, error) ||
          !lc_folder_remove (part, MAKING, error) || !lc_folder_remove_folder (folder, *host, error))
        return FALSE;
    }
  return TRUE;
}

/* Removes all files except the lock and the mark of an unfinished trace. */
static gboolean
remove_content (LcFolder *folder, GError **error)
{
  return directory_visit_all (folder, directory_check_file, error) &&
         directory_visit_all (folder, directory_remove_file, error) && remove_parts (folder, error) &&
         remove_folders (folder, error);
}

static gboolean
mark_as_half (const LcFolder *folder, GError **error)
{
  int fd = lc_folder_open_to_change (folder, MAKING, O_CREAT, error);

  if (fd >= 0)
    close (fd);
  return fd >= 0;
}

gboolean
lc_directory_clear (LcFolder *folder, gboolean all, GError **error)
{
  const char *path = lc_folder_get_path (folder);

  /* A full disk usually has room for an empty file; if not, the trace is removed all the same. */
  if (!directory_visit_all (folder, directory_check_file, error))
    return FALSE;
  mark_as_half (folder, NULL);
  if (!remove_content (folder, error) || (all && !lc_folder_remove (folder, LOCK, error)) ||
      !lc_folder_remove (folder, MAKING, error))
    return FALSE;
  if (!all || rmdir (path) == 0 || errno == ENOENT)
    return TRUE;
  lc_file_set_error (error, path, errno);
  return FALSE;
}

/* --- Ownership --------------------------------------------------------------------------------------------------- */

static gboolean
has_our_metadata (LcFolder *folder)
{
  g_autoptr (LcFolder) streams = lc_folder_open_inner (folder, "ctf", NULL);
  g_auto (LcCtfDescription) description = {{0}};
  g_autofree char *text = NULL;
  guint64 format;
  gsize length;

  return streams != NULL && lc_folder_read (streams, "metadata", METADATA_LIMIT, &text, &length, NULL) && length > 0 &&
         (lc_ctf_metadata_read (text, length, &description, &format) & LC_CTF_HAS_TRACER);
}

static gboolean
has_our_control (LcFolder *folder)
{
  guint64 size;
  int fd = lc_folder_open_file (folder, ".control", &size, NULL);
  char magic[8] = "";

  if (fd < 0)
    return FALSE;
  if (lc_file_read (fd, magic, sizeof magic, 0) < (gssize)sizeof magic)
    size = 0;
  close (fd);
  return size >= sizeof (struct lc_control) && memcmp (magic, "LCCONTRL", sizeof magic) == 0;
}

/* Whether it is a timeline that was written as a trace. */
static gboolean
has_our_origin (LcFolder *folder)
{
  g_autoptr (GKeyFile) settings = g_key_file_new ();
  g_autofree char *text = NULL;
  gsize length;

  return lc_folder_read (folder, "trace.ini", METADATA_LIMIT, &text, &length, NULL) &&
         g_key_file_load_from_data (settings, text, length, G_KEY_FILE_NONE, NULL) &&
         g_key_file_has_key (settings, "origin", "timeline", NULL);
}

static gboolean
is_trace_of_ours (LcFolder *folder)
{
  return has_our_metadata (folder) || has_our_control (folder) || has_our_origin (folder);
}

gboolean
lc_directory_any_part (LcFolder *folder, gboolean (*check) (LcFolder *folder))
{
  g_auto (GStrv) hosts = lc_trace_list_folder_parts (folder);
  gboolean found = check (folder);

  for (char **host = hosts; *host != NULL && !found; host++)
    {
      g_autoptr (LcFolder) part = lc_folder_open_inner (folder, *host, NULL);

      found = part != NULL && check (part);
    }
  return found;
}

gboolean
lc_directory_is_busy (LcFolder *folder)
{
  guint64 size;
  int fd = lc_folder_open_file (folder, ".control", &size, NULL);
  gboolean busy;

  if (fd < 0)
    return FALSE;
  busy = flock (fd, LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK;
  close (fd);
  return busy;
}

/* --- Taking a directory ------------------------------------------------------------------------------------------ */

static gboolean
is_empty (const LcFolder *folder, GError **error)
{
  g_autoptr (GPtrArray) names = lc_folder_list (folder, error);

  for (guint i = 0; names != NULL && i < names->len; i++)
    if (!is_ignored (names->pdata[i]))
      return FALSE;
  return names != NULL;
}

/* Refuses a directory that others can write to: they could put links where the recorded program makes its files. */
static gboolean
check_owner (const LcFolder *folder, GError **error)
{
  const char *path = lc_folder_get_path (folder);
  struct stat status;

  if (!lc_folder_stat (folder, NULL, &status))
    lc_file_set_error (error, path, errno);
  else if (status.st_uid != geteuid ())
    g_set_error (error, LC_TRACE_ERROR, LC_TRACE_ERROR_FOREIGN, "%s: another user's directory", path);
  else if ((status.st_mode & 0002) != 0)
    g_set_error (error, LC_TRACE_ERROR, LC_TRACE_ERROR_FOREIGN, "%s: all users may write to this directory (chmod o-w)",
                 path);
  else
    return TRUE;
  return FALSE;
}

/* Checks whether the content of the directory may be removed. */
static gboolean
check_content (LcFolder *folder, gboolean replace, GError **error)
{
  const char *path = lc_folder_get_path (folder);
  g_autoptr (GError) problem = NULL;

  if (is_empty (folder, &problem))
    return TRUE;
  if (problem != NULL)
    g_propagate_error (error, g_steal_pointer (&problem));
  else if (!replace)
    g_set_error (error, LC_TRACE_ERROR, LC_TRACE_ERROR_EXISTS,
                 "%s: there is something in this directory: choose another one, or say --replace if it is a trace",
                 path);
  else if (!lc_directory_any_part (folder, is_trace_of_ours))
    g_set_error (error, LC_TRACE_ERROR, LC_TRACE_ERROR_EXISTS, "%s: not a trace, so it is not replaced", path);
  else if (lc_directory_any_part (folder, lc_directory_is_busy))
    g_set_error (error, LC_TRACE_ERROR, LC_TRACE_ERROR_BUSY, "%s: another recording is writing to it", path);
  else
    return directory_visit_all (folder, directory_check_file, error);
  return FALSE;
}

/* TRUE: nobody else is making the trace, and nobody has made it since the file was opened. */
static gboolean
lock_making (const LcFolder *folder, int making, GError **error)
{
  struct stat status;

  if (flock (making, LOCK_EX | LOCK_NB) == 0 && fstat (making, &status) == 0 && status.st_nlink > 0)
    return TRUE;
  g_set_error (error, LC_TRACE_ERROR, LC_TRACE_ERROR_BUSY, "%s: another recording is being prepared there",
               lc_folder_get_path (folder));
  return FALSE;
}

/* Checks the content again after locking, because another process may have made a whole trace in between. */
static int
begin_making (LcFolder *folder, gboolean replace, GError **error)
{
  int making = check_content (folder, replace, error) ? lc_folder_create (folder, MAKING, error) : -1;

  if (making < 0)
    return -1;
  if (lock_making (folder, making, error))
    {
      gboolean mine = check_content (folder, replace, error);

      if (mine && remove_content (folder, error))
        return making;
      if (!mine)
        lc_folder_remove (folder, MAKING, NULL);
    }
  close (making);
  return -1;
}

static int
go_on_making (LcFolder *folder, GError **error)
{
  int making = lc_folder_open_to_change (folder, MAKING, 0, error);

  if (making < 0 || (lock_making (folder, making, error) && remove_content (folder, error)))
    return making;
  close (making);
  return -1;
}

LcFolder *
lc_directory_take (const char *path, gboolean replace, gid_t group, gboolean *made, int *making, GError **error)
{
  g_autoptr (LcFolder) folder = NULL;

  *making = -1;
  *made = lc_folder_make_root (path, group);
  if (!*made && errno != EEXIST)
    {
      lc_file_set_error (error, path, errno);
      return NULL;
    }
  folder = lc_folder_open (path, error);
  if (folder == NULL || !check_owner (folder, error))
    return NULL;
  lc_folder_share (folder, group);
  *making = lc_folder_has_file (folder, MAKING) ? go_on_making (folder, error) : begin_making (folder, replace, error);
  return *making >= 0 ? g_steal_pointer (&folder) : NULL;
}

gboolean
lc_directory_is_made (const LcFolder *folder, int making, GError **error)
{
  if (!lc_folder_remove (folder, MAKING, error))
    return FALSE;
  close (making);
  return TRUE;
}

/* --- The lock ---------------------------------------------------------------------------------------------------- */

/* Opens and locks the lock file, which may have been removed by the time it is locked. -1: error. */
static int
open_lock (const char *path, gid_t group, GError **error)
{
  g_autoptr (LcFolder) folder = lc_folder_open (path, error);
  int fd, result;

  if (folder == NULL || !check_owner (folder, error))
    return -1;
  lc_folder_share (folder, group);
  fd = lc_folder_open_to_change (folder, LOCK, O_CREAT, error);
  if (fd < 0)
    return -1;
  do
    result = flock (fd, LOCK_EX);
  while (result != 0 && errno == EINTR);
  if (result == 0)
    return fd;
  lc_folder_set_error (folder, LOCK, errno, error);
  close (fd);
  return -1;
}

/* Tells whether another process has removed the directory, or made the file, between two calls. */
static gboolean
is_race (const GError *error)
{
  return g_error_matches (error, G_FILE_ERROR, G_FILE_ERROR_NOENT) ||
         g_error_matches (error, G_FILE_ERROR, G_FILE_ERROR_EXIST);
}

int
lc_directory_lock (const char *path, gid_t group, gboolean *made, GError **error)
{
  *made = FALSE;
  for (guint i = 0; i < LOCK_TRIES; i++)
    {
      g_autoptr (GError) problem = NULL;
      struct stat status;
      int fd;

      if (lc_folder_make_root (path, group))
        *made = TRUE;
      else if (errno != EEXIST)
        break;
      fd = open_lock (path, group, &problem);
      if (fd < 0 && !is_race (problem))
        {
          g_propagate_error (error, g_steal_pointer (&problem));
          return -1;
        }
      if (fd >= 0 && fstat (fd, &status) == 0 && status.st_nlink > 0)
        return fd;
      if (fd >= 0)
        close (fd);
      errno = EAGAIN;
    }
  lc_file_set_error (error, path, errno);
  return -1;
}

void
lc_directory_unlock (const char *path, int lock)
{
  g_autoptr (LcFolder) folder = lc_folder_open (path, NULL);
  struct stat ours, there;

  /* If the directory was removed meanwhile, a lock file found there now belongs to another process. */
  if (folder != NULL && fstat (lock, &ours) == 0 && lc_folder_stat (folder, LOCK, &there) &&
      ours.st_ino == there.st_ino)
    lc_folder_remove (folder, LOCK, NULL);
  close (lock);
}
