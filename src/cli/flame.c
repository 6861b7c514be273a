/* SPDX-License-Identifier: Apache-2.0 */
/* Blame, or the call paths of a profile, as stacks with weights, for programs that draw flame graphs. */
#include "flame.h"

#include <glib/gi18n.h>
#include <string.h>

#include "report/format.h"
#include "history/names.h"
#include "trace/json.h"
#include "report/sites.h"

enum
{
  MOST_FRAMES = 1000, /* of one stack */
};

#define SCHEMA "https://www.speedscope.app/file-format-schema.json"

typedef struct
{
  char *name;
  const LcHistorySite *site; /* or NULL */
} Frame;

/* Different stacks of the history may look the same. */
typedef struct
{
  GArray *frames; /* guint32: indices, the outermost first */
  guint64 weight;
} Sample;

typedef struct
{
  GArray *frames;      /* Frame */
  GHashTable *by_name; /* char * to index in `frames` + 1 */
  GPtrArray *samples;  /* Sample, in the order in which they were found */
  GHashTable *by_text; /* char *, the indices: to Sample */

  /* Of blame: */
  LcNames *names;
  LcFlameEnds ends;
  LcSkippedSites *skipped;
} Flame;

static const char *const flame_endings[] = {".folded", ".speedscope.json", NULL}; /* in the order of LcFlameFormat */

gboolean
lc_flame_format_parse (const char *path, LcFlameFormat *format)
{
  g_autofree char *lower = g_ascii_strdown (path, -1);

  for (guint i = 0; flame_endings[i] != NULL; i++)
    if (g_str_has_suffix (lower, flame_endings[i]))
      {
        *format = (LcFlameFormat)i;
        return TRUE;
      }
  return FALSE;
}

char *
lc_flame_dup_endings (void)
{
  return g_strjoinv (", ", (char **)flame_endings);
}

/* --- Frames -------------------------------------------------------------------------------------------------- */

static void
flame_clear_frame (gpointer data)
{
  Frame *frame = data;

  g_free (frame->name);
}

static void
flame_free_sample (gpointer data)
{
  Sample *sample = data;

  g_array_unref (sample->frames);
  g_free (sample);
}

/* Takes the name. */
static void
flame_add_frame (const Flame *flame, GArray *frames, char *name, const LcHistorySite *site)
{
  guint32 index = GPOINTER_TO_UINT (g_hash_table_lookup (flame->by_name, name));

  if (index == 0)
    {
      const Frame frame = {name, site};

      g_array_append_val (flame->frames, frame);
      index = flame->frames->len;
      g_hash_table_insert (flame->by_name, name, GUINT_TO_POINTER (index));
    }
  else
    g_free (name);
  index--;
  g_array_append_val (frames, index);
}

/* Adds the frames of a stack, the innermost first if `outwards`. */
static void
flame_add_stack (const Flame *flame, GArray *frames, guint32 stack, gboolean outwards)
{
  const LcHistorySite *sites[MOST_FRAMES];
  guint n = lc_skipped_sites_list (flame->skipped, stack, sites, MOST_FRAMES);

  for (guint i = 0; i < n; i++)
    {
      const LcHistorySite *site = sites[outwards ? i : n - 1 - i];

      flame_add_frame (flame, frames, lc_history_dup_site_text (site), site);
    }
}

static void
flame_add_object (const Flame *flame, GArray *frames, guint32 object)
{
  const char *name = lc_names_object (flame->names, object);

  flame_add_frame (flame, frames, name != NULL ? g_strdup_printf ("[waits for %s]", name) : g_strdup ("[waits]"), NULL);
}

/* --- Samples ------------------------------------------------------------------------------------------------- */

/* Takes the frames. */
static void
flame_add_sample (const Flame *flame, GArray *frames, guint64 weight)
{
  g_autoptr (GString) key = g_string_new (NULL);
  Sample *sample;

  for (guint i = 0; i < frames->len; i++)
    g_string_append_printf (key, "%u ", g_array_index (frames, guint32, i));
  sample = g_hash_table_lookup (flame->by_text, key->str);
  if (sample != NULL)
    {
      sample->weight += weight;
      g_array_unref (frames);
      return;
    }
  sample = g_new0 (Sample, 1);
  sample->frames = frames;
  sample->weight = weight;
  g_ptr_array_add (flame->samples, sample);
  g_hash_table_insert (flame->by_text, g_strdup (key->str), sample);
}

static void
flame_add_blame (const Flame *flame, const LcBlame *blame)
{
  GArray *frames = g_array_new (FALSE, FALSE, sizeof (guint32));

  if (flame->ends == LC_FLAME_BLAMED)
    flame_add_stack (flame, frames, blame->blamed, FALSE);
  else
    flame_add_stack (flame, frames, blame->waiter, FALSE);
  flame_add_object (flame, frames, blame->object);
  if (flame->ends == LC_FLAME_BOTH)
    flame_add_stack (flame, frames, blame->blamed, TRUE);
  flame_add_sample (flame, frames, blame->time);
}

/* --- Formats ------------------------------------------------------------------------------------------------- */

/* Semicolons separate frames, and each stack is a line. */
static void
flame_append_name (GString *text, const char *name)
{
  g_autofree char *line = lc_format_text (name);

  g_strdelimit (line, ";", ':');
  g_string_append (text, line);
}

static char *
flame_to_folded (const Flame *flame)
{
  GString *text = g_string_new (NULL);

  for (guint i = 0; i < flame->samples->len; i++)
    {
      const Sample *sample = flame->samples->pdata[i];

      for (guint k = 0; k < sample->frames->len; k++)
        {
          if (k > 0)
            g_string_append_c (text, ';');
          flame_append_name (text,
                             g_array_index (flame->frames, Frame, g_array_index (sample->frames, guint32, k)).name);
        }
      g_string_append_printf (text, " %" G_GUINT64_FORMAT "\n", sample->weight);
    }
  return g_string_free (text, FALSE);
}

static void
flame_add_frames_json (const Flame *flame, LcJson *json)
{
  lc_json_begin_object (json, "shared");
  lc_json_begin_array (json, "frames");
  for (guint i = 0; i < flame->frames->len; i++)
    {
      const Frame *frame = &g_array_index (flame->frames, Frame, i);

      lc_json_begin_object (json, NULL);
      lc_json_add_string (json, "name", frame->name);
      if (frame->site != NULL && frame->site->file != NULL)
        lc_json_add_string (json, "file", frame->site->file);
      if (frame->site != NULL && frame->site->line > 0)
        lc_json_add_count (json, "line", frame->site->line);
      lc_json_end_object (json);
    }
  lc_json_end_array (json);
  lc_json_end_object (json);
}

static void
flame_add_samples_json (const Flame *flame, LcJson *json)
{
  guint64 total = 0;

  lc_json_begin_array (json, "samples");
  for (guint i = 0; i < flame->samples->len; i++)
    {
      const Sample *sample = flame->samples->pdata[i];

      total += sample->weight;
      lc_json_begin_array (json, NULL);
      for (guint k = 0; k < sample->frames->len; k++)
        lc_json_add_count (json, NULL, g_array_index (sample->frames, guint32, k));
      lc_json_end_array (json);
    }
  lc_json_end_array (json);
  lc_json_begin_array (json, "weights");
  for (guint i = 0; i < flame->samples->len; i++)
    lc_json_add_count (json, NULL, ((const Sample *)flame->samples->pdata[i])->weight);
  lc_json_end_array (json);
  lc_json_add_count (json, "startValue", 0);
  lc_json_add_count (json, "endValue", total);
}

static char *
flame_to_speedscope (const Flame *flame, const char *title)
{
  LcJson json = LC_JSON_INIT ();

  lc_json_begin_object (&json, NULL);
  lc_json_add_string (&json, "$schema", SCHEMA);
  lc_json_add_string (&json, "name", title);
  lc_json_add_string (&json, "exporter", "lightcone@" LC_VERSION);
  flame_add_frames_json (flame, &json);
  lc_json_begin_array (&json, "profiles");
  lc_json_begin_object (&json, NULL);
  lc_json_add_string (&json, "type", "sampled");
  lc_json_add_string (&json, "name", title);
  lc_json_add_string (&json, "unit", "nanoseconds");
  flame_add_samples_json (flame, &json);
  lc_json_end_object (&json);
  lc_json_end_array (&json);
  lc_json_end_object (&json);
  return lc_json_finish (&json);
}

/* --- All of it ----------------------------------------------------------------------------------------------- */

static void
flame_begin (Flame *flame)
{
  flame->frames = g_array_new (FALSE, FALSE, sizeof (Frame));
  g_array_set_clear_func (flame->frames, flame_clear_frame);
  flame->by_name = g_hash_table_new (g_str_hash, g_str_equal);
  flame->samples = g_ptr_array_new_with_free_func (flame_free_sample);
  flame->by_text = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
}

static char *
flame_end (Flame *flame, const char *title, LcFlameFormat format)
{
  char *text = format == LC_FLAME_FOLDED ? flame_to_folded (flame) : flame_to_speedscope (flame, title);

  g_hash_table_unref (flame->by_text);
  g_ptr_array_unref (flame->samples);
  g_hash_table_unref (flame->by_name);
  g_array_unref (flame->frames);
  return text;
}

char *
lc_flame_dup_text (LcHistory *history, guint32 timeline, const char *title, const LcFlameAsked *asked, GError **error)
{
  g_autoptr (GArray) all = NULL;
  g_autoptr (LcNames) names = lc_names_new (history);
  g_autoptr (LcSkippedSites) skipped = lc_skipped_sites_new (history, asked->skip);
  Flame flame = {.names = names, .ends = asked->ends, .skipped = skipped};

  if (!lc_history_read_places (history, error))
    return NULL;
  if (lc_history_get_n_stacks (history) == 0)
    {
      g_set_error (error, LC_HISTORY_ERROR, LC_HISTORY_ERROR_UNKNOWN,
                   lc_sites_has_events (history)
                       ? _ ("the trace does not say where in the program its events are: record the program once more, "
                            "with lightcone record and without --no-sites")
                       : _ ("the trace has no events"));
      return NULL;
    }
  all = lc_statistics_blame (history, timeline, NULL, NULL, NULL, error);
  if (all == NULL)
    return NULL;
  flame_begin (&flame);
  for (guint i = 0; i < all->len; i++)
    flame_add_blame (&flame, &g_array_index (all, LcBlame, i));
  return flame_end (&flame, title, asked->format);
}

/* --- Profiles ------------------------------------------------------------------------------------------------ */

/* Adds what each path took itself. Frames go from the process to the routine, and callers before them are kept. */
static void
flame_add_process (const Flame *flame, const LcProfileProcess *process, LcProfileWay way)
{
  g_autoptr (GArray) callers = g_array_new (FALSE, FALSE, sizeof (guint));

  for (guint i = 0; process->paths != NULL && i < process->paths->len; i++)
    {
      const LcProfileRoutine *path = g_ptr_array_index (process->paths, i);
      GArray *frames;

      if (path->exclusive[way] <= 0)
        continue;
      g_array_set_size (callers, 0);
      for (guint at = i; at != LC_PROFILE_NO_CALLER && callers->len < MOST_FRAMES;
           at = ((const LcProfileRoutine *)g_ptr_array_index (process->paths, at))->caller)
        g_array_append_val (callers, at);
      frames = g_array_new (FALSE, FALSE, sizeof (guint32));
      flame_add_frame (flame, frames, g_strdup (process->name), NULL);
      for (guint k = callers->len; k-- > 0;)
        {
          path = g_ptr_array_index (process->paths, g_array_index (callers, guint, k));
          flame_add_frame (flame, frames, path->name[0] != '\0' ? g_strdup (path->name) : g_strdup ("(other routines)"),
                           NULL);
        }
      flame_add_sample (flame, frames, (guint64)path->exclusive[way]);
    }
}

char *
lc_flame_dup_profile (const LcProfile *profile, const char *title, LcFlameFormat format)
{
  LcProfileWay way = lc_profile_get_best_way (profile);
  Flame flame = {0};

  flame_begin (&flame);
  for (guint i = 0; i < profile->processes->len; i++)
    flame_add_process (&flame, g_ptr_array_index (profile->processes, i), way);
  return flame_end (&flame, title, format);
}
