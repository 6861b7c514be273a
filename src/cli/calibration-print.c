/* SPDX-License-Identifier: Apache-2.0 */
/* Parts of tables and JSON that all calibrations share. */
#include "calibration-print.h"

#include <glib/gi18n.h>

#include "report/format.h"

char *
lc_calibration_spread (const LcSpread *spread)
{
  int digits = spread->median < 1000 ? 1 : 0;

  if (spread->count == 0)
    return NULL;
  return g_strdup_printf ("%.*f ±%.*f", digits, spread->median, digits, (spread->high - spread->low) / 2);
}

char *
lc_calibration_table (const LcMeasurement *measurement)
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
      lc_table_take (table, lc_calibration_spread (&row->before));
      lc_table_take (table, lc_calibration_spread (&row->inside));
      lc_table_take (table, lc_calibration_spread (&row->after));
      lc_table_take (table, lc_calibration_spread (&row->cost));
      lc_table_take (table, lc_calibration_spread (&row->awake));
      lc_table_take (table, lc_calibration_spread (&row->asleep));
    }
  return lc_table_render (table, 0);
}

void
lc_calibration_add_number (LcJson *json, const char *key, double value)
{
  guint64 tenths = (guint64)(value * 10 + 0.5);
  g_autofree char *number = g_strdup_printf ("%" G_GUINT64_FORMAT ".%u", tenths / 10, (guint)(tenths % 10));

  lc_json_add_number (json, key, number);
}

void
lc_calibration_add_spread (LcJson *json, const char *key, const LcSpread *spread)
{
  if (spread->count == 0)
    {
      lc_json_add_null (json, key);
      return;
    }
  lc_json_begin_object (json, key);
  lc_calibration_add_number (json, "median", spread->median);
  lc_calibration_add_number (json, "low", spread->low);
  lc_calibration_add_number (json, "high", spread->high);
  lc_json_end_object (json);
}

void
lc_calibration_add_rows (LcJson *json, const LcMeasurement *measurement)
{
  lc_json_begin_array (json, "operations");
  for (guint i = 0; i < measurement->rows->len; i++)
    {
      const LcMeasurementRow *row = g_ptr_array_index (measurement->rows, i);

      lc_json_begin_object (json, NULL);
      lc_json_add_string (json, "operation", row->operation);
      lc_json_add_string (json, "interface", row->interface);
      lc_calibration_add_spread (json, "before", &row->before);
      lc_calibration_add_spread (json, "inside", &row->inside);
      lc_calibration_add_spread (json, "after", &row->after);
      lc_calibration_add_spread (json, "nowait", &row->cost);
      lc_calibration_add_spread (json, "wait", lc_measurement_row_wait (row));
      lc_calibration_add_spread (json, "wait_awake", &row->awake);
      lc_calibration_add_spread (json, "wait_asleep", &row->asleep);
      lc_json_end_object (json);
    }
  lc_json_end_array (json);
}

void
lc_calibration_add_machine (LcJson *json, GKeyFile *file, const char *path)
{
  g_auto (GStrv) keys = g_key_file_get_keys (file, "machine", NULL, NULL);

  lc_json_begin_object (json, "machine");
  for (char **key = keys; key != NULL && *key != NULL; key++)
    {
      g_autofree char *value = g_key_file_get_string (file, "machine", *key, NULL);

      lc_json_add_string (json, *key, value);
    }
  lc_json_end_object (json);
  lc_json_add_string (json, "kept_in", path);
}
