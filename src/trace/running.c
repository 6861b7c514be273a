/* SPDX-License-Identifier: Apache-2.0 */
/* Asks the system which heads a process has mapped. */
#include "running.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Lines of maps end with the path, or with the path and " (deleted)". */
static gboolean
ends_with_path (const char *line, const char *path)
{
  const char *place = strstr (line, path);
  char next = place != NULL ? place[strlen (path)] : '\0';

  return place != NULL && (next == '\n' || next == ' ' || next == '\0');
}

gboolean
lc_is_running (const char *directory, guint32 pid, guint32 instance)
{
  g_autofree char *maps_path = g_strdup_printf ("/proc/%u/maps", pid);
  g_autofree char *real = realpath (directory, NULL);
  g_autofree char *path = g_strdup_printf ("%s/heads-%u", real != NULL ? real : directory, instance);
  FILE *maps = pid != 0 ? fopen (maps_path, "re") : NULL;
  gboolean found = FALSE;
  char *line = NULL;
  size_t size = 0;

  while (maps != NULL && !found && getline (&line, &size, maps) > 0)
    found = ends_with_path (line, path);
  free (line);
  if (maps != NULL)
    fclose (maps);
  return found;
}
