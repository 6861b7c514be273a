/* SPDX-License-Identifier: Apache-2.0 */
/* What somebody may put into a trace to make its reader wait, crash, or change what lies outside. */
#include <errno.h>
#include <fcntl.h>
#include <glib/gstdio.h>
#include <signal.h>
#include <string.h>
#include <sys/file.h>
#include <sys/ptrace.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <unistd.h>

#include "folder.h"
#include "lightcone/recording.h"
#include "lightcone/rules.h"
#include "lightcone/snapshot.h"
#include "maker.h"

/* s; everything here takes a moment, unless something is waited for or read to an end that it does not have. */
#define PATIENCE 60

/* All that a trace may have, each once. */
static const char *const files[] = {"trace.ini",     "clock.ini",   ".control",     "objects-0", "objects-shared",
                                    "symbols-0",     "requests-0",  "heads-0",      "packets-0", "ctf/metadata",
                                    "ctf/process-0", "snapshots/0", "rules/a.rules"};

/* --- What is put there -------------------------------------------------------------------------------------------- */

static void
make_fifo (const char *path)
{
  g_assert_cmpint (mkfifo (path, 0666), ==, 0);
}

static void
make_socket (const char *path)
{
  g_autofree char *folder = g_path_get_dirname (path), *name = g_path_get_basename (path), *here = g_get_current_dir ();
  struct sockaddr_un address = {.sun_family = AF_UNIX};
  int fd = socket (AF_UNIX, SOCK_STREAM, 0);

  g_strlcpy (address.sun_path, name, sizeof address.sun_path);
  g_assert_cmpint (g_chdir (folder), ==, 0);
  g_assert_cmpint (bind (fd, (const struct sockaddr *)(const void *)&address, sizeof address), ==, 0);
  g_assert_cmpint (g_chdir (here), ==, 0);
  close (fd);
}

static void
make_device_link (const char *path)
{
  g_assert_cmpint (symlink ("/dev/zero", path), ==, 0);
}

static void
make_folder (const char *path)
{
  g_assert_cmpint (g_mkdir (path, 0700), ==, 0);
}

static void
make_sparse (const char *path)
{
  int fd = open (path, O_WRONLY | O_CREAT | O_EXCL, 0600);

  g_assert_cmpint (fd, >=, 0);
  g_assert_cmpint (ftruncate (fd, (off_t)8 << 30), ==, 0);
  close (fd);
}

static void
make_endless_link (const char *path)
{
  g_autofree char *name = g_path_get_basename (path);

  g_assert_cmpint (symlink (name, path), ==, 0);
}

static const struct
{
  const char *name;
  void (*make) (const char *path);
} kinds[] = {
    {"fifo", make_fifo},     {"socket", make_socket}, {"device", make_device_link},
    {"folder", make_folder}, {"sparse", make_sparse}, {"endless-link", make_endless_link},
};

/* --- All that is done with a trace -------------------------------------------------------------------------------- */

static void
read_rules (const char *directory)
{
  g_autofree char *path = g_build_filename (directory, "rules", NULL);
  g_autoptr (LcRules) rules = lc_rules_new ();

  lc_rules_load_directory (rules, path, NULL, NULL);
}

static void
read_all (const char *directory)
{
  g_autoptr (LcTrace) trace = lc_trace_open (directory, NULL);
  guint32 n = trace != NULL ? lc_trace_get_n_processes (trace) : 0;

  for (guint32 i = 0; i < n; i++)
    {
      LcTraceCursor *cursor = lc_trace_cursor_open (trace, i);
      LcTraceBatch batch;

      while (lc_trace_cursor_next (cursor, &batch))
        ;
      lc_trace_cursor_close (cursor);
    }
  lc_snapshot_free (lc_snapshot_read (directory, 0, NULL));
  read_rules (directory);
}

static void
use (const char *directory)
{
  static const char *const command[] = {"program", NULL};
  LcRecordingSettings settings = LC_RECORDING_SETTINGS_INIT;
  LcRecordingResult result;
  LcRecording *recording;

  read_all (directory);
  lc_recording_is_going_on (directory);
  if (lc_recording_is_abandoned (directory))
    lc_recording_recover (directory, &result, NULL);
  read_all (directory);
  settings.command = command;
  settings.clock = LC_RECORDING_CLOCK_MONOTONIC;
  settings.replace = TRUE;
  recording = lc_recording_prepare (directory, &settings, NULL);
  if (recording != NULL)
    lc_recording_finish (recording, 0, &result, NULL);
  lc_recording_free (recording);
}

/* As a trace that was left open: closing it would touch all that there is. */
static char *
open_trace (void)
{
  char *directory = maker_sample ();
  g_autofree struct lc_control *control = g_new0 (struct lc_control, 1);
  g_autofree char *snapshots = g_build_filename (directory, "snapshots", NULL);
  g_autofree char *rules = g_build_filename (directory, "rules", NULL);

  memcpy (control->magic, "LCCONTRL", 8);
  control->version = LC_CONTROL_VERSION;
  control->frequency = 1000000000;
  memcpy (control->uuid, maker_uuid, sizeof control->uuid);
  maker_write (directory, ".control", control, sizeof *control);
  g_assert_cmpint (g_mkdir (snapshots, 0700), ==, 0);
  g_assert_cmpint (g_mkdir (rules, 0700), ==, 0);
  return directory;
}

static void
test_odd_files (gconstpointer data)
{
  const guint kind = GPOINTER_TO_UINT (data);

  for (gsize i = 0; i < G_N_ELEMENTS (files); i++)
    {
      char *directory = open_trace ();
      g_autofree char *path = g_build_filename (directory, files[i], NULL);

      g_unlink (path);
      kinds[kind].make (path);
      alarm (PATIENCE);
      use (directory);
      alarm (0);
      maker_remove (directory);
    }
}

/* --- Links -------------------------------------------------------------------------------------------------------- */

static int
compare_paths (gconstpointer a, gconstpointer b)
{
  return strcmp (*(const char *const *)a, *(const char *const *)b);
}

static void
add_bytes (GString *text, const char *path)
{
  g_autoptr (GDir) dir = g_dir_open (path, 0, NULL);
  g_autoptr (GPtrArray) names = g_ptr_array_new_with_free_func (g_free);
  const char *name;

  while (dir != NULL && (name = g_dir_read_name (dir)) != NULL)
    g_ptr_array_add (names, g_build_filename (path, name, NULL));
  g_ptr_array_sort (names, compare_paths);
  for (guint i = 0; i < names->len; i++)
    {
      g_autofree char *bytes = NULL, *sum = NULL;
      struct stat status;
      gsize length;

      g_assert_cmpint (lstat (names->pdata[i], &status), ==, 0);
      g_string_append_printf (text, "%s %o\n", (const char *)names->pdata[i], status.st_mode);
      if (S_ISDIR (status.st_mode))
        add_bytes (text, names->pdata[i]);
      else if (S_ISREG (status.st_mode) && g_file_get_contents (names->pdata[i], &bytes, &length, NULL))
        {
          sum = g_compute_checksum_for_data (G_CHECKSUM_SHA256, (const guchar *)bytes, length);
          g_string_append_printf (text, "%s\n", sum);
        }
    }
}

/* All that could be changed in a folder, to be compared. */
static char *
describe (const char *path)
{
  GString *text = g_string_new (NULL);

  add_bytes (text, path);
  return g_string_free (text, FALSE);
}

/* The other trace has heads too: were it taken for this one's, its streams would be written to. */
static char *
other_trace (void)
{
  char *other = maker_directory ();
  g_autoptr (Maker) maker = maker_new (0);
  g_autofree char *snapshots = g_build_filename (other, "snapshots", NULL);
  g_autofree char *rules = g_build_filename (other, "rules", NULL);

  maker_write_metadata (other);
  maker_mark (maker, LC_TAG, 0, 20);
  maker_packet (maker);
  maker_mark (maker, LC_TAG, 1, 30);
  maker_finish_with_head (maker, other, 0);
  maker_write_text (other, "trace.ini", "[trace]\ntitle=other\n");
  maker_write_text (other, "symbols-0", "2 other\n");
  g_assert_cmpint (g_mkdir (snapshots, 0700), ==, 0);
  g_assert_cmpint (g_mkdir (rules, 0700), ==, 0);
  maker_write_text (other, "rules/a.rules", "[class other]\n");
  return other;
}

/* Puts a link in the place of each file and folder; nothing where it leads to may change. */
static void
test_links (void)
{
  static const char *const folders[] = {"ctf", "snapshots", "rules", "host-a", "host-b"};
  const gsize n = G_N_ELEMENTS (files) + G_N_ELEMENTS (folders);

  for (gsize i = 0; i < n; i++)
    {
      char *directory = open_trace (), *other = other_trace ();
      const char *name = i < G_N_ELEMENTS (files) ? files[i] : folders[i - G_N_ELEMENTS (files)];
      g_autofree char *path = g_build_filename (directory, name, NULL), *moved = g_strconcat (directory, ".old", NULL);
      g_autofree char *target = g_build_filename (other, name, NULL), *before = NULL, *after = NULL;
      g_autoptr (Maker) maker = maker_new (0);

      if (g_str_has_prefix (name, "host-"))
        g_assert_cmpint (g_mkdir (target, 0700), ==, 0);
      /* A head that closing would add to the stream. */
      maker_packet (maker);
      maker_mark (maker, LC_TAG, 7, 40);
      maker_finish_with_head (maker, directory, 0);
      before = describe (other);
      if (g_unlink (path) != 0 && errno != ENOENT)
        g_assert_cmpint (g_rename (path, moved), ==, 0);
      g_assert_cmpint (symlink (target, path), ==, 0);
      use (directory);
      after = describe (other);
      g_assert_cmpstr (after, ==, before);
      maker_remove (directory);
      maker_remove (other);
      if (g_file_test (moved, G_FILE_TEST_EXISTS))
        maker_remove (g_steal_pointer (&moved));
    }
}

/* A file that has another name outside is not ours to rewrite. */
static void
test_hard_link (void)
{
  char *directory = open_trace (), *other = maker_directory ();
  g_autofree char *path = g_build_filename (directory, "ctf", "process-0", NULL);
  g_autofree char *outside = g_build_filename (other, "stream", NULL), *before = NULL, *after = NULL;
  g_autoptr (Maker) maker = maker_new (0);
  g_autoptr (GError) error = NULL;
  LcRecordingResult result;

  maker_packet (maker);
  maker_mark (maker, LC_TAG, 7, 40);
  maker_finish_with_head (maker, directory, 0);
  g_assert_cmpint (link (path, outside), ==, 0);
  before = describe (other);
  g_assert_false (lc_recording_recover (directory, &result, &error));
  g_assert_error (error, G_FILE_ERROR, G_FILE_ERROR_PERM);
  after = describe (other);
  g_assert_cmpstr (after, ==, before);
  maker_remove (directory);
  maker_remove (other);
}

/* Another user's trace is read as it is. */
static void
test_foreign (void)
{
  char *directory;
  g_autofree char *before = NULL, *after = NULL;
  g_autoptr (LcTrace) trace = NULL;
  g_autoptr (GError) error = NULL;
  LcRecordingResult result;

  if (geteuid () != 0)
    {
      g_test_skip ("only root can make another user's files");
      return;
    }
  directory = open_trace ();
  g_assert_cmpint (chown (directory, 65534, 65534), ==, 0);
  before = describe (directory);
  g_assert_true (lc_recording_is_abandoned (directory));
  g_assert_false (lc_recording_recover (directory, &result, &error));
  g_assert_error (error, LC_TRACE_ERROR, LC_TRACE_ERROR_FOREIGN);
  g_assert_nonnull (strstr (error->message, "left open"));
  after = describe (directory);
  g_assert_cmpstr (after, ==, before);
  trace = lc_trace_open (directory, NULL);
  g_assert_cmpuint (lc_trace_get_n_processes (trace), ==, 3);
  maker_remove (directory);
}

/* --- Killed ------------------------------------------------------------------------------------------------------- */

static gboolean
prepare (const char *directory, gboolean replace, GError **error)
{
  static const char *const command[] = {"program", NULL};
  LcRecordingSettings settings = LC_RECORDING_SETTINGS_INIT;
  g_autoptr (LcRecording) recording = NULL;

  settings.command = command;
  settings.clock = LC_RECORDING_CLOCK_MONOTONIC;
  settings.replace = replace;
  recording = lc_recording_prepare (directory, &settings, error);
  return recording != NULL;
}

/* Prepares, and is killed at its n-th entry to or exit from the system. FALSE: it was ready before. */
static gboolean
prepare_and_die (const char *directory, gboolean replace, guint n)
{
  pid_t pid = fork ();
  int status;

  if (pid == 0)
    {
      if (ptrace (PTRACE_TRACEME, 0, NULL, NULL) != 0)
        _exit (77);
      raise (SIGSTOP);
      _exit (!prepare (directory, replace, NULL));
    }
  g_assert_cmpint (waitpid (pid, &status, 0), ==, pid);
  if (WIFEXITED (status))
    return FALSE;
  for (guint i = 0; i < n && WIFSTOPPED (status); i++)
    {
      ptrace (PTRACE_SYSCALL, pid, NULL, NULL);
      g_assert_cmpint (waitpid (pid, &status, 0), ==, pid);
    }
  if (!WIFSTOPPED (status))
    return FALSE;
  kill (pid, SIGKILL);
  while (waitpid (pid, &status, 0) == pid && !WIFSIGNALED (status))
    ;
  return TRUE;
}

/*
 * Wherever a recording is killed while it makes its trace, or takes an old one away, the next one can go on: by itself
 * as long as there is no trace, and with --replace always.
 */
static void
test_killed (gconstpointer data)
{
  const gboolean old = GPOINTER_TO_INT (data);
  gboolean killed = TRUE;
  guint plain = 0;

  /* Removing an old trace has many more of them, and each kind of them often. */
  for (guint n = 1; killed; n += old ? 5 : 1)
    {
      char *place = maker_directory ();
      g_autofree char *directory = g_build_filename (place, "trace", NULL);
      g_autoptr (GError) error = NULL;
      char *sample;

      if (old)
        {
          sample = maker_sample ();
          g_assert_cmpint (g_rename (sample, directory), ==, 0);
          g_free (sample);
        }
      killed = prepare_and_die (directory, old, n);
      if (n == 1 && !killed)
        {
          g_test_skip ("no process can be traced here");
          maker_remove (place);
          return;
        }
      if (n % 2 == 0 && prepare (directory, FALSE, &error))
        plain++;
      else if (n % 2 == 0)
        {
          g_assert_error (error, LC_TRACE_ERROR, LC_TRACE_ERROR_EXISTS);
          g_assert_nonnull (strstr (error->message, "there is something in this directory"));
        }
      g_clear_error (&error);
      g_assert_true (prepare (directory, TRUE, &error));
      g_assert_no_error (error);
      maker_remove (place);
    }
  g_assert_cmpuint (plain, >, 5);
}

/* While one prepares, another one does not take it for killed. */
static void
test_being_prepared (void)
{
  char *place = maker_directory ();
  g_autofree char *directory = g_build_filename (place, "trace", NULL);
  g_autofree char *marker = g_build_filename (directory, ".lightcone-making", NULL);
  g_autoptr (GError) error = NULL;
  int fd;

  g_assert_cmpint (g_mkdir (directory, 0700), ==, 0);
  fd = open (marker, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
  g_assert_cmpint (flock (fd, LOCK_EX), ==, 0);
  g_assert_false (prepare (directory, TRUE, &error));
  g_assert_error (error, LC_TRACE_ERROR, LC_TRACE_ERROR_BUSY);
  close (fd);
  /* But what is no part of a trace is nobody's to remove, whoever has left it there. */
  maker_write_text (directory, "letter.txt", "dear");
  g_clear_error (&error);
  g_assert_false (prepare (directory, TRUE, &error));
  g_assert_error (error, LC_TRACE_ERROR, LC_TRACE_ERROR_EXISTS);
  g_assert_true (g_file_test (marker, G_FILE_TEST_EXISTS));
  maker_remove (place);
}

#define RACERS 8
#define RACED_FILES 200

/* Opens or makes each file, and counts those that it could not. */
static gpointer
race_for_files (gpointer data)
{
  guint refused = 0;

  for (guint i = 0; i < RACED_FILES; i++)
    {
      g_autofree char *name = g_strdup_printf ("file-%u", i);
      int fd = lc_folder_open_to_change (data, name, O_CREAT, NULL);

      if (fd >= 0)
        close (fd);
      else
        refused++;
    }
  return GUINT_TO_POINTER (refused);
}

/* The recorders of several ranks may make the same file of a trace at once: whoever is second opens it. */
static void
test_race_for_files (void)
{
  char *directory = maker_directory ();
  g_autoptr (LcFolder) folder = NULL;
  GThread *racers[RACERS];
  guint refused = 0;

  folder = lc_folder_open (directory, NULL);
  g_assert_nonnull (folder);
  for (guint i = 0; i < RACERS; i++)
    racers[i] = g_thread_new ("racer", race_for_files, folder);
  for (guint i = 0; i < RACERS; i++)
    refused += GPOINTER_TO_UINT (g_thread_join (racers[i]));
  g_assert_cmpuint (refused, ==, 0);
  maker_remove (directory);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  for (guint i = 0; i < G_N_ELEMENTS (kinds); i++)
    {
      g_autofree char *name = g_strdup_printf ("/hostile/%s", kinds[i].name);

      g_test_add_data_func (name, GUINT_TO_POINTER (i), test_odd_files);
    }
  g_test_add_func ("/hostile/links", test_links);
  g_test_add_func ("/hostile/hard-link", test_hard_link);
  g_test_add_func ("/hostile/foreign", test_foreign);
  g_test_add_data_func ("/hostile/killed", GINT_TO_POINTER (FALSE), test_killed);
  g_test_add_data_func ("/hostile/killed-replacing", GINT_TO_POINTER (TRUE), test_killed);
  g_test_add_func ("/hostile/being-prepared", test_being_prepared);
  g_test_add_func ("/hostile/race-for-files", test_race_for_files);
  return g_test_run ();
}
