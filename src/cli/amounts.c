/* SPDX-License-Identifier: Apache-2.0 */
/* Reads sizes ("500M") and times ("30s"). */
#include "amounts.h"

#include <glib/gi18n.h>
#include <signal.h>
#include <string.h>

#include "trace/operations.h"

/* Units by their names, each with what one of it is. */
typedef struct
{
  const char *name;
  guint64 factor;
} AmountUnit;

static const AmountUnit sizes[] = {
    {"", 1}, {"K", 1 << 10}, {"M", 1 << 20}, {"G", 1 << 30}, {"T", G_GUINT64_CONSTANT (1) << 40}, {NULL, 0},
};

/* No unit that is also one of sizes but for its case: "5m" is five minutes, and "5M" a size. */
static const AmountUnit times[] = {
    {"ms", 1000000},
    {"s", 1000000000},
    {"min", G_GUINT64_CONSTANT (60000000000)},
    {"m", G_GUINT64_CONSTANT (60000000000)},
    {"h", G_GUINT64_CONSTANT (3600000000000)},
    {NULL, 0},
};

static const AmountUnit short_times[] = {{"ns", 1}, {"us", 1000}, {"ms", 1000000}, {"s", 1000000000}, {NULL, 0}};

static gboolean
amounts_parse (const char *text, const AmountUnit *units, gboolean any_case, guint64 *value)
{
  char *end = NULL;
  guint64 number = g_ascii_isdigit (*text) ? g_ascii_strtoull (text, &end, 10) : 0;

  for (; number > 0 && units->name != NULL; units++)
    if ((any_case ? g_ascii_strcasecmp (end, units->name) : strcmp (end, units->name)) == 0)
      {
        *value = number * units->factor;
        return number <= G_MAXINT64 / units->factor;
      }
  return FALSE;
}

gboolean
lc_amounts_parse_size (const char *text, guint64 *bytes, GError **error)
{
  *bytes = 0;
  if (text == NULL || amounts_parse (text, sizes, TRUE, bytes))
    return TRUE;
  g_set_error (error, G_OPTION_ERROR, G_OPTION_ERROR_BAD_VALUE,
               _ ("--max-size: “%s” is no size: a number of bytes, or one with K, M, G or T behind it"), text);
  return FALSE;
}

gboolean
lc_amounts_parse_keep (const char *text, guint64 *bytes, guint64 *time, GError **error)
{
  *bytes = *time = 0;
  if (text == NULL || amounts_parse (text, times, FALSE, time) || amounts_parse (text, sizes, FALSE, bytes))
    return TRUE;
  g_set_error (error, G_OPTION_ERROR, G_OPTION_ERROR_BAD_VALUE,
               _ ("--keep: “%s” is neither a time, as 30s or 5min, nor a size, as 500M or 2G"), text);
  return FALSE;
}

/* Threads that have nothing to do wait, too, by these. */
static gboolean
amounts_may_idle (guint operation)
{
  return lc_operations[operation].operation_class == LC_CLASS_IO || operation == LC_JOIN ||
         operation == LC_CONDITION_WAIT || operation == LC_WAIT || operation == LC_FUTEX_WAIT;
}

static gboolean
amounts_parse_operations (const char *text, gsize length, gboolean operations[LC_OPERATION_END], GError **error)
{
  g_autofree char *list = g_strndup (text, length);
  g_auto (GStrv) names = g_strsplit (list, ",", -1);

  for (guint i = 0; names[i] != NULL; i++)
    {
      const enum lc_operation operation = lc_operation_find (names[i], strlen (names[i]));

      if (strcmp (names[i], "all") == 0)
        for (guint k = 0; k < LC_OPERATION_END; k++)
          operations[k] = TRUE;
      else if (operation != LC_NO_OPERATION)
        operations[operation] = TRUE;
      else
        {
          g_set_error (error, G_OPTION_ERROR, G_OPTION_ERROR_BAD_VALUE,
                       _ ("--dump-if-wait: there is no operation “%s”: name some that wait, as lock, or all"),
                       names[i]);
          return FALSE;
        }
    }
  return TRUE;
}

gboolean
lc_amounts_parse_threshold (const char *text, guint64 *time, GError **error)
{
  *time = LC_RECORDING_IO_THRESHOLD;
  if (text != NULL && strcmp (text, "0") == 0)
    *time = 0;
  else if (text != NULL && !amounts_parse (text, short_times, FALSE, time))
    {
      g_set_error (error, G_OPTION_ERROR, G_OPTION_ERROR_BAD_VALUE,
                   _ ("--io-threshold: “%s” is no time, as 10us or 1ms; 0 is all"), text);
      return FALSE;
    }
  return TRUE;
}

gboolean
lc_amounts_parse_wait (const char *text, gboolean operations[LC_OPERATION_END], guint64 *limit, GError **error)
{
  const char *equals = text != NULL ? strchr (text, '=') : NULL;

  *limit = 0;
  for (guint i = 0; i < LC_OPERATION_END; i++)
    operations[i] = equals == NULL && !amounts_may_idle (i);
  if (equals != NULL && !amounts_parse_operations (text, (gsize)(equals - text), operations, error))
    return FALSE;
  if (text == NULL || amounts_parse (equals != NULL ? equals + 1 : text, times, FALSE, limit))
    return TRUE;
  g_set_error (error, G_OPTION_ERROR, G_OPTION_ERROR_BAD_VALUE,
               _ ("--dump-if-wait: “%s” is no time: as 50ms or 2s, or with operations before it, as lock=50ms"), text);
  return FALSE;
}

static void
amounts_clear_region (gpointer region)
{
  g_free (((LcRegionLimit *)region)->name);
}

static gboolean
amounts_parse_region (const char *text, GArray *regions, GError **error)
{
  const char *equals = strrchr (text, '=');
  const gsize length = equals != NULL ? (gsize)(equals - text) : 0;
  LcRegionLimit region = {0};

  if (length == 0 || !amounts_parse (equals + 1, times, FALSE, &region.limit))
    g_set_error (error, G_OPTION_ERROR, G_OPTION_ERROR_BAD_VALUE,
                 _ ("--dump-if-region: “%s” is no region with a time, as request=50ms"), text);
  else if (length >= LC_REGION_NAME)
    g_set_error (error, G_OPTION_ERROR, G_OPTION_ERROR_BAD_VALUE,
                 _ ("--dump-if-region: “%s”: the region's name may have %d bytes at the most"), text,
                 LC_REGION_NAME - 1);
  else if (regions->len == LC_REGION_LIMITS)
    g_set_error (error, G_OPTION_ERROR, G_OPTION_ERROR_BAD_VALUE,
                 _ ("--dump-if-region: there may be %d regions at the most"), LC_REGION_LIMITS);
  else
    {
      region.name = g_strndup (text, length);
      g_array_append_val (regions, region);
      return TRUE;
    }
  return FALSE;
}

GArray *
lc_amounts_parse_regions (const char *const *texts, GError **error)
{
  g_autoptr (GArray) regions = g_array_new (FALSE, FALSE, sizeof (LcRegionLimit));

  g_array_set_clear_func (regions, amounts_clear_region);
  for (; texts != NULL && *texts != NULL; texts++)
    if (!amounts_parse_region (*texts, regions, error))
      return NULL;
  return g_steal_pointer (&regions);
}

/* Those that ask a program for something of its own. */
gboolean
lc_amounts_parse_signal (const char *text, int *signal, GError **error)
{
  static const struct
  {
    const char *name;
    int number;
  } signals[] = {{"USR1", SIGUSR1}, {"USR2", SIGUSR2}, {"HUP", SIGHUP}, {"QUIT", SIGQUIT}, {"WINCH", SIGWINCH}};

  *signal = 0;
  if (text == NULL)
    return TRUE;
  for (guint i = 0; i < G_N_ELEMENTS (signals); i++)
    if (strcmp (g_str_has_prefix (text, "SIG") ? text + 3 : text, signals[i].name) == 0)
      *signal = signals[i].number;
  if (*signal != 0)
    return TRUE;
  g_set_error (error, G_OPTION_ERROR, G_OPTION_ERROR_BAD_VALUE,
               _ ("--dump-on: there is no “%s”: USR1, USR2, HUP, QUIT or WINCH"), text);
  return FALSE;
}
