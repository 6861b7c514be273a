/* SPDX-License-Identifier: Apache-2.0 */
/* Writes a timeline of a history as a text trace. */
#include "lightcone/timeline-trace.h"

#include <errno.h>
#include <glib/gi18n-lib.h>
#include <string.h>
#include <unistd.h>

#include "lightcone/states.h"
#include "trace/directory.h"
#include "trace/settings-text.h"

enum
{
  BUFFER = 1 << 16,
  MOST_FRAMES = 1000,         /* of one stack */
  MOST_RULES = 1 << 20,       /* bytes of a file of rules, or of trace.ini */
  LEAST_RULES_NUMBER = 10000, /* so that names sort as numbers do */
};

typedef struct
{
  LcHistory *history;
  guint32 timeline;
  const LcTimelineTraceOptions *options;
  LcFolder *folder;  /* to write to */
  GPtrArray *places; /* char *, by stack: the value of `at`, or NULL where it has not been asked for */
  /* The present file. */
  char *name;
  int fd;
  GString *text; /* not written yet */
  gboolean failed;
  guint64 waiting; /* begin of a wait whose end has not been seen; G_MAXUINT64: none */
  guint64 until;   /* end of what has been seen of it */
  GError **error;
} TextWriter;

/* --- Files --------------------------------------------------------------------------------------------------- */

static gboolean
text_writer_flush (TextWriter *writer)
{
  const char *next = writer->text->str;
  gsize left = writer->text->len;

  while (left > 0 && !writer->failed)
    {
      gssize written = write (writer->fd, next, left);

      if (written < 0 && errno != EINTR)
        {
          lc_folder_set_error (writer->folder, writer->name, errno, writer->error);
          writer->failed = TRUE;
        }
      next += MAX (written, 0);
      left -= (gsize)MAX (written, 0);
    }
  g_string_truncate (writer->text, 0);
  return !writer->failed;
}

static gboolean
text_writer_end_line (TextWriter *writer)
{
  g_string_append_c (writer->text, '\n');
  return writer->text->len < BUFFER || text_writer_flush (writer);
}

static gboolean
text_writer_open (TextWriter *writer, guint32 process)
{
  g_free (writer->name);
  writer->name = g_strdup_printf ("process-%u.events", process);
  writer->fd = lc_folder_create (writer->folder, writer->name, writer->error);
  writer->failed = writer->fd < 0;
  return !writer->failed;
}

static gboolean
text_writer_close (TextWriter *writer)
{
  text_writer_flush (writer);
  if (writer->fd >= 0 && close (writer->fd) != 0 && !writer->failed)
    {
      lc_folder_set_error (writer->folder, writer->name, errno, writer->error);
      writer->failed = TRUE;
    }
  writer->fd = -1;
  return !writer->failed;
}

/* Adds a name, which is all up to the end of the line. */
static void
text_writer_add_name (TextWriter *writer, const char *name)
{
  gsize from = writer->text->len;

  g_string_append (writer->text, name);
  for (gsize i = from; i < writer->text->len; i++)
    if (g_ascii_iscntrl (writer->text->str[i]))
      writer->text->str[i] = '?';
}

/* --- Places -------------------------------------------------------------------------------------------------- */

static void
text_writer_escape (GString *text, const char *name)
{
  for (; *name != '\0'; name++)
    if (strchr (" ;%@", *name) != NULL || g_ascii_iscntrl (*name))
      g_string_append_printf (text, "%%%02x", (guchar)*name);
    else
      g_string_append_c (text, *name);
}

/* Of code without names its module and offset are the function. */
static void
text_writer_add_site (GString *text, const LcHistorySite *site)
{
  if (site->function != NULL && *site->function != '\0')
    text_writer_escape (text, site->function);
  else if (site->file == NULL || site->line == 0)
    {
      g_autofree char *name = g_path_get_basename (site->module != NULL ? site->module : "code");

      text_writer_escape (text, name);
      g_string_append_printf (text, "+0x%" G_GINT64_MODIFIER "x", site->offset);
    }
  if (site->file == NULL || site->line == 0)
    return;
  g_string_append_c (text, '@');
  text_writer_escape (text, site->file);
  g_string_append_printf (text, ":%u", site->line);
}

static const char *
text_writer_get_place (TextWriter *writer, guint32 number)
{
  GString *text;
  const LcHistoryStack *stack;
  guint frames = 0;

  if (number >= writer->places->len)
    g_ptr_array_set_size (writer->places, (int)number + 1);
  if (writer->places->pdata[number] != NULL)
    return writer->places->pdata[number];
  text = g_string_new (NULL);
  for (stack = lc_history_get_stack (writer->history, number); stack != NULL && frames++ < MOST_FRAMES;
       stack = stack->parent != LC_TRACE_NONE ? lc_history_get_stack (writer->history, stack->parent) : NULL)
    {
      const LcHistorySite *site = lc_history_get_site (writer->history, stack->site);

      if (site == NULL)
        break;
      if (text->len > 0)
        g_string_append_c (text, ';');
      text_writer_add_site (text, site);
    }
  return writer->places->pdata[number] = g_string_free (text, FALSE);
}

/* --- Events -------------------------------------------------------------------------------------------------- */

static void
text_writer_add_flags (GString *text, guint flags)
{
  static const struct
  {
    guint flag;
    const char *key;
  } keys[] = {
      {LC_TRACE_EVENT_BLIND, "blind"},   {LC_EVENT_CONTENDED, "contended"}, {LC_EVENT_INTERRUPTED, "interrupted"},
      {LC_EVENT_CANCELLED, "cancelled"}, {LC_EVENT_TIMED_OUT, "timed-out"}, {LC_EVENT_OWNER_DIED, "owner-died"},
      {LC_EVENT_UNKNOWN, "unknown"},     {LC_EVENT_AGAIN, "again"},         {LC_EVENT_FORK, "fork"},
  };

  for (gsize i = 0; i < G_N_ELEMENTS (keys); i++)
    if (flags & keys[i].flag)
      g_string_append_printf (text, " %s=1", keys[i].key);
}

static gboolean
text_writer_add_event (const LcHistoryEvent *event, const LcHistoryArcEnd *arcs G_GNUC_UNUSED, gpointer data)
{
  TextWriter *writer = data;
  GString *text = writer->text;
  const char *place = NULL;

  g_string_append_printf (text, "%" G_GUINT64_FORMAT " %" G_GUINT64_FORMAT " %s", event->begin, event->end,
                          lc_history_get_operation (writer->history, event->operation)->name);
  if (event->object != LC_TRACE_NONE)
    g_string_append_printf (text, " o%u", event->object);
  if (event->object != LC_TRACE_NONE && event->flags & LC_TRACE_EVENT_SEQUENCE)
    g_string_append_printf (text, " %" G_GINT64_FORMAT, event->sequence);
  else if (event->object != LC_TRACE_NONE)
    g_string_append (text, " -");
  if (event->flags & LC_TRACE_EVENT_VALUE)
    g_string_append_printf (text, " value=%" G_GINT64_FORMAT, event->value);
  if (event->flags & LC_TRACE_EVENT_BYTES)
    g_string_append_printf (text, " bytes=%" G_GUINT64_FORMAT, event->bytes);
  if (event->peer != LC_TRACE_NONE)
    g_string_append_printf (text, " to=%u", event->peer);
  if (event->cpu != LC_CPU_UNKNOWN)
    g_string_append_printf (text, " cpu=%u", event->cpu);
  text_writer_add_flags (text, event->flags);
  if (event->stack != LC_TRACE_NONE)
    place = text_writer_get_place (writer, event->stack);
  if (place != NULL && *place != '\0')
    g_string_append_printf (text, " at=%s", place);
  return text_writer_end_line (writer);
}

/* --- Processes ----------------------------------------------------------------------------------------------- */

static gboolean
text_writer_add_absence (TextWriter *writer, guint64 begin, guint64 end, const char *kind)
{
  g_string_append_printf (writer->text, "%%absent %" G_GUINT64_FORMAT " %" G_GUINT64_FORMAT " %s", begin, end, kind);
  return text_writer_end_line (writer);
}

static gboolean
text_writer_end_wait (TextWriter *writer)
{
  const guint64 begin = writer->waiting;

  writer->waiting = G_MAXUINT64;
  return begin == G_MAXUINT64 || text_writer_add_absence (writer, begin, writer->until, "blocked");
}

/* Who waited was blocked until it had been woken: from this a merge finds how long that took. */
static gboolean
text_writer_add_state (const LcStateSpan *span, gpointer data)
{
  TextWriter *writer = data;

  if (span->state == LC_IS_WOKEN && writer->waiting != G_MAXUINT64)
    {
      writer->until = span->end;
      return TRUE;
    }
  if (!text_writer_end_wait (writer))
    return FALSE;
  if (span->state == LC_IS_WAITING)
    {
      writer->waiting = span->begin;
      writer->until = span->end;
    }
  else if (span->state == LC_IS_PREEMPTED || span->state == LC_IS_UNSEEN)
    return text_writer_add_absence (writer, span->begin, span->end,
                                    span->state == LC_IS_PREEMPTED ? "preempted" : "blocked");
  return TRUE;
}

static gboolean
text_writer_add_absences (TextWriter *writer, guint32 process)
{
  g_string_append (writer->text, "%switches");
  writer->waiting = G_MAXUINT64;
  return text_writer_end_line (writer) &&
         lc_history_visit_states (writer->history, writer->timeline, process, 0, G_MAXUINT64, text_writer_add_state,
                                  writer, writer->options->cancellable, writer->error) &&
         text_writer_end_wait (writer);
}

/* The names of objects are in the first file; events have their numbers. */
static gboolean
text_writer_add_objects (TextWriter *writer)
{
  for (guint32 i = 0; i < lc_history_get_n_objects (writer->history); i++)
    {
      LcHistoryObject object;
      gboolean good;

      if (!lc_history_get_object (writer->history, i, &object, writer->error))
        return FALSE;
      g_string_append_printf (writer->text, "%%object o%u value=%" G_GUINT64_FORMAT " ", i, object.value);
      text_writer_add_name (writer, object.name);
      good = text_writer_end_line (writer);
      lc_history_object_clear (&object);
      if (!good)
        return FALSE;
    }
  return TRUE;
}

/* Somebody who was there before the first event ran until then. */
static gboolean
text_writer_add_begin (TextWriter *writer, guint32 process)
{
  guint64 begin, end;

  if (!lc_history_get_process_span (writer->history, writer->timeline, process, &begin, &end, writer->error))
    return FALSE;
  g_string_append_printf (writer->text, "%%begin %" G_GUINT64_FORMAT, begin);
  return text_writer_end_line (writer);
}

static gboolean
text_writer_write_process (TextWriter *writer, guint32 number)
{
  const LcHistoryProcess *process = lc_history_get_process (writer->history, number);
  gboolean good = text_writer_open (writer, number);

  if (!good)
    return FALSE;
  g_string_append (writer->text, "%lightcone-events 1\n%process ");
  text_writer_add_name (writer, process->name);
  good = text_writer_end_line (writer) && (number > 0 || text_writer_add_objects (writer)) &&
         (!process->is_followed || text_writer_add_begin (writer, number)) &&
         (!process->is_scheduled || text_writer_add_absences (writer, number)) &&
         lc_history_visit (writer->history, writer->timeline, number, 0, G_MAXUINT64, text_writer_add_event, writer,
                           writer->options->cancellable, writer->error);
  return text_writer_close (writer) && good;
}

/* --- Settings and rules -------------------------------------------------------------------------------------- */

static void
timeline_trace_copy_group (GKeyFile *from, const char *group, GKeyFile *to)
{
  g_auto (GStrv) keys = g_key_file_get_keys (from, group, NULL, NULL);

  for (gsize i = 0; keys != NULL && keys[i] != NULL; i++)
    {
      g_autofree char *value = g_key_file_get_value (from, group, keys[i], NULL);

      g_key_file_set_value (to, group, keys[i], value);
    }
}

static void
timeline_trace_copy_key (GKeyFile *from, const char *key, GKeyFile *to)
{
  g_autofree char *value = g_key_file_get_value (from, "trace", key, NULL);

  if (value != NULL)
    g_key_file_set_value (to, "trace", key, value);
}

/* What the recording has cost is not in the new trace; what operations take is. */
static void
timeline_trace_fill_settings (GKeyFile *from, GKeyFile *to, const LcHistoryTimeline *timeline, const char *origin)
{
  static const char *const keys[] = {"title", "command", "program", "started", "host"};
  static const char *const groups[] = {"cost", "barrier", "communication"};
  g_autofree char *path = g_canonicalize_filename (origin, NULL), *valid = g_utf8_make_valid (path, -1);

  for (gsize i = 0; i < G_N_ELEMENTS (keys); i++)
    timeline_trace_copy_key (from, keys[i], to);
  g_key_file_set_string (to, "origin", "trace", valid);
  g_key_file_set_string (to, "origin", "timeline", timeline->name);
  g_key_file_set_string (to, "origin", "model", timeline->model != NULL ? timeline->model : "measured");
  g_key_file_set_string (to, "origin", "parameters", timeline->parameters != NULL ? timeline->parameters : "");
  g_key_file_set_string (to, "overhead", "*", "0;0;0");
  for (gsize i = 0; i < G_N_ELEMENTS (groups); i++)
    timeline_trace_copy_group (from, groups[i], to);
}

/* Tells whether the trace has a file or folder of this name. FALSE: that cannot be found out. */
static gboolean
timeline_trace_look (const TextWriter *writer, LcFolder *origin, const char *name, gboolean *is_there)
{
  struct stat status;

  *is_there = lc_folder_stat (origin, name, &status);
  if (*is_there || errno == ENOENT)
    return TRUE;
  lc_folder_set_error (origin, name, errno, writer->error);
  return FALSE;
}

static gboolean
timeline_trace_write_settings (TextWriter *writer, LcFolder *origin, const LcHistoryTimeline *timeline)
{
  g_autoptr (GKeyFile) from = g_key_file_new (), to = g_key_file_new ();
  g_autofree char *old = NULL, *text = NULL;
  gboolean is_there;
  gsize length;

  if (!timeline_trace_look (writer, origin, "trace.ini", &is_there) ||
      (is_there && (!lc_folder_read (origin, "trace.ini", MOST_RULES, &old, &length, writer->error) ||
                    !g_key_file_load_from_data (from, old, length, G_KEY_FILE_NONE, writer->error))))
    return FALSE;
  timeline_trace_fill_settings (from, to, timeline, writer->options->origin);
  text = lc_settings_text_write (to, &length);
  return lc_folder_write (writer->folder, "trace.ini", text, length, writer->error);
}

/* Writes one more file of rules, under a name that keeps the order. */
static gboolean
timeline_trace_add_rules (TextWriter *writer, LcFolder **folder, guint *n, const char *text, gsize length)
{
  g_autofree char *name = g_strdup_printf ("origin-%u.rules", LEAST_RULES_NUMBER + (*n)++);

  if (*folder == NULL && lc_folder_make (writer->folder, "rules", writer->error))
    *folder = lc_folder_open_inner (writer->folder, "rules", writer->error);
  return *folder != NULL && lc_folder_write (*folder, name, text, length, writer->error);
}

static int
timeline_trace_compare_names (gconstpointer a, gconstpointer b)
{
  return strcmp (*(const char *const *)a, *(const char *const *)b);
}

/* Copies the rules that the trace has itself, in the order in which they are loaded. */
static gboolean
timeline_trace_copy_own_rules (TextWriter *writer, LcFolder *origin, LcFolder **folder, guint *n)
{
  g_autoptr (LcFolder) own = lc_folder_open_inner (origin, "rules", writer->error);
  g_autoptr (GPtrArray) names = own != NULL ? lc_folder_list (own, writer->error) : NULL;

  if (names == NULL)
    return FALSE;
  g_ptr_array_sort (names, timeline_trace_compare_names);
  for (guint i = 0; i < names->len; i++)
    {
      g_autofree char *text = NULL;
      gsize length;

      if (g_str_has_suffix (names->pdata[i], ".rules") &&
          (!lc_folder_read (own, names->pdata[i], MOST_RULES, &text, &length, writer->error) ||
           !timeline_trace_add_rules (writer, folder, n, text, length)))
        return FALSE;
    }
  return TRUE;
}

static gboolean
timeline_trace_write_rules (TextWriter *writer, LcFolder *origin)
{
  const char *const *files = writer->options->rules;
  g_autoptr (LcFolder) folder = NULL;
  gboolean is_there;
  guint n = 0;

  if (!timeline_trace_look (writer, origin, "rules", &is_there) ||
      (is_there && !timeline_trace_copy_own_rules (writer, origin, &folder, &n)))
    return FALSE;
  for (gsize i = 0; files != NULL && files[i] != NULL; i++)
    {
      g_autofree char *text = NULL;
      gsize length;

      if (!g_file_get_contents (files[i], &text, &length, writer->error) ||
          !timeline_trace_add_rules (writer, &folder, &n, text, length))
        return FALSE;
    }
  return TRUE;
}

/* --- All of it ----------------------------------------------------------------------------------------------- */

static const LcHistoryTimeline *
timeline_trace_find (const GPtrArray *timelines, guint32 id)
{
  for (guint i = 0; i < timelines->len; i++)
    if (((const LcHistoryTimeline *)timelines->pdata[i])->id == id)
      return timelines->pdata[i];
  return NULL;
}

static gboolean
timeline_trace_write_all (TextWriter *writer, LcFolder *origin)
{
  g_autoptr (GPtrArray) timelines = lc_history_list_timelines (writer->history, writer->error);
  const LcHistoryTimeline *timeline = timelines != NULL ? timeline_trace_find (timelines, writer->timeline) : NULL;

  if (timelines == NULL || !lc_history_read_places (writer->history, writer->error))
    return FALSE;
  if (timeline == NULL)
    {
      g_set_error (writer->error, LC_HISTORY_ERROR, LC_HISTORY_ERROR_UNKNOWN, _ ("%s: there is no timeline %u"),
                   lc_history_get_path (writer->history), writer->timeline);
      return FALSE;
    }
  for (guint32 i = 0; i < lc_history_get_n_processes (writer->history); i++)
    if (!text_writer_write_process (writer, i))
      return FALSE;
  return timeline_trace_write_rules (writer, origin) && timeline_trace_write_settings (writer, origin, timeline);
}

/* The trace itself would be removed first. */
static gboolean
timeline_trace_check (LcHistory *history, const LcTimelineTraceOptions *options, LcFolder *origin, GError **error)
{
  struct stat from, to;

  if (lc_history_get_gaps (history)->len > 0)
    g_set_error (error, LC_TRACE_ERROR, LC_TRACE_ERROR_DAMAGED,
                 _ ("%s: there are times in which nothing was recorded, so it cannot be written as a trace"),
                 options->origin);
  else if (stat (options->path, &to) == 0 && lc_folder_stat (origin, NULL, &from) && from.st_dev == to.st_dev &&
           from.st_ino == to.st_ino)
    g_set_error (error, LC_TRACE_ERROR, LC_TRACE_ERROR_EXISTS, _ ("%s: this is the trace itself: choose another name"),
                 options->path);
  else
    return TRUE;
  return FALSE;
}

gboolean
lc_timeline_write_trace (LcHistory *history, guint32 timeline, const LcTimelineTraceOptions *options, GError **error)
{
  g_autoptr (LcFolder) origin = lc_folder_open (options->origin, error), folder = NULL;
  g_autoptr (GPtrArray) places = g_ptr_array_new_with_free_func (g_free);
  TextWriter writer = {history, timeline, options, NULL, places, NULL, -1, NULL, FALSE, G_MAXUINT64, 0, error};
  gboolean made, good;
  int making;

  if (origin == NULL || !timeline_trace_check (history, options, origin, error))
    return FALSE;
  folder = lc_directory_take (options->path, options->replace, LC_FOLDER_PRIVATE, &made, &making, error);
  if (folder == NULL)
    return FALSE;
  writer.folder = folder;
  writer.text = g_string_new (NULL);
  good = timeline_trace_write_all (&writer, origin) && lc_directory_is_made (folder, making, error);
  g_string_free (writer.text, TRUE);
  g_free (writer.name);
  if (good)
    return TRUE;
  lc_directory_clear (folder, made, NULL);
  close (making);
  return FALSE;
}
