/* SPDX-License-Identifier: Apache-2.0 */
/* Writes a calibration as trace.ini has it. */
#include "measurement.h"

#include <string.h>

/* Waits of pthreads sleep at once. Our own spin for some time first, and most of them are over by then. */
const LcSpread *
lc_measurement_row_wait (const LcMeasurementRow *row)
{
  return row->awake.count > 0 ? &row->awake : &row->asleep;
}

static void
measurement_file_append_number (GString *text, double value)
{
  char buffer[G_ASCII_DTOSTR_BUF_SIZE];

  if (text->len > 0)
    g_string_append_c (text, ';');
  /* Times per byte are below 1 and need more digits. */
  g_string_append (text, g_ascii_formatd (buffer, sizeof buffer, value > 0 && value < 1 ? "%.4g" : "%.1f", value));
}

void
lc_measurement_set_numbers (GKeyFile *file, const char *group, const char *key, const double *numbers, guint count)
{
  g_autoptr (GString) text = g_string_new (NULL);

  for (guint i = 0; i < count; i++)
    measurement_file_append_number (text, numbers[i]);
  g_key_file_set_value (file, group, key, text->str);
}

static double
measurement_file_middle_of (const LcMeasurement *measurement, gsize offset)
{
  g_autoptr (GArray) values = g_array_new (FALSE, FALSE, sizeof (double));

  for (guint i = 0; i < measurement->rows->len; i++)
    {
      const LcMeasurementRow *row = g_ptr_array_index (measurement->rows, i);

      if (row->before.count > 0 && strcmp (row->interface, "trapped") != 0)
        g_array_append_val (values, G_STRUCT_MEMBER (LcSpread, row, offset).median);
    }
  return lc_spread_of (values).median;
}

/* If several interfaces have an operation, trace.ini has room for the most common one only. */
static gboolean
is_preferred (const LcMeasurement *measurement, const LcMeasurementRow *row)
{
  static const char *const interfaces[] = {"pthread", "library", "function", "pipe", "file", "futex", "openmp"};
  const LcMeasurementRow *first = NULL;

  for (gsize i = 0; i < G_N_ELEMENTS (interfaces) && first == NULL; i++)
    first = lc_measurement_find (measurement, row->operation, interfaces[i]);
  return row == first;
}

static void
measurement_file_set_overhead (GKeyFile *file, const char *group, const LcMeasurementRow *row)
{
  const LcSpread *wait = lc_measurement_row_wait (row);
  const double numbers[] = {row->before.median, row->inside.median, row->after.median, wait->median};
  const gboolean has_wait = strcmp (group, "overhead") != 0 && wait->count > 0;

  lc_measurement_set_numbers (file, group, row->operation, numbers, has_wait ? 4 : 3);
}

static void
measurement_file_set_row (GKeyFile *file, const LcMeasurementRow *row)
{
  const LcSpread *wait = lc_measurement_row_wait (row);
  const double cost[] = {row->cost.median, wait->median};

  measurement_file_set_overhead (file, "overhead", row);
  if (row->cost.count > 0 || wait->count > 0)
    lc_measurement_set_numbers (file, "cost", row->operation, cost, wait->count > 0 ? 2 : 1);
}

GKeyFile *
lc_measurement_to_key_file (const LcMeasurement *measurement)
{
  GKeyFile *file = g_key_file_new ();
  const double others[] = {measurement_file_middle_of (measurement, G_STRUCT_OFFSET (LcMeasurementRow, before)),
                           measurement_file_middle_of (measurement, G_STRUCT_OFFSET (LcMeasurementRow, inside)),
                           measurement_file_middle_of (measurement, G_STRUCT_OFFSET (LcMeasurementRow, after))};

  lc_measurement_set_numbers (file, "overhead", "*", others, 3);
  for (guint i = 0; i < measurement->rows->len; i++)
    {
      const LcMeasurementRow *row = g_ptr_array_index (measurement->rows, i);

      if (is_preferred (measurement, row))
        measurement_file_set_row (file, row);
      if (strcmp (row->interface, "openmp") == 0 || strcmp (row->interface, "trapped") == 0)
        measurement_file_set_overhead (file, row->interface, row);
    }
  lc_measurement_set_numbers (file, "cost", "copy", &measurement->copy, 1);
  g_key_file_set_value (file, "barrier", "exit", "linear");
  lc_measurement_set_numbers (file, "barrier", "beta", &measurement->exit.median, 1);
  return file;
}
