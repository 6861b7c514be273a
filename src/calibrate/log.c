/* SPDX-License-Identifier: Apache-2.0 */
/* Keeps the stamps in memory until all measurements are done, and writes them to a file. */
#include "log.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void
lc_fail (const char *what, int error)
{
  fprintf (stderr, "%s: %s: %s\n", program_invocation_short_name, what, strerror (error));
  exit (1);
}

static struct lc_series *
add_series (struct lc_log *log, const char *operation, enum lc_stamps_kind kind)
{
  struct lc_series *series = &log->series[log->n_series];

  if (log->n_series == LC_SERIES)
    lc_fail (operation, ENOSPC);
  log->n_series++;
  series->head.kind = kind;
  series->head.repeat = series->head.batch = 1;
  snprintf (series->head.operation, sizeof series->head.operation, "%s", operation);
  return series;
}

struct lc_series *
lc_log_series (struct lc_log *log, const char *operation, const char *interface, enum lc_stamps_kind kind)
{
  struct lc_series *series = log->series;

  while (series < log->series + log->n_series &&
         (series->head.kind != kind || strcmp (series->head.operation, operation) != 0 ||
          strcmp (series->head.interface, interface) != 0))
    series++;
  if (series < log->series + log->n_series)
    return series;
  series = add_series (log, operation, kind);
  snprintf (series->head.interface, sizeof series->head.interface, "%s", interface);
  return series;
}

struct lc_series *
lc_log_message (struct lc_log *log, uint32_t bytes, uint32_t peer)
{
  struct lc_series *series = log->series;

  while (series < log->series + log->n_series &&
         (series->head.kind != LC_STAMPS_MESSAGE || series->head.bytes != bytes || series->head.peer != peer))
    series++;
  if (series < log->series + log->n_series)
    return series;
  series = add_series (log, "message", LC_STAMPS_MESSAGE);
  series->head.bytes = bytes;
  series->head.peer = peer;
  return series;
}

void
lc_log_partner (struct lc_series *series, const char *operation)
{
  if (operation != NULL)
    snprintf (series->head.partner, sizeof series->head.partner, "%s", operation);
}

/* Touches the new memory, so that no page faults disturb a measurement. */
void
lc_log_grow (struct lc_series *series)
{
  uint32_t room = series->room == 0 ? LC_BATCH : series->room * 4;
  struct lc_stamps_pair *pairs = realloc (series->pairs, room * sizeof *pairs);

  if (pairs == NULL)
    lc_fail (series->head.operation, errno);
  memset (pairs + series->room, 0, (room - series->room) * sizeof *pairs);
  series->pairs = pairs;
  series->room = room;
}

void
lc_log_write (const struct lc_log *log, const char *path)
{
  struct lc_stamps_header header = {.series = log->n_series, .bytes = sizeof (struct lc_stamps_series)};
  FILE *file = fopen (path, "wb");

  if (file == NULL)
    lc_fail (path, errno);
  memcpy (header.magic, LC_STAMPS_MAGIC, sizeof header.magic);
  fwrite (&header, sizeof header, 1, file);
  for (uint32_t i = 0; i < log->n_series; i++)
    {
      const struct lc_series *series = &log->series[i];

      fwrite (&series->head, sizeof series->head, 1, file);
      if (series->head.count > 0)
        fwrite (series->pairs, sizeof *series->pairs, series->head.count, file);
    }
  if (ferror (file) | fclose (file))
    lc_fail (path, errno);
}
