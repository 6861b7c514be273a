/* SPDX-License-Identifier: Apache-2.0 */
/* Durations as people type them: "1 ms", "20us", "1.5 s". */
#include "app/filters/filter-duration.h"

#include <math.h>
#include <string.h>

static const struct
{
  const char *name;
  double ns;
} units[] = {
    {"ns", 1}, {"us", 1e3}, {"µs", 1e3}, {"μs", 1e3}, {"ms", 1e6}, {"s", 1e9}, {"sec", 1e9}, {"min", 60e9},
};

static double
filter_duration_find_unit (const char *word)
{
  for (gsize i = 0; i < G_N_ELEMENTS (units); i++)
    if (g_ascii_strcasecmp (word, units[i].name) == 0)
      return units[i].ns;
  return 0;
}

gboolean
lc_duration_is_unit (const char *word)
{
  return filter_duration_find_unit (word) > 0;
}

gboolean
lc_duration_parse (const char *text, guint64 *ns)
{
  g_autofree char *clean = g_strstrip (g_strdup (text));
  char *end = NULL;
  double number, unit;

  if (!g_ascii_isdigit (clean[0]) && clean[0] != '.' && clean[0] != ',')
    return FALSE;
  for (char *c = clean; *c != '\0'; c++)
    if (*c == ',')
      *c = '.';
  number = g_ascii_strtod (clean, &end);
  if (end == clean || !isfinite (number) || number < 0)
    return FALSE;
  end = g_strchug (end);
  unit = *end == '\0' ? 1 : filter_duration_find_unit (end);
  if (unit == 0 || number * unit > 1e18)
    return FALSE;
  *ns = (guint64)llround (number * unit);
  return TRUE;
}
