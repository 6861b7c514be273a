/* SPDX-License-Identifier: Apache-2.0 */
/* Looks up other processes in the system's table (/proc). */
#include "process-table.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Number of the field in /proc/PID/stat, counted from 1. */
#define START_FIELD 22

/* Returns FALSE if there is no such process. */
static gboolean
read_status (pid_t process, char *state, pid_t *parent)
{
  g_autofree char *path = g_strdup_printf ("/proc/%d/stat", (int)process), *text = NULL;
  const char *end;
  int number;

  if (!g_file_get_contents (path, &text, NULL, NULL))
    return FALSE;
  /* The line is "PID (NAME) STATE PARENT ...", and the name may contain any character. */
  end = strrchr (text, ')');
  if (end == NULL || sscanf (end + 1, " %c %d", state, &number) != 2)
    return FALSE;
  *parent = number;
  return TRUE;
}

pid_t
lc_process_get_parent (pid_t process)
{
  char state;
  pid_t parent;

  return read_status (process, &state, &parent) ? parent : 0;
}

char *
lc_process_dup_program (pid_t process)
{
  g_autofree char *path = g_strdup_printf ("/proc/%d/comm", (int)process);
  char *text = NULL;

  return g_file_get_contents (path, &text, NULL, NULL) ? g_strchomp (text) : NULL;
}

guint64
lc_process_get_start (pid_t process)
{
  g_autofree char *path = g_strdup_printf ("/proc/%d/stat", (int)process), *text = NULL;
  unsigned long long start = 0;
  const char *end;

  if (!g_file_get_contents (path, &text, NULL, NULL) || (end = strrchr (text, ')')) == NULL)
    return 0;
  for (guint field = 2; field < START_FIELD && end != NULL; field++)
    end = strchr (end + 1, ' ');
  return end != NULL && sscanf (end, " %llu", &start) == 1 ? start : 0;
}

char
lc_process_state (pid_t process)
{
  char state = '\0';
  pid_t parent;

  return read_status (process, &state, &parent) ? state : '\0';
}

gboolean
lc_process_descends (pid_t process, pid_t ancestor)
{
  char state;

  if (process == ancestor)
    return TRUE;
  while (process > 1 && read_status (process, &state, &process))
    if (process == ancestor)
      return TRUE;
  return FALSE;
}

/*
 * The recorder keeps the control block mapped as long as it records. Only the end of its path is compared, since the
 * beginning may differ for a process with mounts of its own.
 */
gboolean
lc_process_is_recorded (pid_t process, const char *directory)
{
  g_autofree char *path = g_strdup_printf ("/proc/%d/maps", (int)process);
  g_autofree char *folder = g_path_get_basename (directory);
  g_autofree char *mark = g_strdup_printf ("/%s/.control", folder);
  FILE *maps = fopen (path, "re");
  gboolean found = FALSE;
  char *line = NULL;
  size_t room = 0;

  while (maps != NULL && !found && getline (&line, &room, maps) > 0)
    found = strstr (line, mark) != NULL;
  free (line);
  if (maps != NULL)
    fclose (maps);
  return found;
}

GArray *
lc_process_list_recorded (const char *directory)
{
  g_autoptr (GDir) table = g_dir_open ("/proc", 0, NULL);
  GArray *list = g_array_new (FALSE, FALSE, sizeof (pid_t));
  const char *name;

  while (table != NULL && (name = g_dir_read_name (table)) != NULL)
    {
      pid_t process = atoi (name);

      if (process > 0 && process != getpid () && lc_process_is_recorded (process, directory) &&
          lc_process_descends (process, getpid ()))
        g_array_append_val (list, process);
    }
  return list;
}
