/* SPDX-License-Identifier: Apache-2.0 */
/* Schedules as text: docs/schedule.md describes the lines. */
#include <glib/gi18n.h>
#include <string.h>

#include "schedule-private.h"

#define SCHEDULE_FIRST_LINE "%lightcone-schedule 1"

enum
{
  MOST_BYTES_OF_FILE = 1 << 20,
  MOST_ENTRIES = 1 << 12, /* of each kind */
};

/* --- Writing -------------------------------------------------------------------------------------------------- */

/* A text ends with its line: what cannot be in one, and a backslash, is written as \xHH. */
static void
schedule_append_text (GString *lines, const char *key, const char *text)
{
  if (text == NULL)
    return;
  g_string_append_printf (lines, "%s ", key);
  for (; *text != '\0'; text++)
    if ((guchar)*text < 0x20 || *text == 0x7f || *text == '\\')
      g_string_append_printf (lines, "\\x%02x", (guint)(guchar)*text);
    else
      g_string_append_c (lines, *text);
  g_string_append_c (lines, '\n');
}

static void
schedule_append_process (GString *lines, const LcScheduleProcess *process)
{
  g_autofree char *made = process->creator == LC_TRACE_NONE
                              ? g_strdup ("-")
                              : g_strdup_printf ("%u.%" G_GUINT64_FORMAT, process->creator, process->nth);
  g_autofree char *key = g_strdup_printf ("process %u %s", process->number, made);

  schedule_append_text (lines, key, process->name);
}

char *
lc_schedule_to_text (const LcSchedule *schedule)
{
  GString *lines = g_string_new (SCHEDULE_FIRST_LINE "\n");

  schedule_append_text (lines, "title", schedule->title);
  schedule_append_text (lines, "outcome", schedule->outcome);
  schedule_append_text (lines, "program", schedule->program);
  for (guint i = 0; i < schedule->command->len; i++)
    schedule_append_text (lines, "argument", schedule->command->pdata[i]);
  for (guint i = 0; i < schedule->modules->len; i++)
    {
      const LcScheduleModule *module = &g_array_index (schedule->modules, LcScheduleModule, i);
      g_autofree char *key = g_strdup_printf ("module %s", module->build_id);

      schedule_append_text (lines, key, module->path);
    }
  for (guint i = 0; i < schedule->processes->len; i++)
    schedule_append_process (lines, &g_array_index (schedule->processes, LcScheduleProcess, i));
  for (guint i = 0; i < schedule->events->len; i++)
    {
      const LcScheduleEvent *event = &g_array_index (schedule->events, LcScheduleEvent, i);

      g_string_append_printf (lines, "event %u:%" G_GUINT64_FORMAT " %s\n", event->process, event->ordinal,
                              event->operation);
      if (event->nth >= 0)
        g_string_append_printf (lines, "nth %" G_GINT64_FORMAT "\n", event->nth);
      schedule_append_text (lines, "object", event->object);
      schedule_append_text (lines, "site", event->site);
    }
  for (guint i = 0; i < schedule->orders->len; i++)
    {
      const LcScheduleOrder *order = &g_array_index (schedule->orders, LcScheduleOrder, i);
      const LcScheduleEvent *first = &g_array_index (schedule->events, LcScheduleEvent, order->first);
      const LcScheduleEvent *second = &g_array_index (schedule->events, LcScheduleEvent, order->second);

      g_string_append_printf (lines, "order %u:%" G_GUINT64_FORMAT " before %u:%" G_GUINT64_FORMAT "\n", first->process,
                              first->ordinal, second->process, second->ordinal);
    }
  return g_string_free (lines, FALSE);
}

/* --- Reading -------------------------------------------------------------------------------------------------- */

typedef struct
{
  LcSchedule *schedule;
  const char *path;
  guint number; /* of the line */
  char **words; /* of the line: up to four, the last one is the rest of it */
  GError **error;
} ScheduleReader;

static gboolean
schedule_refuse (const ScheduleReader *reader, const char *what)
{
  g_set_error (reader->error, LC_SCHEDULE_ERROR, LC_SCHEDULE_ERROR_FORMAT, _ ("%s: line %u: %s"), reader->path,
               reader->number, what);
  return FALSE;
}

/* NULL: an escape is no escape. */
static char *
schedule_dup_text (const char *written)
{
  g_autoptr (GString) text = g_string_new (NULL);

  for (; *written != '\0'; written++)
    {
      int high, low;

      if (*written != '\\')
        {
          g_string_append_c (text, *written);
          continue;
        }
      high = written[1] == 'x' ? g_ascii_xdigit_value (written[2]) : -1;
      low = high >= 0 ? g_ascii_xdigit_value (written[3]) : -1;
      if (low < 0 || high * 16 + low == 0)
        return NULL;
      g_string_append_c (text, (char)(high * 16 + low));
      written += 3;
    }
  return g_string_free (g_steal_pointer (&text), FALSE);
}

/* Gives the rest of the line from a word on. */
static gboolean
schedule_read_text (const ScheduleReader *reader, const char *line, guint skipped, char **text)
{
  for (; skipped > 0; skipped--)
    {
      const char *space = strchr (line, ' ');

      if (space == NULL)
        return schedule_refuse (reader, _ ("a text is missing"));
      line = space + 1;
    }
  if (*text != NULL)
    return schedule_refuse (reader, _ ("this has been said already"));
  *text = schedule_dup_text (line);
  return *text != NULL || schedule_refuse (reader, _ ("after a backslash comes xHH, which is not 00"));
}

static gboolean
schedule_read_number (const char *text, guint64 most, guint64 *number)
{
  return text != NULL && g_ascii_string_to_unsigned (text, 10, 0, most, number, NULL);
}

/* "3:17" */
static gboolean
schedule_read_place (const ScheduleReader *reader, const char *text, guint32 *process, guint64 *ordinal)
{
  g_auto (GStrv) parts = g_strsplit (text != NULL ? text : "", ":", 2);
  guint64 number;

  if (g_strv_length (parts) != 2 || !schedule_read_number (parts[0], LC_TRACE_NONE - 1, &number) ||
      !schedule_read_number (parts[1], G_MAXINT64, ordinal))
    return schedule_refuse (reader, _ ("an event is PROCESS:ORDINAL"));
  *process = (guint32)number;
  return TRUE;
}

static gboolean
schedule_read_module (ScheduleReader *reader, const char *line)
{
  LcScheduleModule module = {NULL, NULL};

  if (reader->words[1] == NULL || strspn (reader->words[1], "0123456789abcdef") != strlen (reader->words[1]) ||
      *reader->words[1] == '\0')
    return schedule_refuse (reader, _ ("a module is BUILD-ID PATH"));
  if (!schedule_read_text (reader, line, 2, &module.path))
    return FALSE;
  module.build_id = g_strdup (reader->words[1]);
  g_array_append_val (reader->schedule->modules, module);
  return TRUE;
}

static gboolean
schedule_knows_process (const LcSchedule *schedule, guint32 number)
{
  for (guint i = 0; i < schedule->processes->len; i++)
    if (g_array_index (schedule->processes, LcScheduleProcess, i).number == number)
      return TRUE;
  return FALSE;
}

static gboolean
schedule_read_process (ScheduleReader *reader, const char *line)
{
  LcScheduleProcess process = {.creator = LC_TRACE_NONE};
  g_auto (GStrv) made = NULL;
  guint64 number, creator;

  if (!schedule_read_number (reader->words[1], LC_TRACE_NONE - 1, &number) || reader->words[2] == NULL)
    return schedule_refuse (reader, _ ("a process is NUMBER CREATOR.NTH NAME, or NUMBER - NAME"));
  process.number = (guint32)number;
  made = g_strsplit (reader->words[2], ".", 2);
  if (strcmp (reader->words[2], "-") != 0)
    {
      if (!schedule_read_number (made[0], LC_TRACE_NONE - 1, &creator) ||
          !schedule_read_number (made[0] != NULL ? made[1] : NULL, G_MAXINT64, &process.nth))
        return schedule_refuse (reader, _ ("a process is NUMBER CREATOR.NTH NAME, or NUMBER - NAME"));
      process.creator = (guint32)creator;
      if (!schedule_knows_process (reader->schedule, process.creator))
        return schedule_refuse (reader, _ ("a process comes after its creator"));
    }
  if (schedule_knows_process (reader->schedule, process.number))
    return schedule_refuse (reader, _ ("this has been said already"));
  if (!schedule_read_text (reader, line, 3, &process.name))
    return FALSE;
  g_array_append_val (reader->schedule->processes, process);
  return TRUE;
}

static gboolean
schedule_find_event (const ScheduleReader *reader, const char *text, guint *index)
{
  guint64 ordinal;
  guint32 process;

  if (!schedule_read_place (reader, text, &process, &ordinal))
    return FALSE;
  for (*index = 0; *index < reader->schedule->events->len; (*index)++)
    {
      const LcScheduleEvent *event = &g_array_index (reader->schedule->events, LcScheduleEvent, *index);

      if (event->process == process && event->ordinal == ordinal)
        return TRUE;
    }
  return schedule_refuse (reader, _ ("an order is of events that are described before it"));
}

static gboolean
schedule_read_event (ScheduleReader *reader)
{
  LcScheduleEvent event = {.nth = -1};

  if (!schedule_read_place (reader, reader->words[1], &event.process, &event.ordinal))
    return FALSE;
  if (!schedule_knows_process (reader->schedule, event.process))
    return schedule_refuse (reader, _ ("an event comes after its process"));
  for (guint i = 0; i < reader->schedule->events->len; i++)
    {
      const LcScheduleEvent *other = &g_array_index (reader->schedule->events, LcScheduleEvent, i);

      if (other->process == event.process && other->ordinal == event.ordinal)
        return schedule_refuse (reader, _ ("this has been said already"));
    }
  if (reader->words[2] == NULL || *reader->words[2] == '\0' || reader->words[3] != NULL)
    return schedule_refuse (reader, _ ("an event is PROCESS:ORDINAL OPERATION"));
  event.operation = g_strdup (reader->words[2]);
  g_array_append_val (reader->schedule->events, event);
  return TRUE;
}

/* Of the last event. */
static gboolean
schedule_read_nth (ScheduleReader *reader)
{
  GArray *events = reader->schedule->events;
  LcScheduleEvent *event = events->len > 0 ? &g_array_index (events, LcScheduleEvent, events->len - 1) : NULL;
  guint64 nth;

  if (event == NULL)
    return schedule_refuse (reader, _ ("nth, object and site come after their event"));
  if (event->nth >= 0)
    return schedule_refuse (reader, _ ("this has been said already"));
  if (!schedule_read_number (reader->words[1], G_MAXINT32, &nth) || reader->words[2] != NULL)
    return schedule_refuse (reader, _ ("nth is a number, from 0 on"));
  event->nth = (gint64)nth;
  return TRUE;
}

static gboolean
schedule_read_order (ScheduleReader *reader)
{
  LcScheduleOrder order;

  if (g_strcmp0 (reader->words[1] != NULL ? reader->words[2] : NULL, "before") != 0)
    return schedule_refuse (reader, _ ("an order is PROCESS:ORDINAL before PROCESS:ORDINAL"));
  if (!schedule_find_event (reader, reader->words[1], &order.first) ||
      !schedule_find_event (reader, reader->words[3], &order.second))
    return FALSE;
  if (order.first == order.second)
    return schedule_refuse (reader, _ ("no event comes before itself"));
  g_array_append_val (reader->schedule->orders, order);
  return TRUE;
}

/* Of the last event. */
static gboolean
schedule_read_detail (ScheduleReader *reader, const char *line)
{
  GArray *events = reader->schedule->events;
  LcScheduleEvent *event = events->len > 0 ? &g_array_index (events, LcScheduleEvent, events->len - 1) : NULL;

  if (event == NULL)
    return schedule_refuse (reader, _ ("nth, object and site come after their event"));
  return schedule_read_text (reader, line, 1, *line == 'o' ? &event->object : &event->site);
}

static gboolean
schedule_read_argument (ScheduleReader *reader, const char *line)
{
  char *argument = NULL;

  if (!schedule_read_text (reader, line, 1, &argument))
    return FALSE;
  g_ptr_array_add (reader->schedule->command, argument);
  return TRUE;
}

static gboolean
schedule_read_line (ScheduleReader *reader, const char *line)
{
  LcSchedule *schedule = reader->schedule;
  const char *key = reader->words[0];

  if (schedule->command->len >= MOST_ENTRIES || schedule->modules->len >= MOST_ENTRIES ||
      schedule->processes->len >= MOST_ENTRIES || schedule->events->len >= MOST_ENTRIES ||
      schedule->orders->len >= MOST_ENTRIES)
    return schedule_refuse (reader, _ ("there are too many lines of one kind"));
  if (strcmp (key, "title") == 0)
    return schedule_read_text (reader, line, 1, &schedule->title);
  if (strcmp (key, "outcome") == 0)
    return schedule_read_text (reader, line, 1, &schedule->outcome);
  if (strcmp (key, "nth") == 0)
    return schedule_read_nth (reader);
  if (strcmp (key, "program") == 0)
    return schedule_read_text (reader, line, 1, &schedule->program);
  if (strcmp (key, "argument") == 0)
    return schedule_read_argument (reader, line);
  if (strcmp (key, "module") == 0)
    return schedule_read_module (reader, line);
  if (strcmp (key, "process") == 0)
    return schedule_read_process (reader, line);
  if (strcmp (key, "event") == 0)
    return schedule_read_event (reader);
  if (strcmp (key, "object") == 0 || strcmp (key, "site") == 0)
    return schedule_read_detail (reader, line);
  if (strcmp (key, "order") == 0)
    return schedule_read_order (reader);
  return schedule_refuse (reader, _ ("no such line is known"));
}

LcSchedule *
lc_schedule_parse (const char *text, gsize length, const char *path, GError **error)
{
  g_autoptr (LcSchedule) schedule = lc_schedule_new_empty ();
  ScheduleReader reader = {.schedule = schedule, .path = path, .error = error};
  gboolean good = TRUE;

  while (good && length > 0)
    {
      const char *newline = memchr (text, '\n', length);
      const gsize n = newline != NULL ? (gsize)(newline - text) : length;
      g_autofree char *line = g_strndup (text, n);
      g_auto (GStrv) words = g_strsplit (line, " ", 4);

      reader.number++;
      reader.words = words;
      if (strlen (line) != n)
        good = schedule_refuse (&reader, _ ("a zero byte"));
      else if (reader.number == 1)
        good = strcmp (line, SCHEDULE_FIRST_LINE) == 0 ||
               schedule_refuse (&reader, _ ("a schedule begins with %lightcone-schedule 1"));
      else if (n > 0 && *line != '#')
        good = schedule_read_line (&reader, line);
      length -= newline != NULL ? n + 1 : n;
      text += newline != NULL ? n + 1 : n;
    }
  if (good && reader.number == 0)
    {
      reader.number = 1;
      good = schedule_refuse (&reader, _ ("a schedule begins with %lightcone-schedule 1"));
    }
  return good ? g_steal_pointer (&schedule) : NULL;
}

LcSchedule *
lc_schedule_load (const char *path, GError **error)
{
  g_autofree char *text = NULL;
  gsize length;

  if (!lc_trace_read_file (path, MOST_BYTES_OF_FILE, &text, &length, error))
    return NULL;
  return lc_schedule_parse (text, length, path, error);
}
