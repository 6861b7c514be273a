/* SPDX-License-Identifier: Apache-2.0 */
/* lightcone calibrate: measures what recording costs on this machine. */
#include <glib/gi18n.h>
#include <stdio.h>

#include "calibration.h"
#include "command.h"
#include "format.h"
#include "json.h"

static char *output;
static gboolean as_json, quick;

static const GOptionEntry options[] = {
    {"json", 0, 0, G_OPTION_ARG_NONE, &as_json, N_ ("For programs to read"), NULL},
    {"output", 'o', 0, G_OPTION_ARG_FILENAME, &output, N_ ("Where to keep the numbers (default: the user's cache)"),
     N_ ("FILE")},
    {"quick", 0, 0, G_OPTION_ARG_NONE, &quick, N_ ("Measure for half a second only"), NULL},
    {NULL},
};

static const LcCommandLine line = {
    .name = "calibrate",
    .arguments = "",
    .description = N_ ("The first recording on a machine does the same by itself, quickly, and keeps the numbers."),
    .options = options,
};

/* --- For people -------------------------------------------------------------------------------------------- */

static char *
describe (const LcSpread *spread)
{
  int digits = spread->median < 1000 ? 1 : 0;

  if (spread->count == 0)
    return NULL;
  return g_strdup_printf ("%.*f ±%.*f", digits, spread->median, digits, (spread->high - spread->low) / 2);
}

static char *
make_table (const LcMeasurement *measurement)
{
  static const LcTableColumn columns[] = {
      {N_ ("Operation"), FALSE}, {N_ ("Interface"), FALSE}, {N_ ("Before"), TRUE}, {N_ ("Inside"), TRUE},
      {N_ ("After"), TRUE},      {N_ ("Cost"), TRUE},       {N_ ("Waited"), TRUE}, {N_ ("Slept"), TRUE},
  };
  g_autoptr (LcTable) table = lc_table_new (columns, G_N_ELEMENTS (columns));

  for (guint i = 0; i < measurement->rows->len; i++)
    {
      const LcMeasurementRow *row = g_ptr_array_index (measurement->rows, i);

      lc_table_take (table, g_strdup (row->operation));
      lc_table_take (table, g_strdup (row->interface));
      lc_table_take (table, describe (&row->before));
      lc_table_take (table, describe (&row->inside));
      lc_table_take (table, describe (&row->after));
      lc_table_take (table, describe (&row->cost));
      lc_table_take (table, describe (&row->awake));
      lc_table_take (table, describe (&row->asleep));
    }
  return lc_table_render (table, 0);
}

static void
print_text (const LcMeasurement *measurement, const char *path)
{
  g_autofree char *table = make_table (measurement), *stamp = describe (&measurement->stamp);
  g_autofree char *apart = describe (&measurement->exit), *name = g_filename_display_name (path);

  g_print (
      _ ("ns, median ± half the distance of the quartiles. Before, Inside and After are instrumentation: before\n"
         "the begin stamp, between the stamps, after the end stamp. The rest is the operation's own: Cost when it\n"
         "need not wait; from the release on when it has Waited for a moment, or has Slept.\n\n"));
  g_print ("%s\n", table);
  g_print (_ ("To read the clock: %s ns. To copy a short message: %.1f ns. The %u members of a barrier leave it %s ns "
              "apart.\n"),
           stamp, measurement->copy, measurement->members, apart);
  g_print (_ ("Kept in %s\n"), name);
}

/* --- For programs ------------------------------------------------------------------------------------------ */

static void
add_number (LcJson *json, const char *key, double value)
{
  guint64 tenths = (guint64)(value * 10 + 0.5);

  lc_json_add_count (json, key, tenths / 10);
  g_string_append_printf (json->text, ".%u", (guint)(tenths % 10));
}

static void
add_spread (LcJson *json, const char *key, const LcSpread *spread)
{
  if (spread->count == 0)
    {
      lc_json_add_null (json, key);
      return;
    }
  lc_json_begin_object (json, key);
  add_number (json, "median", spread->median);
  add_number (json, "low", spread->low);
  add_number (json, "high", spread->high);
  lc_json_end_object (json);
}

static void
add_rows (LcJson *json, const LcMeasurement *measurement)
{
  lc_json_begin_array (json, "operations");
  for (guint i = 0; i < measurement->rows->len; i++)
    {
      const LcMeasurementRow *row = g_ptr_array_index (measurement->rows, i);

      lc_json_begin_object (json, NULL);
      lc_json_add_string (json, "operation", row->operation);
      lc_json_add_string (json, "interface", row->interface);
      add_spread (json, "before", &row->before);
      add_spread (json, "inside", &row->inside);
      add_spread (json, "after", &row->after);
      add_spread (json, "nowait", &row->cost);
      add_spread (json, "wait", lc_measurement_row_wait (row));
      add_spread (json, "wait_awake", &row->awake);
      add_spread (json, "wait_asleep", &row->asleep);
      lc_json_end_object (json);
    }
  lc_json_end_array (json);
}

static void
print_json (const LcMeasurement *measurement, GKeyFile *file, const char *path)
{
  g_auto (GStrv) keys = g_key_file_get_keys (file, "machine", NULL, NULL);
  LcJson json = LC_JSON_INIT ();
  g_autofree char *text = NULL;

  lc_json_begin_object (&json, NULL);
  add_rows (&json, measurement);
  add_spread (&json, "stamp", &measurement->stamp);
  add_number (&json, "copy", measurement->copy);
  lc_json_begin_object (&json, "barrier");
  lc_json_add_string (&json, "exit", "linear");
  add_spread (&json, "beta", &measurement->exit);
  lc_json_add_count (&json, "members", measurement->members);
  lc_json_end_object (&json);
  lc_json_begin_object (&json, "machine");
  for (char **key = keys; key != NULL && *key != NULL; key++)
    {
      g_autofree char *value = g_key_file_get_string (file, "machine", *key, NULL);

      lc_json_add_string (&json, *key, value);
    }
  lc_json_end_object (&json);
  lc_json_add_string (&json, "kept_in", path);
  lc_json_end_object (&json);
  text = lc_json_finish (&json);
  fputs (text, stdout); /* UTF-8, whatever the locale */
}

int
lc_cmd_calibrate (int argc, char **argv)
{
  g_autoptr (LcMeasurement) measurement = NULL;
  g_autoptr (GKeyFile) file = NULL;
  g_autoptr (GError) error = NULL;
  g_autofree char *path = NULL;

  if (!lc_command_parse (&line, &argc, &argv))
    return LC_EXIT_UNUSABLE;
  path = output != NULL ? g_strdup (output) : lc_calibration_path ();
  measurement = lc_measurement_new (quick, &error);
  file = measurement != NULL ? lc_calibration_describe (measurement, &error) : NULL;
  if (file == NULL || !lc_calibration_save (file, path, &error))
    {
      lc_complain ("%s", error->message);
      return LC_EXIT_UNUSABLE;
    }
  if (as_json)
    print_json (measurement, file, path);
  else
    print_text (measurement, path);
  return LC_EXIT_GOOD;
}
