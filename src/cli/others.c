/* SPDX-License-Identifier: Apache-2.0 */
/* Compares what the processors did with what they did for this program. */
#include "others.h"

#include <stdio.h>
#include <sys/resource.h>
#include <time.h>
#include <unistd.h>

/* Others may take so much of the processors before they disturb. */
#define OTHERS_SHARE 0.05
#define OTHERS_SECONDS 0.02 /* as the clock of /proc/stat steps */

static double
others_to_seconds (const struct rusage *usage)
{
  return (double)(usage->ru_utime.tv_sec + usage->ru_stime.tv_sec) +
         (double)(usage->ru_utime.tv_usec + usage->ru_stime.tv_usec) / 1e6;
}

/* All that the processors did, for the host of a virtual machine too, less what was done for us. */
LcOthers
lc_others_look (void)
{
  guint64 user, nice, system, idle, waiting, hard, soft, steal;
  struct rusage own, children;
  struct timespec now;
  LcOthers look = {0};
  FILE *file = fopen ("/proc/stat", "re");

  clock_gettime (CLOCK_MONOTONIC, &now);
  look.now = (guint64)now.tv_sec * G_GUINT64_CONSTANT (1000000000) + (guint64)now.tv_nsec;
  if (file == NULL)
    return look;
  getrusage (RUSAGE_SELF, &own);
  getrusage (RUSAGE_CHILDREN, &children);
  look.children = others_to_seconds (&children);
  if (fscanf (file,
              "cpu %" G_GUINT64_FORMAT " %" G_GUINT64_FORMAT " %" G_GUINT64_FORMAT " %" G_GUINT64_FORMAT
              " %" G_GUINT64_FORMAT " %" G_GUINT64_FORMAT " %" G_GUINT64_FORMAT " %" G_GUINT64_FORMAT,
              &user, &nice, &system, &idle, &waiting, &hard, &soft, &steal) == 8)
    look.others = (double)(user + nice + system + hard + soft + steal) / (double)sysconf (_SC_CLK_TCK) -
                  others_to_seconds (&own) - look.children;
  fclose (file);
  return look;
}

static double
others_get_processors (const LcOthers *before, const LcOthers *after)
{
  return (double)(after->now - before->now) / 1e9 * (double)sysconf (_SC_NPROCESSORS_ONLN);
}

double
lc_others_get_share (const LcOthers *before, const LcOthers *after)
{
  const double all = others_get_processors (before, after);

  return all > 0 ? CLAMP ((after->others - before->others) / all, 0, 1) : 0;
}

gboolean
lc_others_disturb (const LcOthers *before, const LcOthers *after)
{
  return after->others - before->others > OTHERS_SECONDS + OTHERS_SHARE * others_get_processors (before, after);
}
