/* SPDX-License-Identifier: Apache-2.0 */
/* lightcone predict: says what a run would take on other numbers of processors. */
#include <glib/gi18n.h>

#include "approximating.h"
#include "command.h"
#include "report/format.h"
#include "lightcone/predict.h"
#include "open-history.h"
#include "report/output.h"
#include "recover.h"
#include "report/rows.h"
#include "trace/quantities.h"

enum
{
  MOST_PROCESSORS = 1 << 20,
};

static char *numbers, *timeline, *quantum_text, *format_name;
static char **rules_files;
static gboolean json, csv;

static const GOptionEntry options[] = {
    {"processes", 'p', 0, G_OPTION_ARG_STRING, &numbers,
     N_ ("Numbers of processors (default: 1, 2, 4 ... up to as many as could be used)"), N_ ("NUMBER,...")},
    {"timeline", 0, 0, G_OPTION_ARG_STRING, &timeline,
     N_ ("The run on this timeline (default: as approximated by the default model)"), N_ ("NAME")},
    {"quantum", 0, 0, G_OPTION_ARG_STRING, &quantum_text,
     N_ ("How long a process computes before it makes room for others (default: 3ms)"), N_ ("TIME")},
    {"format", 0, 0, G_OPTION_ARG_STRING, &format_name, N_ ("text, csv or json"), N_ ("FORMAT")},
    {"csv", 0, 0, G_OPTION_ARG_NONE, &csv, N_ ("For programs to read, as lines"), NULL},
    {"json", 0, 0, G_OPTION_ARG_NONE, &json, N_ ("For programs to read"), NULL},
    {"rules", 0, 0, G_OPTION_ARG_FILENAME_ARRAY, &rules_files, N_ ("Further rules, besides the built-in ones"),
     N_ ("FILE")},
    {NULL},
};

static const LcCommandLine line = {
    .name = "predict",
    .arguments = N_ ("DIR"),
    .description = N_ ("The run keeps its processes, and the order in which they wait for each other."),
    .options = options,
    .n_arguments = 1,
};

static const LcRowsColumn columns[] = {
    {"processors", N_ ("Processors"), LC_CELL_COUNT}, {"time", N_ ("Time"), LC_CELL_TIME},
    {"low", N_ ("At least"), LC_CELL_TIME},           {"high", N_ ("At most"), LC_CELL_TIME},
    {"speed_up", N_ ("Speed-up"), LC_CELL_REAL},      {"efficiency", N_ ("Efficiency"), LC_CELL_REAL},
};

/* --- Options ---------------------------------------------------------------------------------------------------- */

/* NULL: the user has been told. */
static GArray *
predict_parse_numbers (void)
{
  g_auto (GStrv) words = g_strsplit (numbers != NULL ? numbers : "", ",", -1);
  g_autoptr (GArray) result = g_array_new (FALSE, FALSE, sizeof (guint32));

  for (char **word = words; *word != NULL; word++)
    {
      guint64 number;
      guint32 small;

      if (!g_ascii_string_to_unsigned (*word, 10, 1, MOST_PROCESSORS, &number, NULL))
        {
          lc_complain (_ ("predict: --processes: “%s” is no number from 1 to %d"), *word, MOST_PROCESSORS);
          return NULL;
        }
      small = (guint32)number;
      g_array_append_val (result, small);
    }
  return g_steal_pointer (&result);
}

static gboolean
predict_parse_options (guint64 *quantum, LcFormat *format)
{
  *quantum = 0;
  if (quantum_text != NULL && (!lc_parse_time (quantum_text, quantum) || *quantum == 0))
    {
      lc_complain (_ ("predict: --quantum: “%s” is no time, as 3ms"), quantum_text);
      return FALSE;
    }
  if (format_name != NULL)
    return lc_format_parse (line.name, format_name, format);
  *format = json ? LC_FORMAT_JSON : csv ? LC_FORMAT_CSV : LC_FORMAT_TEXT;
  return TRUE;
}

/* --- Output ----------------------------------------------------------------------------------------------------- */

static void
predict_show_rows (const LcPrediction *prediction, guint64 alone, LcFormat format, LcJson *json_rows)
{
  LcRows *rows = lc_rows_begin (format, columns, G_N_ELEMENTS (columns), json_rows, "predicted");

  for (guint i = 0; i < prediction->predicted->len; i++)
    {
      const LcPredicted *predicted = &g_array_index (prediction->predicted, LcPredicted, i);
      double speed_up = (double)alone / (double)MAX (predicted->time, 1);

      lc_rows_add_count (rows, predicted->processors);
      lc_rows_add_count (rows, predicted->time);
      lc_rows_add_count (rows, predicted->low);
      lc_rows_add_count (rows, predicted->high);
      lc_rows_add_real (rows, speed_up);
      lc_rows_add_real (rows, speed_up / predicted->processors);
    }
  lc_rows_end (rows, 0);
}

static void
predict_print_head (const LcPrediction *prediction, const char *name)
{
  g_autofree char *printable = lc_format_text (name), *total = lc_format_duration (prediction->total);
  g_autofree char *work = lc_format_duration (prediction->work), *span = lc_format_duration (prediction->span);

  g_print (_ ("Timeline %s: %s. Its processes compute for %s together; with a processor for each it takes %s, and "
              "at most %u compute at a time.\n"),
           printable, total, work, span, prediction->most);
}

static void
predict_show_json (const LcPrediction *prediction, guint64 alone, const char *name)
{
  LcJson text = LC_JSON_INIT ();
  g_autofree char *finished = NULL;

  lc_json_begin_object (&text, NULL);
  lc_json_add_string (&text, "timeline", name);
  lc_json_add_count (&text, "total", prediction->total);
  lc_json_add_count (&text, "work", prediction->work);
  lc_json_add_count (&text, "span", prediction->span);
  lc_json_add_count (&text, "processes", prediction->processes);
  lc_json_add_count (&text, "most", prediction->most);
  predict_show_rows (prediction, alone, LC_FORMAT_JSON, &text);
  lc_json_end_object (&text);
  finished = lc_json_finish (&text);
  lc_output_write (finished, -1);
}

/* --- The command ------------------------------------------------------------------------------------------------ */

static LcHistory *
predict_open (const char *directory, gboolean quiet, guint32 *number, char **name, GError **error)
{
  const LcApproximateOptions how = {.model = LC_MODEL_EVENT, .rules = (const char *const *)rules_files};
  g_autoptr (LcApproximation) approximation = NULL;
  g_autoptr (LcHistory) history = NULL;

  if (timeline != NULL)
    {
      history = lc_open_history (directory, (const char *const *)rules_files, quiet, error);
      *name = g_strdup (timeline);
      return history != NULL && lc_find_timeline (history, timeline, number, error) ? g_steal_pointer (&history) : NULL;
    }
  approximation = lc_approximate_directory (directory, how, quiet, error);
  if (approximation == NULL)
    return NULL;
  *number = approximation->timeline;
  *name = g_strdup (approximation->name);
  return lc_open_approximated (directory, error);
}

/* The first simulation is of one processor, which all the others are compared with. */
static LcPrediction *
predict_ask (LcHistory *history, LcPredictOptions *how, const GArray *asked, guint64 *alone, GError **error)
{
  const guint32 one = 1;
  g_autoptr (LcPrediction) first = NULL;
  g_autoptr (GArray) some = g_array_new (FALSE, FALSE, sizeof (guint32));

  how->processors = &one;
  how->n_processors = 1;
  first = lc_predict (history, how, error);
  if (first == NULL)
    return NULL;
  *alone = g_array_index (first->predicted, LcPredicted, 0).time;
  for (guint32 n = 1; asked->len == 0 && n < 2 * MAX (first->most, 1); n *= 2)
    {
      guint32 number = MIN (n, MAX (first->most, 1));

      g_array_append_val (some, number);
    }
  if (asked->len == 0)
    asked = some;
  how->processors = &g_array_index (asked, guint32, 0);
  how->n_processors = asked->len;
  return lc_predict (history, how, error);
}

static gboolean
predict_directory (const char *directory, const GArray *asked, guint64 quantum, LcFormat format, GError **error)
{
  LcPredictOptions how = {.quantum = quantum};
  g_autofree char *name = NULL;
  g_autoptr (LcHistory) history = predict_open (directory, format != LC_FORMAT_TEXT, &how.timeline, &name, error);
  g_autoptr (LcPrediction) prediction = NULL;
  guint64 alone;

  if (history == NULL)
    return FALSE;
  prediction = predict_ask (history, &how, asked, &alone, error);
  if (prediction == NULL)
    return FALSE;
  if (format == LC_FORMAT_JSON)
    {
      predict_show_json (prediction, alone, name);
      return TRUE;
    }
  if (format == LC_FORMAT_TEXT)
    predict_print_head (prediction, name);
  predict_show_rows (prediction, alone, format, NULL);
  return TRUE;
}

int
lc_cmd_predict (int argc, char **argv)
{
  g_autoptr (GArray) asked = NULL;
  g_autoptr (GError) error = NULL;
  guint64 quantum;
  LcFormat format;

  if (!lc_command_parse (&line, &argc, &argv) || !predict_parse_options (&quantum, &format) ||
      (asked = predict_parse_numbers ()) == NULL)
    return LC_EXIT_UNUSABLE;
  lc_recover (argv[1]);
  if (predict_directory (argv[1], asked, quantum, format, &error))
    return LC_EXIT_GOOD;
  lc_complain ("%s", error->message);
  return LC_EXIT_UNUSABLE;
}
