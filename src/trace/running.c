/* SPDX-License-Identifier: Apache-2.0 */
/* Asks the system which processes have mapped the places of a recording. */
#include "running.h"

#include <errno.h>
#include <limits.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct _LcRunning
{
  char *mark;            /* end of the path of the places */
  GHashTable *instances; /* pid -> its last address space */
  GHashTable *alive;     /* pid -> whether it is alive */
  GHashTable *inner;     /* inner pids of processes in pid namespaces; NULL: not looked for yet */
};

/* Only the end of the path is compared, because a process with its own mounts may see another path. */
static char *
find_mark (int heads)
{
  g_autofree char *link = g_strdup_printf ("/proc/self/fd/%d", heads);
  g_autofree char *path = g_file_read_link (link, NULL);
  g_autofree char *folder = path != NULL ? g_path_get_dirname (path) : NULL;
  g_autofree char *name = folder != NULL ? g_path_get_basename (folder) : NULL;

  return name != NULL ? g_strdup_printf ("/%s/heads-0", name) : g_strdup ("/heads-0");
}

LcRunning *
lc_running_new (int heads)
{
  LcRunning *running = g_new0 (LcRunning, 1);

  running->mark = find_mark (heads);
  running->instances = g_hash_table_new (NULL, NULL);
  running->alive = g_hash_table_new (NULL, NULL);
  return running;
}

void
lc_running_free (LcRunning *running)
{
  if (running == NULL)
    return;
  g_free (running->mark);
  g_hash_table_unref (running->instances);
  g_hash_table_unref (running->alive);
  g_clear_pointer (&running->inner, g_hash_table_unref);
  g_free (running);
}

void
lc_running_add (LcRunning *running, guint32 pid, guint32 instance)
{
  gpointer key = GUINT_TO_POINTER (pid);

  if (instance + 1 <= GPOINTER_TO_UINT (g_hash_table_lookup (running->instances, key)))
    return;
  g_hash_table_insert (running->instances, key, GUINT_TO_POINTER (instance + 1));
  /* What the system said before was about another program: one that is about to execute this has no maps meanwhile. */
  g_hash_table_remove (running->alive, key);
  g_clear_pointer (&running->inner, g_hash_table_unref);
}

/* A process that has gone has no maps any more; any other failure says nothing of it. */
static gboolean
maps_are_gone (int error)
{
  return error == ENOENT || error == ESRCH;
}

/* Lines of maps end with the path, or with the path and " (deleted)". Unreadable maps count as a match. */
static gboolean
maps_have (const char *path, const char *mark)
{
  FILE *maps = fopen (path, "re");
  gboolean found = maps == NULL && !maps_are_gone (errno);
  char *line = NULL;
  size_t size = 0;

  while (maps != NULL && !found && getline (&line, &size, maps) > 0)
    {
      const char *place = strstr (line, mark);
      char next = place != NULL ? place[strlen (mark)] : 'x';

      found = next == '\n' || next == ' ' || next == '\0';
    }
  if (maps != NULL && !found && ferror (maps))
    found = !maps_are_gone (errno);
  free (line);
  if (maps != NULL)
    fclose (maps);
  return found;
}

/* If the first thread of a process has ended, only the maps of its other threads can be read. */
static gboolean
process_has (const char *pid, const char *mark)
{
  g_autofree char *own = g_strdup_printf ("/proc/%s/maps", pid), *tasks = g_strdup_printf ("/proc/%s/task", pid);
  g_autoptr (GDir) folder = NULL;
  const char *task;
  gboolean found = maps_have (own, mark);

  if (!found)
    folder = g_dir_open (tasks, 0, NULL);
  while (folder != NULL && !found && (task = g_dir_read_name (folder)) != NULL)
    {
      g_autofree char *path = g_strdup_printf ("%s/%s/maps", tasks, task);

      found = !g_str_equal (task, pid) && maps_have (path, mark);
    }
  return found;
}

/* --- Processes in pid namespaces ------------------------------------------------------------------------------- */

static gboolean
is_in_our_namespace (const char *pid, const char *ours)
{
  g_autofree char *path = g_strdup_printf ("/proc/%s/ns/pid", pid);
  g_autofree char *theirs = g_file_read_link (path, NULL);

  return theirs == NULL || g_strcmp0 (theirs, ours) == 0;
}

/* Reads the last number of "NSpid: 4711 7", which is the pid that the process itself sees. */
static guint32
read_inner_pid (const char *pid)
{
  g_autofree char *path = g_strdup_printf ("/proc/%s/status", pid), *text = NULL;
  const char *line, *end, *last;

  if (!g_file_get_contents (path, &text, NULL, NULL) || (line = strstr (text, "\nNSpid:")) == NULL)
    return 0;
  end = strchrnul (line + 1, '\n');
  for (last = end; last > line && g_ascii_isdigit (last[-1]);)
    last--;
  return (guint32)strtoul (last, NULL, 10);
}

static void
find_inner (LcRunning *running)
{
  g_autoptr (GDir) table = g_dir_open ("/proc", 0, NULL);
  g_autofree char *ours = g_file_read_link ("/proc/self/ns/pid", NULL);
  const char *name;

  running->inner = g_hash_table_new (NULL, NULL);
  while (table != NULL && (name = g_dir_read_name (table)) != NULL)
    if (g_ascii_isdigit (name[0]) && !is_in_our_namespace (name, ours) && process_has (name, running->mark))
      g_hash_table_add (running->inner, GUINT_TO_POINTER (read_inner_pid (name)));
}

static gboolean
is_alive (LcRunning *running, guint32 pid)
{
  g_autofree char *name = g_strdup_printf ("%u", pid);

  if ((kill ((pid_t)pid, 0) == 0 || errno == EPERM) && process_has (name, running->mark))
    return TRUE;
  if (running->inner == NULL)
    find_inner (running);
  return g_hash_table_contains (running->inner, GUINT_TO_POINTER (pid));
}

gboolean
lc_running_has (LcRunning *running, guint32 pid, guint32 instance)
{
  gpointer key = GUINT_TO_POINTER (pid), alive;

  if (pid == 0 || pid > G_MAXINT || GPOINTER_TO_UINT (g_hash_table_lookup (running->instances, key)) != instance + 1)
    return FALSE;
  if (!g_hash_table_lookup_extended (running->alive, key, NULL, &alive))
    {
      alive = GINT_TO_POINTER (is_alive (running, pid));
      g_hash_table_insert (running->alive, key, alive);
    }
  return GPOINTER_TO_INT (alive);
}
