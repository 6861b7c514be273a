/* SPDX-License-Identifier: Apache-2.0 */
/* Finds how the clocks of several hosts relate, from trace.ini of each part and clock.ini of the whole. */
#include "parts-clock.h"

#include <string.h>

#define GROUP "clock"
#define SETTINGS "trace.ini"
#define CORRECTION_LIMIT (1u << 20)

/*
 * Limit for each of the three numbers that add up to a clock's position: the begin, the delay of another part, and a
 * correction. Then no clock exceeds LC_TIME_LIMIT twice, and differences between two clocks fit into a gint64.
 */
#define MOST_LATER (LC_TIME_LIMIT / 2)

typedef struct
{
  gint64 own;       /* ns of the part */
  gint64 reference; /* ns of the reference */
  gint64 error;
} Sample;

typedef enum
{
  BY_NOTHING,
  BY_TIME_OF_DAY,
  BY_MONOTONIC, /* both parts are of the same machine */
  BY_SAMPLES,
} Means;

/* --- Samples ------------------------------------------------------------------------------------------------------ */

static gboolean
parse_sample (const LcTrace *part, const char *text, Sample *sample)
{
  g_auto (GStrv) fields = g_strsplit (text, ";", -1);
  guint64 ticks, reference, error;

  if (g_strv_length (fields) != 3 || !g_ascii_string_to_unsigned (fields[0], 10, 0, G_MAXUINT64, &ticks, NULL) ||
      !g_ascii_string_to_unsigned (fields[1], 10, 0, LC_TIME_LIMIT - 1, &reference, NULL) ||
      !g_ascii_string_to_unsigned (fields[2], 10, 0, LC_TIME_LIMIT - 1, &error, NULL))
    return FALSE;
  *sample = (Sample){(gint64)lc_timescale_ns (&part->timescale, ticks), (gint64)reference, (gint64)error};
  return TRUE;
}

/* Reads the first and the last valid sample. Returns their number: 0, 1 or 2. */
static guint
read_samples (LcTrace *whole, const LcTrace *part, const char *name, Sample samples[2])
{
  g_autofree char *file = g_build_filename (name, SETTINGS, NULL);
  guint found = 0;

  for (guint i = 1; i < G_MAXUINT16; i++)
    {
      g_autofree char *key = g_strdup_printf ("sample-%u", i);
      g_autofree char *text = g_key_file_get_value (part->settings, GROUP, key, NULL);
      Sample sample;

      if (text == NULL)
        break;
      if (parse_sample (part, text, &sample))
        samples[found++ == 0 ? 0 : 1] = sample;
      else
        lc_problems_count (whole->problems, LC_PROBLEM_BAD_CLOCK_SAMPLE, file, i, "%s=%s", key, text);
    }
  return MIN (found, 2);
}

/* FALSE: the drift is too large to be true. */
static gboolean
set_line (LcPartClock *clock, const Sample samples[2])
{
  gint64 own = samples[1].own - samples[0].own, reference = samples[1].reference - samples[0].reference;
  gint64 drift = reference - own;

  if (own <= 0 || reference <= 0 || ABS (drift) > own / 2)
    return FALSE;
  if (ABS (drift) > samples[0].error + samples[1].error)
    clock->skew = (gint64)((LcSignedWide)drift * ((LcSignedWide)1 << LC_PART_SKEW_BITS) / own);
  else
    clock->to += drift / 2; /* splits a drift that may only be an error of measurement */
  return TRUE;
}

/* Sets the clock from the part's samples. FALSE: there are none. */
static gboolean
use_samples (LcTrace *whole, const LcTrace *part, const char *name, LcPartClock *clock)
{
  g_autofree char *file = g_build_filename (name, SETTINGS, NULL);
  Sample samples[2];
  guint n = read_samples (whole, part, name, samples);

  if (n == 0)
    return FALSE;
  *clock = (LcPartClock){.from = samples[0].own, .to = samples[0].reference};
  if (n == 2 && !set_line (clock, samples))
    lc_problems_count (whole->problems, LC_PROBLEM_BAD_CLOCK_SAMPLE, file, 0,
                       "%" G_GINT64_FORMAT " ns here, %" G_GINT64_FORMAT " ns on the reference host",
                       samples[1].own - samples[0].own, samples[1].reference - samples[0].reference);
  return TRUE;
}

/* --- Without samples ---------------------------------------------------------------------------------------------- */

/* Returns CLOCK_MONOTONIC at the start; `boot` identifies the machine since its last boot. */
static gint64
read_monotonic (const LcTrace *part, char **boot)
{
  *boot = g_key_file_get_string (part->settings, "trace", "clock_boot", NULL);
  return g_key_file_get_int64 (part->settings, "trace", "clock_monotonic", NULL);
}

/* Finds how much later a part started than `base`. */
static Means
compare_starts (const LcTrace *base, const LcTrace *part, gint64 *later)
{
  g_autofree char *base_boot = NULL, *boot = NULL;
  gint64 base_start = read_monotonic (base, &base_boot), start = read_monotonic (part, &boot);

  *later = 0;
  if (boot != NULL && *boot != '\0' && g_strcmp0 (boot, base_boot) == 0 && start > 0 && base_start > 0)
    {
      *later = start - base_start;
      return BY_MONOTONIC;
    }
  if (part->start <= 0 || base->start <= 0)
    return BY_NOTHING;
  *later = part->start - base->start;
  return BY_TIME_OF_DAY;
}

static gint64
map_limited (const LcPartClock *clock, guint64 ns)
{
  LcSignedWide time = lc_part_clock_map_freely (clock, ns);

  return (gint64)CLAMP (time, -LC_TIME_LIMIT, LC_TIME_LIMIT);
}

static gint64
map_start (const LcPartClock *clock)
{
  return map_limited (clock, 0);
}

static void
use_start (LcTrace *whole, const LcTrace *base, const LcPartClock *base_clock, const LcTrace *part, const char *name,
           LcPartClock *clock)
{
  g_autofree char *file = g_build_filename (name, SETTINGS, NULL);
  gint64 later;
  Means means = compare_starts (base, part, &later);

  later = CLAMP (later, -MOST_LATER, MOST_LATER);
  *clock = (LcPartClock){.to = map_start (base_clock) + later};
  if (means != BY_MONOTONIC)
    lc_problems_count (whole->problems, LC_PROBLEM_CLOCK_NOT_ALIGNED, file, 0, "%s",
                       means == BY_TIME_OF_DAY ? "by the time of day" : "as if all recordings had begun together");
}

/* --- All parts --------------------------------------------------------------------------------------------------- */

static guint
parts_clock_find_reference (LcTrace *const *parts, const gboolean *sampled, guint n)
{
  for (guint i = 0; i < n; i++)
    if (g_key_file_get_boolean (parts[i]->settings, GROUP, "reference", NULL))
      return i;
  for (guint i = 0; i < n; i++)
    if (sampled[i])
      return i;
  return 0;
}

/* Adds the corrections that a merge has found necessary, so that no event ends before the one it waited for. */
static void
add_corrections (LcTrace *whole, const char *const *names, guint n, LcPartClock *clocks)
{
  g_autoptr (GKeyFile) file = g_key_file_new ();
  g_autoptr (GError) error = NULL;
  g_autofree char *text = NULL;
  gsize length;

  if (!lc_folder_read (whole->folder, LC_CLOCK_FILE, CORRECTION_LIMIT, &text, &length, &error) ||
      !g_key_file_load_from_data (file, text, length, G_KEY_FILE_NONE, &error))
    {
      if (!g_error_matches (error, G_FILE_ERROR, G_FILE_ERROR_NOENT))
        lc_problems_count (whole->problems, LC_PROBLEM_SETTINGS_DAMAGED, LC_CLOCK_FILE, 0, "%s", error->message);
      return;
    }
  for (guint i = 0; i < n; i++)
    {
      gint64 shift = g_key_file_get_int64 (file, names[i], "shift", NULL);

      clocks[i].to += CLAMP (shift, -MOST_LATER, MOST_LATER);
    }
}

/* Returns where time 0 of the whole is: where anything begins first, or where the first recording does if what came
 * after that was left out. */
static gint64
parts_clock_find_origin (LcTrace *const *parts, const LcPartClock *clocks, guint n)
{
  gboolean is_cut = FALSE;
  gint64 first = G_MAXINT64;

  for (guint i = 0; i < n; i++)
    is_cut |= parts[i]->kept_from > 0;
  for (guint i = 0; i < n; i++)
    first = MIN (first, map_limited (&clocks[i], is_cut ? 0 : parts[i]->origin));
  return first;
}

void
lc_part_clocks_find (LcTrace *whole, LcTrace *const *parts, const char *const *names, guint n, LcPartClock *clocks)
{
  g_autofree gboolean *sampled = g_new0 (gboolean, n);
  gint64 first;
  guint reference;

  for (guint i = 0; i < n; i++)
    sampled[i] = use_samples (whole, parts[i], names[i], &clocks[i]);
  reference = parts_clock_find_reference (parts, sampled, n);
  if (!sampled[reference])
    clocks[reference] = (LcPartClock){0};
  for (guint i = 0; i < n; i++)
    if (!sampled[i] && i != reference)
      use_start (whole, parts[reference], &clocks[reference], parts[i], names[i], &clocks[i]);
  add_corrections (whole, names, n, clocks);
  first = parts_clock_find_origin (parts, clocks, n);
  if (parts[reference]->start > 0)
    whole->start = parts[reference]->start - (map_start (&clocks[reference]) - first);
  for (guint i = 0; i < n; i++)
    clocks[i].to -= first;
}
