/* SPDX-License-Identifier: Apache-2.0 */
/* Hands a recording over to another process, when whoever began it has to go and the program is still there. */
#include <errno.h>
#include <fcntl.h>
#include <unistd.h>

#include "closing.h"
#include "recording-private.h"

gboolean
lc_recording_is_used (const LcRecording *recording)
{
  g_return_val_if_fail (recording != NULL, FALSE);
  return lc_find_running (recording->folder, recording->uuid) != 0;
}

/* The caller waits for the byte: it must not unmap anything before the child has it, too. */
static gint64
handing_go_on (LcRecording *recording, int answer)
{
  gboolean good;
  char byte;

  lc_switches_take_over (lc_drain_get_switches (recording->drain));
  good = lc_drain_start (recording->drain, NULL);
  byte = good ? 'y' : 'n';
  setsid ();
  if (write (answer, &byte, 1) != 1 || !good)
    _exit (EXIT_FAILURE);
  close (answer);
  return 0;
}

static gboolean
handing_hear (int answer)
{
  char byte = 'n';
  ssize_t n;

  while ((n = read (answer, &byte, 1)) < 0 && errno == EINTR)
    ;
  return n == 1 && byte == 'y';
}

static void
handing_set_error (GError **error)
{
  g_set_error_literal (error, G_FILE_ERROR, (gint)g_file_error_from_errno (errno), g_strerror (errno));
}

gint64
lc_recording_hand_over (LcRecording *recording, GError **error)
{
  int answer[2];
  pid_t child;
  gboolean good;

  g_return_val_if_fail (recording != NULL && recording->drain != NULL, -1);
  if (pipe2 (answer, O_CLOEXEC) != 0)
    {
      handing_set_error (error);
      return -1;
    }
  lc_drain_stop (recording->drain);
  child = fork ();
  if (child == 0)
    {
      close (answer[0]);
      return handing_go_on (recording, answer[1]);
    }
  if (child < 0)
    handing_set_error (error);
  close (answer[1]);
  good = child > 0 && handing_hear (answer[0]);
  close (answer[0]);
  if (good)
    {
      lc_switches_leave (lc_drain_get_switches (recording->drain));
      return child;
    }
  if (child > 0)
    g_set_error_literal (error, G_FILE_ERROR, G_FILE_ERROR_FAILED, "another process could not go on with it");
  lc_drain_start (recording->drain, NULL);
  return -1;
}
