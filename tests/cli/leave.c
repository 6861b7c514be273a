/* SPDX-License-Identifier: Apache-2.0 */
/* Leaves a child behind that is not recorded, prints its number, and ends. */
#include <fcntl.h>
#include <stdio.h>
#include <sys/syscall.h>
#include <unistd.h>

int
main (void)
{
  static char *const arguments[] = {(char *)"sleep", (char *)"60", NULL};
  static char *const environment[] = {NULL};
  pid_t child = fork ();

  if (child == 0)
    {
      int null = open ("/dev/null", O_RDWR);

      dup2 (null, STDOUT_FILENO);
      dup2 (null, STDERR_FILENO);
      syscall (SYS_execve, "/bin/sleep", arguments, environment); /* past the recorder */
      _exit (1);
    }
  printf ("%d\n", (int)child);
  return 0;
}
