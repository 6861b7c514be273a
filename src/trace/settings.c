/* SPDX-License-Identifier: Apache-2.0 */
/* Fills and writes trace.ini. */
#include "settings.h"

#include <string.h>
#include <sys/wait.h>

#include "futex-trouble.h"
#include "settings-text.h"
#include "timescale.h"

#define GROUP "trace"
#define SWITCHES "switches"
#define FILE_NAME "trace.ini"
#define FILE_LIMIT (1u << 20)
#define BOOT_ID "/proc/sys/kernel/random/boot_id"

static const char *const lost_names[] = {
#define X(name) name,
    LC_LOST_NAMES (X)
#undef X
};

const char *
lc_recording_lost_name (guint reason)
{
  return reason < G_N_ELEMENTS (lost_names) ? lost_names[reason] : "other";
}

/* --- Before the run ---------------------------------------------------------------------------------------------- */

static void
settings_set_text (GKeyFile *file, const char *key, const char *text)
{
  g_autofree char *valid = g_utf8_make_valid (text, -1);

  g_key_file_set_string (file, GROUP, key, valid);
}

/* Quotes a command as a user would type it. */
static char *
quote_command (const char *const *command)
{
  const char plain[] = G_CSET_A_2_Z G_CSET_a_2_z G_CSET_DIGITS "-_./:=+,@%";
  GString *line = g_string_new (NULL);

  for (guint i = 0; command[i] != NULL; i++)
    {
      gboolean is_plain = *command[i] != '\0' && strspn (command[i], plain) == strlen (command[i]);
      g_autofree char *word = is_plain ? g_strdup (command[i]) : g_shell_quote (command[i]);

      g_string_append_printf (line, "%s%s", i > 0 ? " " : "", word);
    }
  return g_string_free (line, FALSE);
}

static char *
local_time (void)
{
  g_autoptr (GDateTime) now = g_date_time_new_now_local ();

  return g_date_time_format (now, "%Y-%m-%dT%H:%M:%S%:z");
}

char *
lc_settings_add_overhead (const char *entry, guint64 ns)
{
  g_auto (GStrv) fields = g_strsplit (entry, ";", -1);
  const guint n = g_strv_length (fields);
  double after;
  char *end, number[G_ASCII_DTOSTR_BUF_SIZE];

  if (n != 3 && n != 4)
    return NULL;
  after = g_ascii_strtod (fields[2], &end);
  if (end == fields[2] || *g_strchug (end) != '\0')
    return NULL;
  g_ascii_formatd (number, sizeof number, "%.15g", after + (double)ns);
  return g_strdup_printf ("%s;%s;%s%s%s", fields[0], fields[1], number, n == 4 ? ";" : "", n == 4 ? fields[3] : "");
}

/* Adds to the costs of operations in `calibration`. */
static void
add_overhead_of (GKeyFile *file, GKeyFile *calibration, const char *group, guint64 ns)
{
  g_auto (GStrv) keys = g_key_file_get_keys (calibration, group, NULL, NULL);

  for (guint i = 0; keys != NULL && keys[i] != NULL; i++)
    {
      g_autofree char *entry = g_key_file_get_string (calibration, group, keys[i], NULL);
      g_autofree char *more = entry != NULL ? lc_settings_add_overhead (entry, ns) : NULL;

      if (more != NULL)
        g_key_file_set_string (file, group, keys[i], more);
    }
}

/* A deliberate delay adds to the cost of every event, whether or not its operation is listed. */
static void
add_overhead (GKeyFile *file, guint64 ns)
{
  static const char *const groups[] = {"overhead", "openmp", "trapped"};

  for (guint i = 0; i < G_N_ELEMENTS (groups); i++)
    add_overhead_of (file, file, groups[i], ns);
  if (!g_key_file_has_key (file, "overhead", "*", NULL))
    {
      g_autofree char *entry = g_strdup_printf ("0;0;%" G_GUINT64_FORMAT, ns);

      g_key_file_set_string (file, "overhead", "*", entry);
    }
}

static void
copy_group (GKeyFile *to, GKeyFile *from, const char *group)
{
  g_auto (GStrv) keys = g_key_file_get_keys (from, group, NULL, NULL);

  for (guint i = 0; keys != NULL && keys[i] != NULL; i++)
    {
      g_autofree char *value = g_key_file_get_value (from, group, keys[i], NULL);

      if (value != NULL)
        g_key_file_set_value (to, group, keys[i], value);
    }
}

/* A class that is here and has no events was not used; one that is not here is not known of. */
static char *
settings_list_classes (guint32 classes)
{
  static const char *const names[] = {
#define X(name) name,
      LC_CLASS_NAMES (X)
#undef X
  };
  GString *list = g_string_new (NULL);

  for (guint i = 0; i < G_N_ELEMENTS (names); i++)
    if ((classes & LC_RECORDING_ALL_CLASSES) >> i & 1)
      g_string_append_printf (list, "%s%s", list->len > 0 ? "," : "", names[i]);
  return g_string_free (list, FALSE);
}

GKeyFile *
lc_settings_new (const LcRecordingSettings *settings)
{
  static const char *const groups[] = {"overhead", "openmp", "trapped", "cost", "barrier"};
  GKeyFile *file = g_key_file_new ();
  g_autofree char *command = quote_command (settings->command);
  g_autofree char *program = g_path_get_basename (settings->command[0]);
  g_autofree char *started = local_time (), *folder = g_get_current_dir ();
  g_autofree char *classes = settings_list_classes (settings->classes);

  settings_set_text (file, "title", settings->title != NULL ? settings->title : program);
  settings_set_text (file, "command", command);
  settings_set_text (file, "program", settings->command[0]);
  settings_set_text (file, "folder", folder);
  settings_set_text (file, "classes", classes);
  settings_set_text (file, "started", started);
  settings_set_text (file, "host", settings->host != NULL ? settings->host : g_get_host_name ());
  settings_set_text (file, "version", LC_VERSION);
  settings_set_text (file, "state", "recording");
  if (settings->inputs)
    {
      g_key_file_set_boolean (file, GROUP, "inputs", TRUE);
      g_key_file_set_boolean (file, GROUP, "inputs-of-ranks", TRUE);
    }
  if (settings->job != NULL)
    settings_set_text (file, "job", settings->job);
  if (settings->no_switches)
    g_key_file_set_string (file, SWITCHES, "missing", "--no-switches");
  if (settings->overhead_test > 0)
    g_key_file_set_uint64 (file, GROUP, "overhead_test", settings->overhead_test);
  for (guint i = 0; settings->calibration != NULL && i < G_N_ELEMENTS (groups); i++)
    copy_group (file, settings->calibration, groups[i]);
  if (settings->overhead_test > 0)
    add_overhead (file, settings->overhead_test);
  return file;
}

GKeyFile *
lc_settings_new_whole (const LcRecordingSettings *settings)
{
  static const char *const keys[] = {"title", "command", "program", "started", "version", "job"};
  g_autoptr (GKeyFile) part = lc_settings_new (settings);
  GKeyFile *file = g_key_file_new ();

  for (guint i = 0; i < G_N_ELEMENTS (keys); i++)
    {
      g_autofree char *value = g_key_file_get_value (part, GROUP, keys[i], NULL);

      if (value != NULL)
        g_key_file_set_value (file, GROUP, keys[i], value);
    }
  return file;
}

/* --- The clock -----------------------------------------------------------------------------------------------------
 */

static char *
boot_id (void)
{
  char *id = NULL;

  if (!g_file_get_contents (BOOT_ID, &id, NULL, NULL))
    return g_strdup ("");
  return g_strstrip (id);
}

void
lc_settings_set_clock (GKeyFile *file, enum lc_clock clock, const LcClockStamp *begin, guint64 frequency)
{
  g_autofree char *boot = boot_id ();

  settings_set_text (file, "clock", clock == LC_CLOCK_TSC ? "tsc" : "monotonic");
  g_key_file_set_uint64 (file, GROUP, "clock_frequency", frequency);
  g_key_file_set_uint64 (file, GROUP, "clock_ticks", begin->ticks);
  g_key_file_set_uint64 (file, GROUP, "clock_monotonic", begin->monotonic);
  g_key_file_set_int64 (file, GROUP, "clock_realtime", begin->realtime);
  settings_set_text (file, "clock_boot", boot);
}

gboolean
lc_settings_get_clock (GKeyFile *file, LcClockStamp *begin)
{
  g_autofree char *boot = boot_id ();
  g_autofree char *then = g_key_file_get_string (file, GROUP, "clock_boot", NULL);

  begin->ticks = g_key_file_get_uint64 (file, GROUP, "clock_ticks", NULL);
  begin->monotonic = g_key_file_get_uint64 (file, GROUP, "clock_monotonic", NULL);
  begin->realtime = g_key_file_get_int64 (file, GROUP, "clock_realtime", NULL);
  return begin->ticks != 0 && begin->monotonic != 0 && g_strcmp0 (boot, then) == 0;
}

/* The calibration with MPI overrides that without. */
void
lc_settings_set_mpi (GKeyFile *file, const char *mpi, GKeyFile *calibration)
{
  guint64 overhead_test = g_key_file_get_uint64 (file, GROUP, "overhead_test", NULL);

  settings_set_text (file, "mpi", mpi);
  if (calibration == NULL)
    return;
  copy_group (file, calibration, "overhead");
  if (overhead_test > 0)
    add_overhead_of (file, calibration, "overhead", overhead_test);
  copy_group (file, calibration, "cost");
  copy_group (file, calibration, "communication");
}

void
lc_settings_set_ranks (GKeyFile *file, const struct lc_control *control)
{
  guint n = MIN (control->n_clock_samples, LC_CLOCK_SAMPLES);
  gboolean reference = n > 0;
  char topology[sizeof control->topology + 1] = "";

  for (guint i = 0; i < n; i++)
    {
      const struct lc_clock_sample *sample = &control->clock_samples[i];
      g_autofree char *key = g_strdup_printf ("sample-%u", i + 1);
      g_autofree char *value =
          g_strdup_printf ("%" G_GUINT64_FORMAT ";%" G_GUINT64_FORMAT ";%" G_GUINT64_FORMAT, (guint64)sample->ticks,
                           (guint64)sample->reference, (guint64)sample->error);

      reference &= sample->error == 0;
      g_key_file_set_value (file, "clock", key, value);
    }
  if (reference)
    g_key_file_set_boolean (file, "clock", "reference", TRUE);
  memcpy (topology, control->topology, sizeof control->topology);
  if (*topology != '\0' && g_utf8_validate (topology, -1, NULL))
    g_key_file_set_string (file, "communication", "topology", topology);
}

/* --- Gaps -----------------------------------------------------------------------------------------------------------
 */

#define NS_PER_SECOND G_GUINT64_CONSTANT (1000000000)

/* ns since the start, rounded down as the times of events are. */
static guint64
settings_since_start (const struct lc_control *control, guint64 ticks, guint64 frequency)
{
  return ticks > control->start ? lc_scale (ticks - control->start, NS_PER_SECOND, frequency) : 0;
}

static void
settings_add_gap (GKeyFile *file, guint *n, const char *from, const char *to, const char *reason)
{
  g_autofree char *key = g_strdup_printf ("%u", ++*n);
  g_autofree char *value = g_strdup_printf ("%s;%s;%s", from, to, reason);

  g_key_file_set_value (file, "gaps", key, value);
}

/* Programs can change what they are told of: only times in order are believed. */
static void
settings_add_pause (GKeyFile *file, guint *n, guint64 from, guint64 to)
{
  g_autofree char *first = g_strdup_printf ("%" G_GUINT64_FORMAT, from);
  g_autofree char *last = to != 0 ? g_strdup_printf ("%" G_GUINT64_FORMAT, to) : g_strdup ("");

  settings_add_gap (file, n, first, last, "paused");
}

void
lc_settings_set_gaps (GKeyFile *file, const struct lc_control *control, guint64 frequency)
{
  guint64 at = settings_since_start (control, control->dropped_until, frequency);
  guint64 end = settings_since_start (control, control->copied_at, frequency);
  guint n = 0;

  g_key_file_remove_group (file, "gaps", NULL);
  if (at > 0)
    {
      g_autofree char *to = g_strdup_printf ("%" G_GUINT64_FORMAT, at);
      g_autofree char *reason = g_strdup_printf ("ring;%" G_GUINT64_FORMAT, (guint64)control->dropped_events);

      settings_add_gap (file, &n, "0", to, reason);
    }
  for (guint i = 0; i < MIN (control->n_pauses, LC_PAUSES); i++)
    {
      guint64 from = settings_since_start (control, control->pauses[i].from, frequency);
      guint64 to = settings_since_start (control, control->pauses[i].to, frequency);

      if ((to != 0 && to <= MAX (from, at)) || (end != 0 && from >= end))
        continue;
      from = MAX (from, at);
      settings_add_pause (file, &n, from, end != 0 && to >= end ? 0 : to);
      at = to;
      if (to == 0 || (end != 0 && to >= end))
        return;
    }
  if (end > 0)
    {
      g_autofree char *from = g_strdup_printf ("%" G_GUINT64_FORMAT, end);

      settings_add_gap (file, &n, from, "", "dump");
    }
}

/* --- Futexes ---------------------------------------------------------------------------------------------------------
 */

void
lc_settings_set_futexes (GKeyFile *file, const struct lc_control *control)
{
  g_autofree char *trouble = lc_futex_trouble_names (control->futex_trouble);

  if (!control->futex_all)
    return;
  g_key_file_set_string (file, GROUP, "futex", "all");
  if (*trouble != '\0')
    g_key_file_set_string (file, GROUP, "futex_trouble", trouble);
}

/* --- Switches --------------------------------------------------------------------------------------------------- */

void
lc_settings_set_switches (GKeyFile *file, const LcSwitchSums *sums)
{
  g_key_file_set_uint64 (file, SWITCHES, "recorded", sums->recorded);
  g_key_file_set_uint64 (file, SWITCHES, "lost", sums->lost);
  if (sums->refused != 0)
    g_key_file_set_string (file, SWITCHES, "missing", lc_switches_why_refused (sums->refused));
}

/* --- After ----------------------------------------------------------------------------------------------------------
 */

static void
set_status (GKeyFile *file, int status)
{
  g_autofree char *text = NULL;

  if (status == -1)
    return;
  if (WIFSIGNALED (status))
    text = g_strdup_printf ("signal %d", WTERMSIG (status));
  else
    text = g_strdup_printf ("exit %d", WEXITSTATUS (status));
  settings_set_text (file, "status", text);
}

void
lc_settings_set_result (GKeyFile *file, const char *state, int status, const LcRecordingResult *result)
{
  g_autofree char *ended = local_time ();

  settings_set_text (file, "state", state);
  settings_set_text (file, "ended", ended);
  set_status (file, status);
  g_key_file_set_uint64 (file, GROUP, "duration", result->duration);
  g_key_file_set_uint64 (file, GROUP, "processes", result->processes);
  g_key_file_set_uint64 (file, GROUP, "instances", result->instances);
  g_key_file_set_uint64 (file, GROUP, "events", result->events);
  g_key_file_set_uint64 (file, GROUP, "lost", result->n_lost);
  if (result->strangers > 0)
    g_key_file_set_uint64 (file, GROUP, "strangers", result->strangers);
  g_key_file_remove_group (file, "lost", NULL);
  for (guint i = 0; i < LC_LOST_REASONS; i++)
    {
      const char *name = lc_recording_lost_name (i);
      guint64 sum = g_key_file_get_uint64 (file, "lost", name, NULL) + result->lost[i];

      if (result->lost[i] > 0)
        g_key_file_set_uint64 (file, "lost", name, sum);
    }
}

gboolean
lc_settings_write (GKeyFile *file, const LcFolder *folder, GError **error)
{
  gsize length;
  g_autofree char *text = lc_settings_text_write (file, &length);

  return lc_folder_write (folder, FILE_NAME, text, length, error);
}

GKeyFile *
lc_settings_read (const LcFolder *folder, GError **error)
{
  g_autoptr (GKeyFile) file = g_key_file_new ();
  g_autofree char *text = NULL;
  GError *problem = NULL;
  gboolean is_cut = FALSE;
  gsize length;

  if (lc_folder_read (folder, FILE_NAME, FILE_LIMIT, &text, &length, &problem))
    lc_settings_text_read (file, text, length, &is_cut, &problem);
  if (is_cut && problem == NULL)
    g_set_error (&problem, G_KEY_FILE_ERROR, G_KEY_FILE_ERROR_PARSE, "cut short (byte %" G_GSIZE_FORMAT ")", length);
  if (problem == NULL)
    return g_steal_pointer (&file);
  if (g_error_matches (problem, G_FILE_ERROR, G_FILE_ERROR_NOENT))
    {
      g_error_free (problem);
      return g_key_file_new ();
    }
  if (problem->domain == G_KEY_FILE_ERROR)
    g_prefix_error (&problem, "%s/" FILE_NAME ": ", lc_folder_get_path (folder));
  g_propagate_error (error, problem);
  return NULL;
}
