/* SPDX-License-Identifier: Apache-2.0 */
/* lightcone predict: says what a run would take on other numbers of processors. */
#include <glib/gi18n.h>

#include "approximating.h"
#include "command.h"
#include "report/format.h"
#include "lightcone/predict.h"
#include "draw/options/find-named.h"
#include "open-history.h"
#include "progress.h"
#include "report/output.h"
#include "recover.h"
#include "report/rows.h"
#include "sizes.h"
#include "trace/quantities.h"

enum
{
  MOST_PROCESSORS = 1 << 20,
  MOST_RUNS = 1024,
  LINES = 12, /* lines of parts for people, without --limit */
};

/* All sizes up to this one are numbers that can be computed with exactly. */
#define MOST_SIZE (G_GUINT64_CONSTANT (1) << 53)

static char *numbers, *timeline, *quantum_text, *format_name, *sizes_text, *targets_text;
static char **rules_files;
static gboolean json, csv;
static int limit = -1;

static const GOptionEntry options[] = {
    {"processes", 'p', 0, G_OPTION_ARG_STRING, &numbers,
     N_ ("Numbers of processors (default: 1, 2, 4 ... up to as many as could be used)"), N_ ("NUMBER,...")},
    {"timeline", 0, 0, G_OPTION_ARG_STRING, &timeline,
     N_ ("The run on this timeline (default: as approximated by the model event)"), N_ ("NAME")},
    {"quantum", 0, 0, G_OPTION_ARG_STRING, &quantum_text,
     N_ ("How long a process computes before it makes room for others (default: 3ms)"), N_ ("TIME")},
    {"sizes", 0, 0, G_OPTION_ARG_STRING, &sizes_text,
     N_ ("Sizes of the inputs of the runs DIR..., in their order, of which the growth is found"), N_ ("NUMBER,...")},
    {"for", 0, 0, G_OPTION_ARG_STRING, &targets_text, N_ ("With --sizes: predict runs with inputs of these sizes"),
     N_ ("NUMBER,...")},
    {"limit", 0, 0, G_OPTION_ARG_CALLBACK, lc_command_take_number,
     N_ ("With --sizes: at most so many parts of the run"), N_ ("NUMBER")},
    {"format", 0, 0, G_OPTION_ARG_STRING, &format_name, N_ ("text, csv or json"), N_ ("FORMAT")},
    {"csv", 0, 0, G_OPTION_ARG_NONE, &csv, N_ ("For programs to read, as lines"), NULL},
    {"json", 0, 0, G_OPTION_ARG_NONE, &json, N_ ("For programs to read"), NULL},
    {"rules", 0, 0, G_OPTION_ARG_FILENAME_ARRAY, &rules_files, N_ ("Further rules, besides the built-in ones"),
     N_ ("FILE")},
    {NULL},
};

static const LcCommandNumber limits[] = {
    {"limit", 0, LC_COMMAND_ANY, .integer = &limit},
    {NULL},
};

static const LcCommandLine line = {
    .name = "predict",
    .arguments = N_ ("DIR..."),
    .description = N_ ("The run keeps its processes, and the order in which they wait for each other. From runs of\n"
                       "three or more sizes also larger ones are predicted: --sizes 100,200,400 A B C --for 800"),
    .options = options,
    .numbers = limits,
    .n_arguments = 1,
    .n_optional = MOST_RUNS - 1,
};

static const LcRowsColumn columns[] = {
    {"processors", N_ ("Processors"), LC_CELL_COUNT}, {"time", N_ ("Time"), LC_CELL_TIME},
    {"low", N_ ("At least"), LC_CELL_TIME},           {"high", N_ ("At most"), LC_CELL_TIME},
    {"speed_up", N_ ("Speed-up"), LC_CELL_REAL},      {"efficiency", N_ ("Efficiency"), LC_CELL_REAL},
};

/* --- Options ---------------------------------------------------------------------------------------------------- */

/* Parses a list of guint64. NULL: the user has been told. */
static GArray *
predict_parse_numbers (const char *option, const char *text, guint64 most)
{
  g_auto (GStrv) words = g_strsplit (text != NULL ? text : "", ",", -1);
  g_autoptr (GArray) result = g_array_new (FALSE, FALSE, sizeof (guint64));

  for (char **word = words; *word != NULL; word++)
    {
      guint64 number;

      if (!g_ascii_string_to_unsigned (*word, 10, 1, most, &number, NULL))
        {
          g_autofree char *shown = g_strdup_printf ("%" G_GUINT64_FORMAT, most);

          lc_complain (_ ("predict: %s: “%s” is no number from 1 to %s"), option, *word, shown);
          return NULL;
        }
      g_array_append_val (result, number);
    }
  return g_steal_pointer (&result);
}

/* Parses a list of guint32. */
static GArray *
predict_parse_processors (void)
{
  g_autoptr (GArray) parsed = predict_parse_numbers ("--processes", numbers, MOST_PROCESSORS);
  g_autoptr (GArray) result = NULL;

  if (parsed == NULL)
    return NULL;
  result = g_array_new (FALSE, FALSE, sizeof (guint32));
  for (guint i = 0; i < parsed->len; i++)
    {
      const guint32 number = (guint32)g_array_index (parsed, guint64, i);

      g_array_append_val (result, number);
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

/* --- One run ---------------------------------------------------------------------------------------------------- */

static LcHistory *
predict_open (const char *directory, gboolean quiet, guint32 *number, char **name, GError **error)
{
  const LcApproximateOptions how = {.model = LC_MODEL_EVENT, .reuse = TRUE, .rules = (const char *const *)rules_files};
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

/* Simulates with a line of progress. */
static LcPrediction *
predict_with_progress (LcHistory *history, LcPredictOptions how, gboolean quiet, GError **error)
{
  LcProgress progress;
  LcPrediction *prediction;

  how.report = lc_progress_begin (&progress, _ ("predicting"), quiet);
  how.data = &progress;
  prediction = lc_predict (history, &how, error);
  lc_progress_end (&progress);
  return prediction;
}

/* All times are compared with that on one processor, which is predicted even if nobody asks for it. */
static LcPrediction *
predict_ask (LcHistory *history, LcPredictOptions how, const GArray *asked, gboolean quiet, guint64 *alone,
             GError **error)
{
  const guint32 one = 1;
  g_autoptr (GArray) processors = g_array_copy ((GArray *)asked);
  LcPrediction *prediction;

  g_array_append_val (processors, one);
  how.usual = asked->len == 0;
  how.processors = &g_array_index (processors, guint32, 0);
  how.n_processors = processors->len;
  prediction = predict_with_progress (history, how, quiet, error);
  if (prediction == NULL)
    return NULL;
  *alone = g_array_index (prediction->predicted, LcPredicted, asked->len).time;
  if (!how.usual)
    g_array_set_size (prediction->predicted, asked->len);
  return prediction;
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
  prediction = predict_ask (history, how, asked, format != LC_FORMAT_TEXT, &alone, error);
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

/* --- Runs of several sizes -------------------------------------------------------------------------------------- */

/* The runs that a prediction is made from, and what of. */
typedef struct
{
  char **directories;
  guint n;
  const GArray *of;      /* guint64: their sizes */
  const GArray *targets; /* guint64 */
  GArray *processors;    /* guint32 */
  guint64 quantum;
} Series;

static gboolean
predict_check_series (const Series *series)
{
  g_autoptr (GHashTable) different = g_hash_table_new (g_int64_hash, g_int64_equal);

  for (guint i = 0; i < series->of->len; i++)
    g_hash_table_add (different, &g_array_index (series->of, guint64, i));
  if (series->n != series->of->len)
    lc_complain (_ ("predict: --sizes has %u sizes for %u traces; each trace must have one"), series->of->len,
                 series->n);
  else if (g_hash_table_size (different) < LC_GROWTH_LEAST_SIZES)
    lc_complain (_ ("predict: --sizes: runs of three different sizes or more are needed to find how they grow"));
  else if (series->targets->len == 0)
    lc_complain (_ ("predict: --sizes needs --for, the sizes to predict (see lightcone help predict)"));
  else
    return TRUE;
  return FALSE;
}

static guint
predict_find_largest (const GArray *of)
{
  guint largest = 0;

  for (guint i = 1; i < of->len; i++)
    if (g_array_index (of, guint64, i) > g_array_index (of, guint64, largest))
      largest = i;
  return largest;
}

/* The largest run says how many processors could be used. */
static gboolean
predict_choose_processors (Series *series, gboolean quiet, GError **error)
{
  LcPredictOptions how = {.quantum = series->quantum};
  g_autofree char *name = NULL;
  g_autoptr (LcHistory) history = NULL;
  g_autoptr (LcPrediction) prediction = NULL;

  if (series->processors->len > 0)
    return TRUE;
  history = predict_open (series->directories[predict_find_largest (series->of)], quiet, &how.timeline, &name, error);
  if (history == NULL || (prediction = predict_with_progress (history, how, quiet, error)) == NULL)
    return FALSE;
  g_array_unref (series->processors);
  series->processors = lc_predict_list_processors (prediction->most);
  return TRUE;
}

static gboolean
predict_series (Series *series, LcFormat format, GError **error)
{
  const gboolean quiet = format != LC_FORMAT_TEXT;
  g_autoptr (GPtrArray) timelines = g_ptr_array_new_with_free_func (g_free);
  g_autoptr (LcSizes) sizes = NULL;
  LcSizesShow show = {.directories = (const char *const *)series->directories,
                      .timelines = timelines,
                      .targets = series->targets,
                      .limit = limit >= 0                 ? (gsize)limit
                               : format == LC_FORMAT_TEXT ? LINES
                                                          : G_MAXSIZE};

  if (!predict_choose_processors (series, quiet, error))
    return FALSE;
  show.sizes = sizes =
      lc_sizes_new (&g_array_index (series->processors, guint32, 0), series->processors->len, series->quantum);
  for (guint i = 0; i < series->n; i++)
    {
      g_autoptr (LcHistory) history = NULL;
      guint32 number;
      char *name = NULL;

      history = predict_open (series->directories[i], quiet, &number, &name, error);
      g_ptr_array_add (timelines, name);
      if (history == NULL ||
          !lc_sizes_add (sizes, (double)g_array_index (series->of, guint64, i), history, number, NULL, error))
        return FALSE;
    }
  lc_sizes_show (&show, format);
  return TRUE;
}

/* --- The command ------------------------------------------------------------------------------------------------ */

/* FALSE: the user has been told. */
static gboolean
predict_check_usage (int argc, char **argv)
{
  if (sizes_text == NULL && (targets_text != NULL || limit >= 0))
    lc_complain (_ ("predict: --for and --limit go with --sizes (see lightcone help predict)"));
  else if (sizes_text == NULL && argc > 2)
    lc_complain (_ ("predict: “%s” is one trace too many, unless --sizes tells the sizes of all"), argv[2]);
  else
    return TRUE;
  return FALSE;
}

static gboolean
predict_all (int argc, char **argv, GArray **processors, guint64 quantum, LcFormat format, GError **error)
{
  g_autoptr (GArray) of = predict_parse_numbers ("--sizes", sizes_text, MOST_SIZE);
  g_autoptr (GArray) targets = predict_parse_numbers ("--for", targets_text, MOST_SIZE);
  Series series = {argv + 1, (guint)argc - 1, of, targets, *processors, quantum};
  gboolean good;

  if (of == NULL || targets == NULL || (sizes_text != NULL && !predict_check_series (&series)))
    return FALSE;
  for (int i = 1; i < argc; i++)
    lc_recover (argv[i]);
  if (sizes_text == NULL)
    return predict_directory (argv[1], *processors, quantum, format, error);
  good = predict_series (&series, format, error);
  *processors = series.processors;
  return good;
}

int
lc_cmd_predict (int argc, char **argv)
{
  g_autoptr (GArray) asked = NULL;
  g_autoptr (GError) error = NULL;
  guint64 quantum;
  LcFormat format;

  if (!lc_command_parse (&line, &argc, &argv) || !predict_check_usage (argc, argv) ||
      !predict_parse_options (&quantum, &format) || (asked = predict_parse_processors ()) == NULL)
    return LC_EXIT_UNUSABLE;
  if (predict_all (argc, argv, &asked, quantum, format, &error))
    return LC_EXIT_GOOD;
  if (error != NULL)
    lc_complain ("%s", error->message);
  return LC_EXIT_UNUSABLE;
}
