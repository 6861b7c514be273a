/* SPDX-License-Identifier: Apache-2.0 */
/* lightcone calibrate --mpi: measures the costs of MPI's messages, and of recording its operations. */
#include "calibrate-mpi.h"

#include <gio/gio.h>
#include <glib/gi18n.h>
#include <string.h>

#include "calibration-print.h"
#include "calibration.h"
#include "report/format.h"
#include "report/output.h"

static const char *const names[] = {"openmpi", "mpich"};

/* --- Choice of the MPI -------------------------------------------------------------------------------------------- */

static gboolean
is_built (const char *mpi)
{
  g_autofree char *program = lc_workload_find (mpi);

  return g_file_test (program, G_FILE_TEST_IS_EXECUTABLE);
}

/* Finds the launcher of an MPI: where several MPIs are installed, each has one of its own. NULL: there is none. */
static char *
calibrate_mpi_find_launcher (const char *mpi)
{
  g_autofree char *name = g_strconcat ("mpirun.", mpi, NULL);
  char *path = g_find_program_in_path (name);

  return path != NULL ? path : g_find_program_in_path ("mpirun");
}

static gboolean
is_here (const char *mpi)
{
  g_autofree char *launcher = calibrate_mpi_find_launcher (mpi);

  return is_built (mpi) && launcher != NULL;
}

static const char *
find_only (GError **error)
{
  const char *found = NULL;

  for (gsize i = 0; i < G_N_ELEMENTS (names); i++)
    {
      if (!is_here (names[i]))
        continue;
      if (found != NULL)
        {
          g_set_error (error, G_OPTION_ERROR, G_OPTION_ERROR_BAD_VALUE,
                       _ ("calibrate: there are %s and %s here: say which, as in --mpi %s"), found, names[i], found);
          return NULL;
        }
      found = names[i];
    }
  if (found == NULL)
    g_set_error (error, G_FILE_ERROR, G_FILE_ERROR_NOENT,
                 _ ("calibrate: there is no MPI here, or there was none when Lightcone was built"));
  return found;
}

static const char *
choose_mpi (const char *given, GError **error)
{
  if (given == NULL)
    return find_only (error);
  if (!g_strv_contains ((const char *const[]){"openmpi", "mpich", NULL}, given))
    g_set_error (error, G_OPTION_ERROR, G_OPTION_ERROR_BAD_VALUE, _ ("--mpi: there is no “%s”: openmpi or mpich"),
                 given);
  else if (!is_built (given))
    g_set_error (error, G_FILE_ERROR, G_FILE_ERROR_NOENT, _ ("calibrate: Lightcone was built without this MPI: %s"),
                 given);
  else
    return given;
  return NULL;
}

static char **
make_launcher (const char *mpi, char **given, GError **error)
{
  g_autofree char *launcher = given == NULL ? calibrate_mpi_find_launcher (mpi) : NULL;
  const char *command[] = {launcher, "-n", "2", NULL};

  if (given != NULL)
    return g_strdupv (given);
  if (launcher != NULL)
    return g_strdupv ((char **)command);
  g_set_error (error, G_FILE_ERROR, G_FILE_ERROR_NOENT,
               _ ("calibrate: there is neither mpirun.%s nor mpirun: say how ranks are started, after --"), mpi);
  return NULL;
}

/* --- For people ------------------------------------------------------------------------------------------------ */

static void
print_line (const char *what, const LcMessageLine *line)
{
  g_autofree char *startup = g_strdup_printf ("%.*f", line->startup < 1000 ? 1 : 0, line->startup);

  if (line->per_hop > 0)
    g_print (_ ("%s: %s ns, %.3g ns a byte and %.3g ns a hop.\n"), what, startup, line->per_byte, line->per_hop);
  else
    g_print (_ ("%s: %s ns, and %.3g ns a byte.\n"), what, startup, line->per_byte);
}

static void
print_messages (const LcMpiMeasurement *measurement)
{
  const LcMessageFit *fit = &measurement->fit;
  g_autofree char *bytes = lc_format_count (fit->short_below);
  g_autofree char *what = g_strdup_printf (_ ("Messages of less than %s bytes"), bytes);

  if (fit->short_below > 0)
    print_line (what, &fit->of_short);
  print_line (fit->short_below > 0 ? _ ("Longer ones") : _ ("Messages"), &fit->of_long);
  g_print (
      _ ("Half of the sizes that were measured are within %.0f%% of this. To copy a message in or out: %.1f ns.\n"),
      fit->error * 100, measurement->operations->copy);
}

static void
calibrate_mpi_print_text (const LcMpiMeasurement *measurement, const char *path)
{
  g_autofree char *table = lc_calibration_table (measurement->operations);
  g_autofree char *stamp = lc_calibration_spread (&measurement->operations->stamp);
  g_autofree char *display = g_filename_display_name (path);
  g_autofree char *name = lc_format_text (display);

  g_print (
      _ ("ns, median ± half the distance of the quartiles. Before, Inside and After are instrumentation: before\n"
         "the begin stamp, between the stamps, after the end stamp. The rest is the operation's own: Cost when it\n"
         "need not wait; from the release on when it has Waited for a moment, or has Slept.\n\n"));
  g_print ("%s\n", table);
  print_messages (measurement);
  g_print (_ ("To read the clock: %s ns.\n"), stamp);
  g_print (_ ("Kept in %s\n"), name);
}

/* --- For programs ---------------------------------------------------------------------------------------------- */

/* Times per byte are small, so they have six digits. */
static void
add_fraction (LcJson *json, const char *key, double value)
{
  char text[G_ASCII_DTOSTR_BUF_SIZE];

  lc_json_add_number (json, key, g_ascii_formatd (text, sizeof text, "%.6g", value));
}

static void
calibrate_mpi_add_line (LcJson *json, const char *key, const LcMessageLine *line)
{
  lc_json_begin_object (json, key);
  add_fraction (json, "startup", line->startup);
  add_fraction (json, "per_byte", line->per_byte);
  add_fraction (json, "per_hop", line->per_hop);
  lc_json_end_object (json);
}

static void
calibrate_mpi_add_messages (LcJson *json, const LcMpiMeasurement *measurement)
{
  lc_json_begin_array (json, "messages");
  for (guint i = 0; i < measurement->messages->len; i++)
    {
      const LcMpiMessages *messages = &g_array_index (measurement->messages, LcMpiMessages, i);

      lc_json_begin_object (json, NULL);
      lc_json_add_count (json, "bytes", messages->bytes);
      lc_json_add_count (json, "hops", messages->hops);
      lc_calibration_add_spread (json, "ns", &messages->ns);
      lc_json_end_object (json);
    }
  lc_json_end_array (json);
}

static void
calibrate_mpi_print_json (const LcMpiMeasurement *measurement, const char *mpi, GKeyFile *file, const char *path)
{
  LcJson json = LC_JSON_INIT ();
  g_autofree char *text = NULL;

  lc_json_begin_object (&json, NULL);
  lc_json_add_string (&json, "mpi", mpi);
  lc_calibration_add_rows (&json, measurement->operations);
  lc_calibration_add_spread (&json, "stamp", &measurement->operations->stamp);
  lc_calibration_add_number (&json, "copy", measurement->operations->copy);
  calibrate_mpi_add_messages (&json, measurement);
  lc_json_begin_object (&json, "communication");
  lc_json_add_string (&json, "topology", measurement->topology);
  lc_json_add_count (&json, "short_below", measurement->fit.short_below);
  calibrate_mpi_add_line (&json, "short", &measurement->fit.of_short);
  calibrate_mpi_add_line (&json, "long", &measurement->fit.of_long);
  add_fraction (&json, "error", measurement->fit.error);
  lc_json_end_object (&json);
  lc_calibration_add_machine (&json, file, path);
  lc_json_end_object (&json);
  text = lc_json_finish (&json);
  lc_output_write (text, -1); /* JSON is UTF-8 in every locale */
}

gboolean
lc_calibrate_mpi (const LcCalibrateMpi *choice, GError **error)
{
  const char *mpi = choose_mpi (choice->mpi, error);
  g_auto (GStrv) launcher = mpi != NULL ? make_launcher (mpi, choice->launcher, error) : NULL;
  const LcWorkloadPlan plan = {choice->quick, mpi, (const char *const *)launcher};
  g_autoptr (LcMpiMeasurement) measurement =
      launcher != NULL ? lc_mpi_measurement_new (&plan, choice->topology, error) : NULL;
  g_autoptr (GKeyFile) file = measurement != NULL ? lc_calibration_describe_mpi (measurement, mpi, error) : NULL;
  g_autofree char *path = choice->output != NULL ? g_strdup (choice->output) : lc_calibration_path (mpi);

  if (file == NULL || !lc_calibration_save (file, path, error))
    return FALSE;
  if (choice->as_json)
    calibrate_mpi_print_json (measurement, mpi, file, path);
  else
    calibrate_mpi_print_text (measurement, path);
  return TRUE;
}
