/* SPDX-License-Identifier: Apache-2.0 */
/* The times in which nothing was recorded, on purpose: reads them, and says them. */
#include "gaps.h"

#include <glib/gi18n-lib.h>
#include <string.h>

#include "quantities.h"

#define GROUP "gaps"

enum
{
  MOST = 100000, /* gaps */
  TOLD = 5,      /* are described one by one */
};

static const char *const reasons[LC_GAP_REASONS] = {
    [LC_GAP_RING] = "ring", [LC_GAP_PAUSED] = "paused", [LC_GAP_DUMP] = "dump"};

const char *
lc_gap_reason_name (LcGapReason reason)
{
  return reasons[reason];
}

/* --- Reading -------------------------------------------------------------------------------------------------------
 */

static gboolean
gaps_read_number (const char *text, guint64 most, guint64 *number)
{
  return g_ascii_string_to_unsigned (text, 10, 0, most, number, NULL);
}

static gboolean
gaps_read_reason (const char *text, LcGapReason *reason)
{
  for (guint i = 0; i < LC_GAP_REASONS; i++)
    if (strcmp (text, reasons[i]) == 0)
      {
        *reason = (LcGapReason)i;
        return TRUE;
      }
  return FALSE;
}

/* What is wrong with it; NULL: nothing is. */
static const char *
gaps_parse (const char *text, LcTraceGap *gap)
{
  g_auto (GStrv) fields = g_strsplit (text, ";", 6);
  guint n = g_strv_length (fields);

  *gap = (LcTraceGap){.to = LC_GAP_OPEN};
  if (n > 3 && *fields[n - 1] == '\0') /* as GKeyFile ends its lists */
    n--;
  if (n < 3 || n > 4)
    return "it is not FROM;TO;REASON or FROM;TO;REASON;EVENTS";
  for (guint i = 0; i < n; i++)
    g_strstrip (fields[i]);
  if (!gaps_read_number (fields[0], LC_TIME_LIMIT - 1, &gap->from) ||
      (*fields[1] != '\0' && !gaps_read_number (fields[1], LC_TIME_LIMIT - 1, &gap->to)))
    return "a time is no number of ns in its range";
  if (gap->from > gap->to)
    return "it ends before it begins";
  if (!gaps_read_reason (fields[2], &gap->reason))
    return "the reason is not known";
  if (n > 3 && *fields[3] != '\0' && !gaps_read_number (fields[3], G_MAXINT64, &gap->events))
    return "the number of events is no number in its range";
  return NULL;
}

/* `before`: the number of the key before, and now this one's. */
static const char *
gaps_judge (const GArray *gaps, const char *key, const char *text, guint64 *before, LcTraceGap *gap)
{
  const LcTraceGap *last = gaps->len > 0 ? &g_array_index (gaps, LcTraceGap, gaps->len - 1) : NULL;
  const char *wrong = gaps_parse (text, gap);
  guint64 number;

  if (!gaps_read_number (key, G_MAXINT64, &number) || number <= *before)
    return "the keys are not the numbers from 1 on";
  *before = number;
  if (wrong != NULL)
    return wrong;
  if (last != NULL && (last->to == LC_GAP_OPEN || gap->from < last->to))
    return "it begins before the one before it ends";
  return gaps->len < MOST ? NULL : "there are too many";
}

GArray *
lc_gaps_read (GKeyFile *settings, LcProblems *problems, const char *file)
{
  GArray *gaps = g_array_new (FALSE, FALSE, sizeof (LcTraceGap));
  g_auto (GStrv) keys = g_key_file_get_keys (settings, GROUP, NULL, NULL);
  guint64 before = 0;

  for (guint i = 0; keys != NULL && keys[i] != NULL; i++)
    {
      g_autofree char *text = g_key_file_get_value (settings, GROUP, keys[i], NULL);
      LcTraceGap gap;
      const char *wrong = gaps_judge (gaps, keys[i], text != NULL ? text : "", &before, &gap);

      if (wrong == NULL)
        g_array_append_val (gaps, gap);
      else
        lc_problems_count (problems, LC_PROBLEM_BAD_GAP, file, i, "[" GROUP "] %s=%s: %s", keys[i],
                           text != NULL ? text : "", wrong);
    }
  return gaps;
}

/* --- Keeping -------------------------------------------------------------------------------------------------------
 */

char *
lc_gaps_to_text (const LcTraceGap *gaps, gsize n_gaps)
{
  GString *text;

  if (n_gaps == 0)
    return NULL;
  text = g_string_new (NULL);
  for (gsize i = 0; i < n_gaps; i++)
    {
      g_string_append_printf (text, "%s%" G_GUINT64_FORMAT ";", i > 0 ? "\n" : "", gaps[i].from);
      if (gaps[i].to != LC_GAP_OPEN)
        g_string_append_printf (text, "%" G_GUINT64_FORMAT, gaps[i].to);
      g_string_append_printf (text, ";%s", reasons[gaps[i].reason]);
      if (gaps[i].events > 0)
        g_string_append_printf (text, ";%" G_GUINT64_FORMAT, gaps[i].events);
    }
  return g_string_free (text, FALSE);
}

GArray *
lc_gaps_from_text (const char *text)
{
  GArray *gaps = g_array_new (FALSE, FALSE, sizeof (LcTraceGap));
  g_auto (GStrv) lines = g_strsplit (text != NULL ? text : "", "\n", MOST + 1);

  for (guint i = 0; lines[i] != NULL; i++)
    {
      LcTraceGap gap;

      if (gaps_parse (lines[i], &gap) == NULL)
        g_array_append_val (gaps, gap);
    }
  return gaps;
}

void
lc_gaps_get_limits (const GArray *gaps, guint64 *kept_from, guint64 *kept_to)
{
  *kept_from = 0;
  *kept_to = LC_GAP_OPEN;
  for (guint i = 0; i < gaps->len; i++)
    {
      const LcTraceGap *gap = &g_array_index (gaps, LcTraceGap, i);

      if (gap->to == LC_GAP_OPEN)
        *kept_to = MIN (*kept_to, gap->from);
      else if (gap->from <= *kept_from)
        *kept_from = MAX (*kept_from, gap->to);
    }
}

void
lc_gaps_move (GArray *gaps, guint64 origin)
{
  guint n = 0;

  for (guint i = 0; i < gaps->len; i++)
    {
      LcTraceGap gap = g_array_index (gaps, LcTraceGap, i);

      if (gap.to <= origin)
        continue;
      gap.from -= MIN (gap.from, origin);
      gap.to -= gap.to != LC_GAP_OPEN ? origin : 0;
      g_array_index (gaps, LcTraceGap, n++) = gap;
    }
  g_array_set_size (gaps, n);
}

static int
gaps_compare (gconstpointer a, gconstpointer b)
{
  const LcTraceGap *one = a, *other = b;

  if (one->from != other->from)
    return one->from < other->from ? -1 : 1;
  return one->to < other->to ? -1 : one->to > other->to;
}

void
lc_gaps_unite (GArray *gaps)
{
  guint n = 0;

  g_array_sort (gaps, gaps_compare);
  for (guint i = 0; i < gaps->len; i++)
    {
      const LcTraceGap gap = g_array_index (gaps, LcTraceGap, i);
      LcTraceGap *last = n > 0 ? &g_array_index (gaps, LcTraceGap, n - 1) : NULL;

      if (last == NULL || gap.from >= MAX (last->to, last->from + 1))
        {
          g_array_index (gaps, LcTraceGap, n++) = gap;
          continue;
        }
      if (gap.to > last->to)
        last->reason = gap.reason;
      last->to = MAX (last->to, gap.to);
      last->events = MIN (last->events + gap.events, (guint64)G_MAXINT64);
    }
  g_array_set_size (gaps, n);
}

/* How many gaps have ended by then. */
static guint
gaps_count_ended (const GArray *gaps, guint64 time)
{
  guint low = 0, high = gaps->len;

  while (low < high)
    {
      guint middle = low + (high - low) / 2;

      if (g_array_index (gaps, LcTraceGap, middle).to <= time)
        low = middle + 1;
      else
        high = middle;
    }
  return low;
}

guint64
lc_gaps_measure (const GArray *gaps, guint64 begin, guint64 end)
{
  guint64 sum = 0;
  guint low = gaps_count_ended (gaps, begin);

  for (; low < gaps->len && g_array_index (gaps, LcTraceGap, low).from < end; low++)
    {
      const LcTraceGap *gap = &g_array_index (gaps, LcTraceGap, low);
      guint64 from = MAX (gap->from, begin), to = MIN (gap->to, end);

      sum += to > from ? to - from : 0;
    }
  return sum;
}

const LcTraceGap *
lc_gaps_find_between (const GArray *gaps, guint64 begin, guint64 end)
{
  guint low = 0, high = gaps->len;

  while (low < high)
    {
      guint middle = low + (high - low) / 2;

      if (g_array_index (gaps, LcTraceGap, middle).from < begin)
        low = middle + 1;
      else
        high = middle;
    }
  return low < gaps->len && g_array_index (gaps, LcTraceGap, low).to <= end ? &g_array_index (gaps, LcTraceGap, low)
                                                                            : NULL;
}

const LcTraceGap *
lc_gaps_find_before (const GArray *gaps, guint64 time)
{
  guint ended = gaps_count_ended (gaps, time);

  return ended > 0 ? &g_array_index (gaps, LcTraceGap, ended - 1) : NULL;
}

/* --- Telling -------------------------------------------------------------------------------------------------------
 */

static char *
gaps_describe_begin (const LcTraceGap *gap, const char *to)
{
  g_autofree char *count = lc_format_count (gap->events);

  if (gap->reason == LC_GAP_RING && gap->events > 0)
    return g_strdup_printf (ngettext ("Begins %s after the start: %s older event was dropped",
                                      "Begins %s after the start: %s older events were dropped", gap->events),
                            to, count);
  if (gap->reason == LC_GAP_RING)
    return g_strdup_printf (_ ("Begins %s after the start: older events were dropped"), to);
  return g_strdup_printf (_ ("Begins %s after the start: it was paused until then"), to);
}

char *
lc_gap_describe (const LcTraceGap *gap)
{
  g_autofree char *from = lc_format_duration (gap->from), *to = lc_format_duration (gap->to);
  g_autofree char *count = lc_format_count (gap->events);

  if (gap->to == LC_GAP_OPEN && gap->reason == LC_GAP_DUMP)
    return g_strdup_printf (_ ("Ends %s after the start: the run went on"), from);
  if (gap->to == LC_GAP_OPEN)
    return g_strdup_printf (_ ("Ends %s after the start: the rest was not recorded"), from);
  if (gap->from == 0)
    return gaps_describe_begin (gap, to);
  if (gap->reason == LC_GAP_PAUSED)
    return g_strdup_printf (_ ("Not recorded from %s to %s (paused)"), from, to);
  if (gap->events > 0)
    return g_strdup_printf (ngettext ("Not kept from %s to %s (%s event was dropped)",
                                      "Not kept from %s to %s (%s events were dropped)", gap->events),
                            from, to, count);
  return g_strdup_printf (_ ("Not kept from %s to %s"), from, to);
}

char *
lc_gaps_describe (const GArray *gaps, const char *between)
{
  GString *text = g_string_new (NULL);
  guint told = gaps->len > TOLD + 1 ? TOLD : gaps->len;

  for (guint i = 0; i < told; i++)
    {
      g_autofree char *line = lc_gap_describe (&g_array_index (gaps, LcTraceGap, i));

      g_string_append_printf (text, "%s%s", i > 0 ? between : "", line);
    }
  if (told < gaps->len)
    {
      g_autofree char *count = lc_format_count (gaps->len - told);

      g_string_append (text, between);
      g_string_append_printf (text, _ ("and %s more times in which nothing was recorded"), count);
    }
  return g_string_free (text, text->len == 0);
}
