/* SPDX-License-Identifier: Apache-2.0 */
/* Ticks of an axis: round numbers in one unit. */
#include "ticks.h"

#include <float.h>
#include <glib/gi18n-lib.h>
#include <math.h>
#include <string.h>

#include "trace/quantities.h"

#define SECOND 1e9
/* Times from here on are shown in minutes, or in hours. */
#define MANY_SECONDS 120.0
#define MANY_SECONDS_OF_HOURS 7200.0

enum
{
  FINEST_EXPONENT = -300,
  LIMIT_DIGITS = 2, /* digits of a range's length with which its ends are shown */
};

/* The unit of the texts of an axis. */
typedef struct
{
  char *unit;    /* may be NULL */
  double factor; /* size of the unit, in values */
  int finest;    /* steps are at least 10 to this power */
  gboolean clock;
  gboolean hours;
} Measure;

/* A step is mantissa * 10^exponent units. */
typedef struct
{
  gint64 mantissa;
  int exponent;
} Step;

typedef struct
{
  double factor;
  const char *name;
} Unit;

static const Unit *
ticks_find_unit (const Unit *units, gsize n_units, double largest)
{
  gsize found = 0;

  while (found + 1 < n_units && largest >= units[found + 1].factor)
    found++;
  return &units[found];
}

static void
measure_time (Measure *measure, double largest)
{
  static const Unit units[] = {{1e-3, "ps"}, {1, "ns"}, {1e3, "µs"}, {1e6, "ms"}, {SECOND, "s"}};
  const Unit *unit = ticks_find_unit (units, G_N_ELEMENTS (units), largest > 0 ? largest : 1);

  measure->clock = largest >= MANY_SECONDS * SECOND;
  measure->hours = largest >= MANY_SECONDS_OF_HOURS * SECOND;
  measure->factor = unit->factor;
  if (!measure->clock)
    measure->unit = g_strdup (unit->name);
}

static void
measure_bytes (Measure *measure, double largest)
{
  static const Unit units[] = {{1, N_ ("bytes")},    {0x1p10, N_ ("KiB")}, {0x1p20, N_ ("MiB")}, {0x1p30, N_ ("GiB")},
                               {0x1p40, N_ ("TiB")}, {0x1p50, N_ ("PiB")}, {0x1p60, N_ ("EiB")}};
  const Unit *unit = ticks_find_unit (units, G_N_ELEMENTS (units), largest);

  measure->unit = g_strdup (_ (unit->name));
  measure->factor = unit->factor;
  if (unit == units)
    measure->finest = 0;
}

/* Gives "× 10⁸". */
static char *
power_of_ten (int exponent)
{
  static const char *const digits[] = {"⁰", "¹", "²", "³", "⁴", "⁵", "⁶", "⁷", "⁸", "⁹"};
  g_autofree char *plain = g_strdup_printf ("%d", exponent);
  GString *text = g_string_new ("× 10");

  for (const char *at = plain; *at != '\0'; at++)
    g_string_append (text, *at == '-' ? "⁻" : digits[*at - '0']);
  return g_string_free (text, FALSE);
}

static void
measure_number (Measure *measure, double largest)
{
  int exponent = largest > 0 ? (int)floor (log10 (largest)) : 0;

  if (exponent < 7 && exponent >= -3)
    return;
  measure->factor = pow (10, exponent);
  measure->unit = power_of_ten (exponent);
}

static Measure
find_measure (LcAxisScaleKind kind, double low, double high)
{
  double largest = MAX (fabs (low), fabs (high));
  Measure measure = {.factor = 1, .finest = FINEST_EXPONENT};

  if (kind == LC_SCALE_TIME)
    measure_time (&measure, largest);
  else if (kind == LC_SCALE_BYTES)
    measure_bytes (&measure, largest);
  else if (kind == LC_SCALE_NUMBER)
    measure_number (&measure, largest);
  else if (kind == LC_SCALE_COUNT)
    measure.finest = 0;
  else
    {
      measure.unit = g_strdup ("%");
      measure.factor = 0.01;
    }
  return measure;
}

/* --- Steps ---------------------------------------------------------------------------------------------------------
 */

static double
get_size (Step step)
{
  return step.exponent < 0 ? (double)step.mantissa / pow (10, -step.exponent)
                           : (double)step.mantissa * pow (10, step.exponent);
}

/* Gives the steps in ascending order; step 3 k is 10^k. Steps of a clock, from 0 on, are parts and multiples of 60. */
static Step
ticks_get_step (gboolean clock, int number)
{
  static const gint64 decimal[] = {1, 2, 5};
  static const gint64 clocks[] = {1, 2, 5, 10, 20, 30, 60, 120, 300, 600, 1200, 1800};
  int n_clocks = (int)G_N_ELEMENTS (clocks), third;
  gint64 unit = 1;

  if (clock && number >= 0 && number < n_clocks)
    return (Step){clocks[number], 0};
  if (clock && number >= n_clocks)
    {
      unit = 3600;
      number -= n_clocks;
    }
  third = (number % 3 + 3) % 3;
  return (Step){unit * decimal[third], (number - third) / 3};
}

/* The amount by which rounding can have changed a quotient. */
static double
get_slack (double quotient)
{
  return MAX (1e-9, fabs (quotient) * 4 * DBL_EPSILON);
}

static double
first_multiple (double low, double size)
{
  return ceil (low / size - get_slack (low / size));
}

static double
last_multiple (double high, double size)
{
  return floor (high / size + get_slack (high / size));
}

/* Finds the smallest step with at most `most` multiples in the range, which is given in the measure's unit. Steps too
 * small to tell numbers of that size apart are not used. */
static Step
find_step (const Measure *measure, double low, double high, guint most)
{
  double finest = MAX (fabs (low), fabs (high)) * 64 * DBL_EPSILON, least = MAX ((high - low) / most, finest);
  int number = 3 * MAX ((int)floor (log10 (least)) - 1, measure->finest);
  Step step;

  if (measure->clock)
    number = MIN (number, 0);
  do
    step = ticks_get_step (measure->clock, number++);
  while (get_size (step) < finest ||
         last_multiple (high, get_size (step)) - first_multiple (low, get_size (step)) + 1 > most);
  return step;
}

/* --- Texts ---------------------------------------------------------------------------------------------------------
 */

/* Gives "1:05:00.25", without the parts that are less than `step`. */
static char *
clock_text (const Measure *measure, gint64 count, int exponent, double step)
{
  gint64 parts = 1, seconds;
  int decimals = MAX (0, -exponent);
  const char *sign = count < 0 ? "-" : "";
  g_autofree char *minutes = NULL, *rest = NULL;

  for (int i = 0; i < decimals; i++)
    parts *= 10;
  count = ABS (count);
  for (int i = 0; i < exponent; i++)
    count *= 10;
  seconds = count / parts;
  if (!measure->hours)
    minutes = g_strdup_printf ("%s%" G_GINT64_FORMAT, sign, seconds / 60);
  else if (step >= 3600)
    return g_strdup_printf ("%s%" G_GINT64_FORMAT, sign, seconds / 3600);
  else
    minutes = g_strdup_printf ("%s%" G_GINT64_FORMAT ":%02" G_GINT64_FORMAT, sign, seconds / 3600, seconds / 60 % 60);
  if (step >= 60)
    return g_steal_pointer (&minutes);
  rest = g_strdup_printf ("%0*.*f", decimals > 0 ? decimals + 3 : 2, decimals,
                          (double)(count % (60 * parts)) / (double)parts);
  return g_strconcat (minutes, ":", rest, NULL);
}

/* Gives the text of count * 10^exponent units. */
static char *
ticks_dup_text (const Measure *measure, double count, int exponent, double step)
{
  double value = exponent < 0 ? count / pow (10, -exponent) : count * pow (10, exponent);
  g_autofree char *whole = NULL;

  if (measure->clock && fabs (count) < 0x1p62)
    return clock_text (measure, (gint64)count, exponent, step);
  if (count == 0)
    return g_strdup ("0");
  if (exponent < 0 || fabs (value) >= 0x1p63)
    return g_strdup_printf ("%.*f", MAX (0, -exponent), value);
  whole = lc_format_count ((guint64)fabs (value));
  return g_strconcat (value < 0 ? "-" : "", whole, NULL);
}

static char *
dup_unit (const Measure *measure, double step)
{
  if (!measure->clock)
    return g_strdup (measure->unit);
  if (measure->hours)
    return g_strdup (step >= 3600 ? "h" : step >= 60 ? "h:min" : "h:min:s");
  return g_strdup (step >= 60 ? "min" : "min:s");
}

/* --- Public functions --------------------------------------------------------------------------------------------- */

static void
ticks_clear_tick (gpointer data)
{
  g_free (((LcTick *)data)->text);
}

static gboolean
has_numbers (LcAxisScaleKind kind, double from, double to)
{
  return kind != LC_SCALE_NONE && kind != LC_SCALE_NAMES && isfinite (from) && isfinite (to);
}

static void
add_ticks (GArray *ticks, const Measure *measure, double low, double high, Step step)
{
  double size = get_size (step), first, last;

  first = first_multiple (low / measure->factor, size);
  last = last_multiple (high / measure->factor, size);
  for (double k = first; k <= last; k++)
    {
      double count = k * (double)step.mantissa;
      double value = step.exponent < 0 ? count / pow (10, -step.exponent) : count * pow (10, step.exponent);
      LcTick tick = {.value = CLAMP (value * measure->factor, low, high),
                     .text = ticks_dup_text (measure, count, step.exponent, size)};

      g_array_append_val (ticks, tick);
    }
}

/* Gives the exponent to which the ends of a range, or a single number, are rounded. Times of 1 ns and more are shown in
 * whole nanoseconds at the finest. */
static int
get_limit_exponent (LcAxisScaleKind kind, const Measure *measure, double low, double high)
{
  double length = (high > low ? high - low : fabs (high)) / measure->factor;
  int exponent = length > 0 ? (int)floor (log10 (length)) - LIMIT_DIGITS : 0;

  if (kind == LC_SCALE_TIME && measure->factor == 1)
    return 0;
  return CLAMP (exponent, MAX (measure->finest, -15), 0);
}

/* Adds the only tick of a range without length. */
static GArray *
add_only_tick (GArray *ticks, LcAxisScaleKind kind, double value, char **unit)
{
  LcTick tick = {.value = value};

  lc_ticks_dup_limits (kind, value, value, &tick.text, NULL, unit);
  g_array_append_val (ticks, tick);
  return ticks;
}

GArray *
lc_ticks_new (LcAxisScaleKind kind, double from, double to, guint most, char **unit)
{
  GArray *ticks = g_array_new (FALSE, FALSE, sizeof (LcTick));
  double low = MIN (from, to), high = MAX (from, to);
  Measure measure;
  Step step;

  g_array_set_clear_func (ticks, ticks_clear_tick);
  *unit = NULL;
  if (!has_numbers (kind, from, to) || most == 0)
    return ticks;
  if (low == high)
    return add_only_tick (ticks, kind, low, unit);
  measure = find_measure (kind, low, high);
  step = find_step (&measure, low / measure.factor, high / measure.factor, most);
  add_ticks (ticks, &measure, low, high, step);
  *unit = dup_unit (&measure, get_size (step));
  g_free (measure.unit);
  return ticks;
}

void
lc_ticks_dup_limits (LcAxisScaleKind kind, double from, double to, char **from_text, char **to_text, char **unit)
{
  double low = MIN (from, to), high = MAX (from, to), size;
  Measure measure;
  int exponent;

  g_return_if_fail (has_numbers (kind, from, to));
  measure = find_measure (kind, low, high);
  exponent = get_limit_exponent (kind, &measure, low, high);
  size = pow (10, exponent);
  *from_text = ticks_dup_text (&measure, round (from / measure.factor / size), exponent, 0);
  if (to_text != NULL)
    *to_text = ticks_dup_text (&measure, round (to / measure.factor / size), exponent, 0);
  *unit = dup_unit (&measure, 0);
  g_free (measure.unit);
}
