/* SPDX-License-Identifier: Apache-2.0 */
/* lightcone calibrate: measures what recording costs on this machine. */
#include <glib/gi18n.h>
#include <stdio.h>

#include "calibrate-mpi.h"
#include "calibration-print.h"
#include "calibration.h"
#include "command.h"
#include "report/format.h"
#include "report/output.h"

static char *output, *mpi, *topology;
static gboolean as_json, quick, with_mpi;

static gboolean
take_mpi (const char *option, const char *value, gpointer data, GError **error)
{
  with_mpi = TRUE;
  g_free (mpi);
  mpi = g_strdup (value);
  return TRUE;
}

static const GOptionEntry options[] = {
    {"json", 0, 0, G_OPTION_ARG_NONE, &as_json, N_ ("For programs to read"), NULL},
    {"output", 'o', 0, G_OPTION_ARG_FILENAME, &output, N_ ("Where to keep the numbers (default: the user's cache)"),
     N_ ("FILE")},
    {"mpi", 0, G_OPTION_FLAG_OPTIONAL_ARG, G_OPTION_ARG_CALLBACK, take_mpi,
     N_ ("Measure messages and MPI's operations: openmpi or mpich"), N_ ("MPI")},
    {"topology", 0, 0, G_OPTION_ARG_STRING, &topology,
     N_ ("With --mpi and more than two ranks: how they are connected"), N_ ("TOPOLOGY")},
    {"quick", 0, 0, G_OPTION_ARG_NONE, &quick, N_ ("Measure for a short time only"), NULL},
    {NULL},
};

static const LcCommandLine line = {
    .name = "calibrate",
    .arguments = N_ ("[-- LAUNCHER ARGUMENT...]"),
    .description =
        N_ ("The first recording on a machine does the same by itself, quickly, and keeps the numbers. MPI is\n"
            "measured only here: between two ranks of this machine, or as LAUNCHER starts them."),
    .options = options,
    .n_optional = G_MAXINT,
};

/* --- For people -------------------------------------------------------------------------------------------- */

static void
calibrate_print_text (const LcMeasurement *measurement, const char *path)
{
  g_autofree char *table = lc_calibration_table (measurement), *stamp = lc_calibration_spread (&measurement->stamp);
  g_autofree char *apart = lc_calibration_spread (&measurement->exit), *display = g_filename_display_name (path);
  g_autofree char *name = lc_format_text (display);

  g_print (
      _ ("ns, median ± half the distance of the quartiles. Before, Inside and After are instrumentation: before\n"
         "the begin stamp, between the stamps, after the end stamp. The rest is the operation's own: Cost when it\n"
         "need not wait; from the release on when it has Waited for a moment, or has Slept.\n\n"));
  g_print ("%s\n", table);
  g_print (_ ("To read the clock: %s ns. To copy a short message: %.1f ns. The %u members of a barrier leave it %s ns "
              "apart.\n"),
           stamp, measurement->copy, measurement->members, apart);
  if (measurement->others > LC_CALIBRATION_BUSY)
    g_print (_ ("Other programs had %.0f %% of the processors meanwhile: what it takes to wake up may be too much, so "
                "measure "
                "again when the machine is quiet.\n"),
             100 * measurement->others);
  g_print (_ ("Kept in %s\n"), name);
}

/* --- For programs ------------------------------------------------------------------------------------------ */

static void
calibrate_print_json (const LcMeasurement *measurement, GKeyFile *file, const char *path)
{
  LcJson json = LC_JSON_INIT ();
  g_autofree char *text = NULL;

  lc_json_begin_object (&json, NULL);
  lc_calibration_add_rows (&json, measurement);
  lc_calibration_add_spread (&json, "stamp", &measurement->stamp);
  lc_calibration_add_number (&json, "copy", measurement->copy);
  lc_json_begin_object (&json, "barrier");
  lc_json_add_string (&json, "exit", "linear");
  lc_calibration_add_spread (&json, "beta", &measurement->exit);
  lc_json_add_count (&json, "members", measurement->members);
  lc_json_end_object (&json);
  lc_calibration_add_machine (&json, file, path);
  lc_json_end_object (&json);
  text = lc_json_finish (&json);
  lc_output_write (text, -1); /* JSON is UTF-8 in every locale */
}

/* --- The command --------------------------------------------------------------------------------------------- */

static gboolean
calibrate_run_command (GError **error)
{
  g_autoptr (LcMeasurement) measurement = lc_measurement_new (quick, error);
  g_autoptr (GKeyFile) file = measurement != NULL ? lc_calibration_describe (measurement, error) : NULL;
  g_autofree char *path = output != NULL ? g_strdup (output) : lc_calibration_path (NULL);

  if (file == NULL || !lc_calibration_save (file, path, error))
    return FALSE;
  if (as_json)
    calibrate_print_json (measurement, file, path);
  else
    calibrate_print_text (measurement, path);
  return TRUE;
}

static gboolean
calibrate_check_options (const char *first_argument)
{
  const char *what = first_argument != NULL ? first_argument : topology != NULL ? "--topology" : NULL;

  if (with_mpi || what == NULL)
    return TRUE;
  lc_complain (_ ("%s: “%s” is of use with --mpi only (see lightcone help %s)"), line.name, what, line.name);
  return FALSE;
}

int
lc_cmd_calibrate (int argc, char **argv)
{
  g_autoptr (GError) error = NULL;
  gboolean good;

  if (!lc_command_parse (&line, &argc, &argv) || !calibrate_check_options (argv[1]))
    return LC_EXIT_UNUSABLE;
  if (with_mpi)
    {
      const LcCalibrateMpi choice = {mpi, argc > 1 ? argv + 1 : NULL, topology, output, quick, as_json};

      good = lc_calibrate_mpi (&choice, &error);
    }
  else
    good = calibrate_run_command (&error);
  if (good)
    return LC_EXIT_GOOD;
  lc_complain ("%s", error->message);
  return LC_EXIT_UNUSABLE;
}
