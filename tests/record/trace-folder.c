/* SPDX-License-Identifier: Apache-2.0 */
/* The folder that a recorder finds, made for tests of its own sources. */
#include "trace-folder.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "recorder.h"

static void
trace_folder_write_control (const char *folder, uint32_t places)
{
  static struct lc_control control = {.version = LC_CONTROL_VERSION, .clock = LC_CLOCK_MONOTONIC};
  char path[4096];
  int file;

  memcpy (control.magic, "LCCONTRL", sizeof control.magic);
  control.frequency = 1000000000;
  control.classes = UINT32_MAX;
  control.patterns_offset = sizeof control;
  control.places = places;
  for (uint32_t place = 0; place < places; place++)
    control.free_places[place / 64] |= UINT64_C (1) << place % 64;
  snprintf (path, sizeof path, "%s/.control", folder);
  file = open (path, O_WRONLY | O_CREAT | O_CLOEXEC, 0666);
  if (write (file, &control, sizeof control) != sizeof control || close (file) != 0)
    abort ();
}

void
trace_folder_make (const char *folder, uint32_t places)
{
  char path[4096];
  int file;

  snprintf (path, sizeof path, "%s/heads-0", folder);
  file = open (path, O_WRONLY | O_CREAT | O_CLOEXEC, 0600);
  if (ftruncate (file, (off_t)places * LC_HEAD_BYTES) != 0 || close (file) != 0)
    abort ();
  snprintf (path, sizeof path, "%s/ctf", folder);
  if (mkdir (path, 0777) != 0)
    abort ();
  trace_folder_write_control (folder, places);
}

void
trace_folder_run_again (const char *folder, char **arguments)
{
  setenv (LC_CONTROL_ENVIRONMENT, folder, 1);
  execv ("/proc/self/exe", arguments);
  abort ();
}
