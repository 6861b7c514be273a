/* SPDX-License-Identifier: Apache-2.0 */
/* Formats numbers, times and texts for people. */
#include "quantities.h"

#include <glib/gi18n-lib.h>
#include <locale.h>
#include <math.h>
#include <string.h>

static const char *
quantities_radix (void)
{
  const char *point = localeconv ()->decimal_point;

  return point[0] != '\0' && g_utf8_validate (point, -1, NULL) ? point : ".";
}

/* Returns the locale's separator, or else one that cannot be taken for the radix. */
static const char *
quantities_thousands (void)
{
  const char *separator = localeconv ()->thousands_sep;

  if (separator[0] != '\0' && g_utf8_validate (separator, -1, NULL))
    return separator;
  return strcmp (quantities_radix (), ",") == 0 ? " " : ",";
}

char *
lc_format_count (guint64 count)
{
  g_autofree char *digits = g_strdup_printf ("%" G_GUINT64_FORMAT, count);
  GString *text = g_string_new (NULL);
  gsize length = strlen (digits);

  for (gsize i = 0; i < length; i++)
    {
      if (i > 0 && (length - i) % 3 == 0)
        g_string_append (text, quantities_thousands ());
      g_string_append_c (text, digits[i]);
    }
  return g_string_free (text, FALSE);
}

/* Formats `value` in units of `unit` with three digits. FALSE: it would be rounded to 1000. */
static gboolean
three_digits (guint64 value, guint64 unit, char digits[16])
{
  double number = (double)value / (double)unit;
  int decimals = number < 9.995 ? 2 : number < 99.95 ? 1 : 0;
  char *point;

  if (number >= 999.5)
    return FALSE;
  g_ascii_formatd (digits, 16, decimals == 2 ? "%.2f" : decimals == 1 ? "%.1f" : "%.0f", number);
  point = strchr (digits, '.');
  if (point != NULL && strlen (quantities_radix ()) == 1)
    *point = quantities_radix ()[0];
  return TRUE;
}

char *
lc_format_duration (guint64 ns)
{
  const guint64 second = G_GUINT64_CONSTANT (1000000000), seconds = ns / second;
  const char *micro = g_get_charset (NULL) ? _ ("µs") : "us";
  char digits[16];

  if (ns < 1000)
    return g_strdup_printf (_ ("%u ns"), (guint)ns);
  if (three_digits (ns, 1000, digits))
    return g_strdup_printf ("%s %s", digits, micro);
  if (three_digits (ns, 1000000, digits))
    return g_strdup_printf (_ ("%s ms"), digits);
  if (ns < 60 * second && three_digits (ns, second, digits))
    return g_strdup_printf (_ ("%s s"), digits);
  if (seconds < 3600)
    return g_strdup_printf (_ ("%u min %u s"), (guint)(seconds / 60), (guint)(seconds % 60));
  return g_strdup_printf (_ ("%u h %u min"), (guint)(seconds / 3600), (guint)(seconds / 60 % 60));
}

/* Formats a number with so many decimals, in the locale. */
static char *
quantities_dup_decimals (double number, guint decimals)
{
  g_autofree char *format = g_strdup_printf ("%%.%uf", MIN (decimals, 9));
  char digits[64], *point;

  g_ascii_formatd (digits, sizeof digits, format, number);
  point = strchr (digits, '.');
  if (point != NULL && strlen (quantities_radix ()) == 1)
    *point = quantities_radix ()[0];
  return g_strdup (digits);
}

/* The largest power of ten that is not above a time, but at least 1. */
static guint64
quantities_get_power (guint64 ns)
{
  guint64 power = 1;

  while (power <= ns / 10)
    power *= 10;
  return power;
}

char *
lc_format_moment (guint64 ns, guint64 span)
{
  static const guint64 units[] = {1000, 1000000, G_GUINT64_CONSTANT (1000000000)};
  const guint64 second = units[2], minute = 60 * second;
  /* As for three digits, or finer. */
  guint64 step = quantities_get_power (MIN (span / 1000, ns / 100)), unit;
  g_autofree char *number = NULL;
  guint decimals = 0;

  if (ns < 1000 || ns >= 60 * minute - step)
    return lc_format_duration (ns);
  ns = (ns + step / 2) / step * step;
  unit = ns < units[1] ? units[0] : ns < units[2] ? units[1] : units[2];
  for (guint64 part = step; part < unit; part *= 10)
    decimals++;
  number = quantities_dup_decimals ((double)(ns % minute) / (double)unit, decimals);
  if (ns >= minute)
    /* TRANSLATORS: minutes and seconds, "1 min 15.2 s". */
    return g_strdup_printf (_ ("%u min %s s"), (guint)(ns / minute), number);
  if (unit == second)
    return g_strdup_printf (_ ("%s s"), number);
  return unit == units[1] ? g_strdup_printf (_ ("%s ms"), number)
                          : g_strdup_printf ("%s %s", number, g_get_charset (NULL) ? _ ("µs") : "us");
}

char *
lc_format_exact (guint64 ns)
{
  g_autofree char *count = lc_format_count (ns);

  return g_strdup_printf (_ ("%s ns"), count);
}

char *
lc_format_change (gint64 ns)
{
  guint64 length = ns < 0 ? -(guint64)ns : (guint64)ns;
  g_autofree char *duration = lc_format_duration (length);

  return g_strconcat (ns < 0 ? "-" : ns > 0 ? "+" : "", duration, NULL);
}

char *
lc_format_cost (double ns)
{
  char digits[G_ASCII_DTOSTR_BUF_SIZE], *point;

  ns = CLAMP (ns, 0, 9e18);
  if (ns >= 999.5 || (double)(guint64)ns == ns)
    return lc_format_duration ((guint64)(ns + 0.5));
  g_ascii_formatd (digits, sizeof digits, "%.3g", ns);
  point = strchr (digits, '.');
  if (point != NULL && strlen (quantities_radix ()) == 1)
    *point = quantities_radix ()[0];
  return g_strdup_printf (_ ("%s ns"), digits);
}

char *
lc_format_bytes (guint64 bytes)
{
  static const char *const units[] = {"KiB", "MiB", "GiB", "TiB", "PiB", "EiB"};
  char digits[16];

  if (bytes < 1024)
    return g_strdup_printf (ngettext ("%u byte", "%u bytes", bytes), (guint)bytes);
  for (guint i = 0; i < G_N_ELEMENTS (units); i++)
    if (three_digits (bytes, G_GUINT64_CONSTANT (1024) << (10 * i), digits))
      return g_strdup_printf ("%s %s", digits, units[i]);
  g_assert_not_reached ();
}

/* What turns the direction of writing (marks, embeddings, overrides and isolates) is of the format characters. */
gboolean
lc_text_is_visible (gunichar character)
{
  const gunichar non_joiner = 0x200c, joiner = 0x200d;

  switch ((int)g_unichar_type (character))
    {
    case G_UNICODE_CONTROL:
    case G_UNICODE_LINE_SEPARATOR:
    case G_UNICODE_PARAGRAPH_SEPARATOR:
    case G_UNICODE_SURROGATE:
    case G_UNICODE_UNASSIGNED:
      return FALSE;
    case G_UNICODE_FORMAT:
      return character == non_joiner || character == joiner;
    default:
      return TRUE;
    }
}

void
lc_text_append_visible (GString *text, gunichar character)
{
  if (lc_text_is_visible (character))
    g_string_append_unichar (text, character);
  else if (character == '\n' || character == '\t' || character == '\r')
    g_string_append (text, character == '\n' ? "\\n" : character == '\t' ? "\\t" : "\\r");
  else
    g_string_append_printf (text,
                            character < 0x100     ? "\\x%02x"
                            : character < 0x10000 ? "\\u%04x"
                                                  : "\\U%08x",
                            character);
}

/* A quick check for plain ASCII, because there may be millions of texts. */
static gboolean
quantities_text_is_plain (const char *text)
{
  while (*text >= ' ' && *text <= '~')
    text++;
  return *text == '\0';
}

static char *
format_visible (const char *text, const char *kept)
{
  g_autofree char *valid = NULL;
  GString *visible;

  if (text == NULL || quantities_text_is_plain (text))
    return g_strdup (text != NULL ? text : "");
  valid = g_utf8_make_valid (text, -1);
  visible = g_string_new (NULL);
  for (const char *at = valid; *at != '\0'; at = g_utf8_next_char (at))
    if (strchr (kept, *at) != NULL)
      g_string_append_c (visible, *at);
    else
      lc_text_append_visible (visible, g_utf8_get_char (at));
  return g_string_free (visible, FALSE);
}

char *
lc_format_text (const char *text)
{
  return format_visible (text, "");
}

char *
lc_format_lines (const char *text)
{
  return format_visible (text, "\n\t");
}

/* --- Reading times ------------------------------------------------------------------------------------------------ */

static double
quantities_find_unit (const char *word)
{
  static const struct
  {
    const char *name;
    double ns;
  } units[] = {{"ns", 1},  {"us", 1e3},  {"µs", 1e3},   {"μs", 1e3},  {"ms", 1e6},
               {"s", 1e9}, {"sec", 1e9}, {"min", 60e9}, {"h", 3600e9}};

  for (gsize i = 0; i < G_N_ELEMENTS (units); i++)
    if (g_ascii_strcasecmp (word, units[i].name) == 0)
      return units[i].ns;
  return 0;
}

gboolean
lc_is_time_unit (const char *word)
{
  return quantities_find_unit (word) > 0;
}

gboolean
lc_parse_time (const char *text, guint64 *ns)
{
  g_autofree char *clean = g_strstrip (g_strdelimit (g_strdup (text), ",", '.'));
  char *end = clean;
  double number, unit;

  /* A whole number of ns is read exactly. */
  if (g_ascii_string_to_unsigned (clean, 10, 0, G_MAXINT64, ns, NULL))
    return TRUE;
  if (!g_ascii_isdigit (clean[0]) && clean[0] != '.')
    return FALSE;
  number = g_ascii_strtod (clean, &end);
  if (end == clean || !isfinite (number))
    return FALSE;
  end = g_strchug (end);
  unit = *end == '\0' ? 1 : quantities_find_unit (end);
  if (*end == '\0' && strchr (text, ',') != NULL)
    return FALSE; /* 12,345 may be meant as twelve thousand */
  if (unit <= 0 || number * unit >= 0x1p63)
    return FALSE;
  *ns = (guint64)(number * unit + 0.5);
  return TRUE;
}
