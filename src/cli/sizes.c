/* SPDX-License-Identifier: Apache-2.0 */
/* Output of lightcone predict --sizes. */
#include "sizes.h"

#include <glib/gi18n.h>
#include <math.h>

#include "command.h"
#include "report/format.h"
#include "report/output.h"
#include "sizes-warnings.h"

static const LcRowsColumn run_columns[] = {
    {"size", N_ ("Size"), LC_CELL_COUNT}, {"trace", N_ ("Trace"), LC_CELL_TEXT},
    {"timeline", NULL, LC_CELL_TEXT},     {"processes", N_ ("Processes"), LC_CELL_COUNT},
    {"total", N_ ("Time"), LC_CELL_TIME}, {"work", N_ ("Computing"), LC_CELL_TIME},
    {"span", N_ ("Span"), LC_CELL_TIME},
};

static const LcRowsColumn part_columns[] = {
    {"processes", N_ ("Processes"), LC_CELL_TEXT}, {"operation", N_ ("Operation"), LC_CELL_TEXT},
    {"site", N_ ("Where"), LC_CELL_TEXT},          {"share", N_ ("Of the computing"), LC_CELL_PERCENT},
    {"events", N_ ("Events"), LC_CELL_TEXT},       {"computing", N_ ("Computing of each"), LC_CELL_TEXT},
    {"error", N_ ("Off by"), LC_CELL_PERCENT},     {"waiting", N_ ("Waiting of each"), LC_CELL_TEXT},
};

static const LcRowsColumn columns[] = {
    {"size", N_ ("Size"), LC_CELL_COUNT},
    {"processors", N_ ("Processors"), LC_CELL_COUNT},
    {"time", N_ ("Time"), LC_CELL_TIME},
    {"low", N_ ("Low"), LC_CELL_TIME},
    {"high", N_ ("High"), LC_CELL_TIME},
    {"work", N_ ("Computing"), LC_CELL_TIME},
    {"span", N_ ("Span"), LC_CELL_TIME},
    {"speed_up", N_ ("Speed-up"), LC_CELL_REAL},
    {"efficiency", N_ ("Efficiency"), LC_CELL_REAL},
};

static const LcRowsColumn tried_columns[] = {
    {"size", N_ ("Size"), LC_CELL_COUNT},   {"processors", N_ ("Processors"), LC_CELL_COUNT},
    {"time", N_ ("Time"), LC_CELL_TIME},    {"low", N_ ("Low"), LC_CELL_TIME},
    {"high", N_ ("High"), LC_CELL_TIME},    {"found", N_ ("Found"), LC_CELL_TIME},
    {"ratio", N_ ("Ratio"), LC_CELL_RATIO},
};

static guint64
sizes_round (double ns)
{
  return ns < 0x1p63 ? (guint64)(MAX (ns, 0) + 0.5) : G_GUINT64_CONSTANT (1) << 63;
}

static void
sizes_add_sized (LcRows *rows, const LcSized *sized)
{
  lc_rows_add_count (rows, sizes_round (sized->value));
  lc_rows_add_count (rows, sizes_round (sized->low));
  lc_rows_add_count (rows, sizes_round (sized->high));
}

/* --- Laws ------------------------------------------------------------------------------------------------------- */

/* Free with g_free. */
static char *
sizes_show_law (const LcGrowth *growth)
{
  static const char *const texts[] = {N_ ("constant"), "log n", "n", "n log n", "n²", "n³", NULL};

  if (!growth->is_known)
    return g_strdup (_ ("not known"));
  if (growth->law == LC_GROWTH_POWER)
    return g_strdup_printf ("n^%.2f", growth->exponent);
  return g_strdup (_ (texts[growth->law]));
}

static void
sizes_add_number (LcJson *json, const char *key, double value)
{
  char text[G_ASCII_DTOSTR_BUF_SIZE];

  lc_json_add_number (json, key, g_ascii_formatd (text, sizeof text, "%.9g", value));
}

static void
sizes_add_law (LcJson *json, const char *key, const LcGrowth *growth)
{
  static const char *const names[LC_GROWTH_LAWS] = {"constant", "log",  "linear", "linear-log",
                                                    "square",   "cube", "power"};

  lc_json_begin_object (json, key);
  lc_json_add_boolean (json, "is_known", growth->is_known);
  lc_json_add_string (json, "law", names[growth->law]);
  sizes_add_number (json, "constant", growth->constant);
  sizes_add_number (json, "factor", growth->factor);
  sizes_add_number (json, "exponent", growth->exponent);
  sizes_add_number (json, "error", growth->error);
  lc_json_begin_array (json, "plausible");
  for (guint law = 0; law < LC_GROWTH_LAWS; law++)
    if (growth->plausible & (1u << law))
      lc_json_add_string (json, NULL, names[law]);
  lc_json_end_array (json);
  lc_json_end_object (json);
}

/* --- Parts ------------------------------------------------------------------------------------------------------ */

typedef struct
{
  const LcSizesPart *part;
  const LcSizesLaws *laws;
} Line;

static int
sizes_compare_lines (gconstpointer a, gconstpointer b)
{
  const Line *one = a, *other = b;
  int order = (one->laws->work < other->laws->work) - (one->laws->work > other->laws->work);

  /* Parts with the same work stay in the order in which they were found. */
  return order != 0 ? order : (one->laws > other->laws) - (one->laws < other->laws);
}

static GArray *
sizes_list_lines (const LcSizesModel *model, double *work)
{
  GArray *lines = g_array_new (FALSE, FALSE, sizeof (Line));

  *work = 0;
  for (guint i = 0; i < model->sizes->parts->len; i++)
    {
      const Line line = {g_ptr_array_index (model->sizes->parts, i), &model->laws[i]};

      *work += line.laws->work;
      g_array_append_val (lines, line);
    }
  g_array_sort (lines, sizes_compare_lines);
  return lines;
}

static void
sizes_add_line (LcRows *rows, const Line *line, double work)
{
  g_autofree char *events = sizes_show_law (&line->laws->events);
  g_autofree char *computing = sizes_show_law (&line->laws->computing);
  g_autofree char *waiting = sizes_show_law (&line->laws->waiting);

  lc_rows_add_text (rows, line->part->processes);
  lc_rows_add_text (rows, line->part->operation);
  lc_rows_add_text (rows, line->part->site);
  lc_rows_add_real (rows, work > 0 ? 100 * line->laws->work / work : NAN);
  lc_rows_add_text (rows, events);
  lc_rows_add_text (rows, computing);
  lc_rows_add_real (rows, line->laws->computing.is_known ? 100 * line->laws->computing.error : NAN);
  lc_rows_add_text (rows, waiting);
}

static void
sizes_print_parts (const LcSizesModel *model, gsize limit)
{
  double work;
  g_autoptr (GArray) lines = sizes_list_lines (model, &work);
  LcRows *rows =
      lc_rows_begin_some (LC_FORMAT_TEXT, part_columns, G_N_ELEMENTS (part_columns), NULL, NULL, limit, NULL);
  const guint n = lc_rows_limit (rows, lines->len);

  for (guint i = 0; i < n; i++)
    sizes_add_line (rows, &g_array_index (lines, Line, i), work);
  lc_rows_end (rows, 0);
}

static void
sizes_add_amounts (LcJson *json, const LcSizesPart *part)
{
  lc_json_begin_array (json, "runs");
  for (guint i = 0; i < part->amounts->len; i++)
    {
      const LcSizesAmount *amount = &g_array_index (part->amounts, LcSizesAmount, i);

      lc_json_begin_object (json, NULL);
      lc_json_add_count (json, "events", amount->events);
      lc_json_add_count (json, "computing", amount->computing);
      lc_json_add_count (json, "waiting", amount->waiting);
      lc_json_add_count (json, "path_visits", amount->path_visits);
      lc_json_add_count (json, "path", amount->path);
      lc_json_end_object (json);
    }
  lc_json_end_array (json);
}

static void
sizes_add_parts (const LcSizesModel *model, LcJson *json, gsize limit)
{
  double work;
  g_autoptr (GArray) lines = sizes_list_lines (model, &work);

  lc_json_begin_array (json, "parts");
  for (guint i = 0; i < MIN (lines->len, limit); i++)
    {
      const Line *line = &g_array_index (lines, Line, i);

      lc_json_begin_object (json, NULL);
      lc_json_add_string (json, "processes", line->part->processes);
      lc_json_add_string (json, "operation", line->part->operation);
      lc_json_add_string (json, "class", line->part->class_name);
      if (line->part->site != NULL)
        lc_json_add_string (json, "site", line->part->site);
      else
        lc_json_add_null (json, "site");
      sizes_add_number (json, "share", work > 0 ? line->laws->work / work : 0);
      sizes_add_amounts (json, line->part);
      sizes_add_law (json, "events", &line->laws->events);
      sizes_add_law (json, "computing", &line->laws->computing);
      sizes_add_law (json, "waiting", &line->laws->waiting);
      sizes_add_law (json, "path_visits", &line->laws->visits);
      sizes_add_law (json, "path", &line->laws->path);
      lc_json_end_object (json);
    }
  lc_json_end_array (json);
  sizes_add_law (json, "work", &model->work);
  sizes_add_law (json, "span", &model->span);
}

/* --- Tables ----------------------------------------------------------------------------------------------------- */

static void
sizes_show_runs (const LcSizesShow *show, LcFormat format, LcJson *json)
{
  LcRows *rows = lc_rows_begin (format, run_columns, G_N_ELEMENTS (run_columns), json, "runs");

  for (guint i = 0; i < show->sizes->runs->len; i++)
    {
      const LcSizesRun *run = &g_array_index (show->sizes->runs, LcSizesRun, i);

      lc_rows_add_count (rows, sizes_round (run->size));
      lc_rows_add_text (rows, show->directories[i]);
      lc_rows_add_text (rows, g_ptr_array_index (show->timelines, i));
      lc_rows_add_count (rows, run->processes);
      lc_rows_add_count (rows, run->total);
      lc_rows_add_count (rows, run->work);
      lc_rows_add_count (rows, run->span);
    }
  lc_rows_end (rows, 0);
}

/* The first number of processors is 1, which all others are compared with. It is shown if it was asked for. */
static void
sizes_show_predicted (const LcSizesShow *show, const LcSizesModel *model, LcFormat format, LcJson *json)
{
  LcRows *rows = lc_rows_begin (format, columns, G_N_ELEMENTS (columns), json, "predicted");

  for (guint i = 0; i < show->targets->len; i++)
    {
      const double size = (double)g_array_index (show->targets, guint64, i);
      const LcSized work = lc_sizes_model_work (model, size), span = lc_sizes_model_span (model, size);
      const LcSized alone = lc_sizes_model_time (model, &work, &span, 0);

      for (guint k = 1; k < show->sizes->processors->len; k++)
        {
          const guint32 processors = g_array_index (show->sizes->processors, guint32, k);
          const LcSized time = lc_sizes_model_time (model, &work, &span, k);
          const double speed_up = alone.value / MAX (time.value, 1);

          lc_rows_add_count (rows, g_array_index (show->targets, guint64, i));
          lc_rows_add_count (rows, processors);
          sizes_add_sized (rows, &time);
          lc_rows_add_count (rows, sizes_round (work.value));
          lc_rows_add_count (rows, sizes_round (span.value));
          lc_rows_add_real (rows, speed_up);
          lc_rows_add_real (rows, speed_up / processors);
        }
    }
  lc_rows_end (rows, 0);
}

/* The mean of the runs of the largest size. */
static double
sizes_get_found (const LcSizesModel *model, guint index)
{
  double sum = 0;
  guint n = 0;

  for (guint i = 0; i < model->sizes->runs->len; i++)
    {
      const LcSizesRun *run = &g_array_index (model->sizes->runs, LcSizesRun, i);

      if (run->size < model->largest)
        continue;
      sum += (double)g_array_index (run->predicted, LcPredicted, index).time;
      n++;
    }
  return sum / MAX (n, 1);
}

/* The largest size is predicted from the smaller ones, if they suffice. */
static void
sizes_show_tried (const LcSizesShow *show, const LcSizesModel *model, LcFormat format, LcJson *json)
{
  g_autoptr (LcSizesModel) smaller = lc_sizes_model_new (show->sizes, model->largest);
  const LcSized work = lc_sizes_model_work (smaller, model->largest);
  const LcSized span = lc_sizes_model_span (smaller, model->largest);
  LcRows *rows;

  if (smaller->n_sizes < LC_GROWTH_LEAST_SIZES && format == LC_FORMAT_TEXT)
    return;
  if (format == LC_FORMAT_TEXT)
    g_print ("\n%s\n", _ ("Tried out: the largest size, predicted from the smaller ones, and what its run says"));
  rows = lc_rows_begin (format, tried_columns, G_N_ELEMENTS (tried_columns), json, "tried");
  for (guint k = 1; smaller->n_sizes >= LC_GROWTH_LEAST_SIZES && k < show->sizes->processors->len; k++)
    {
      const LcSized time = lc_sizes_model_time (smaller, &work, &span, k);
      const double found = sizes_get_found (model, k);

      lc_rows_add_count (rows, sizes_round (model->largest));
      lc_rows_add_count (rows, g_array_index (show->sizes->processors, guint32, k));
      sizes_add_sized (rows, &time);
      lc_rows_add_count (rows, sizes_round (found));
      lc_rows_add_real (rows, time.value / MAX (found, 1));
    }
  lc_rows_end (rows, 0);
}

/* --- All of it -------------------------------------------------------------------------------------------------- */

static void
sizes_show_json (const LcSizesShow *show, const LcSizesModel *model)
{
  LcJson text = LC_JSON_INIT ();
  g_autofree char *finished = NULL;

  lc_json_begin_object (&text, NULL);
  sizes_show_runs (show, LC_FORMAT_JSON, &text);
  sizes_add_parts (model, &text, show->limit);
  sizes_show_predicted (show, model, LC_FORMAT_JSON, &text);
  sizes_show_tried (show, model, LC_FORMAT_JSON, &text);
  lc_json_begin_array (&text, "warnings");
  lc_sizes_warn (model, show->targets, &text);
  lc_json_end_array (&text);
  lc_json_end_object (&text);
  finished = lc_json_finish (&text);
  lc_output_write (finished, -1);
}

static void
sizes_show_text (const LcSizesShow *show, const LcSizesModel *model)
{
  g_autofree char *work = sizes_show_law (&model->work), *span = sizes_show_law (&model->span);

  g_print ("%s\n", _ ("The runs"));
  sizes_show_runs (show, LC_FORMAT_TEXT, NULL);
  g_print ("\n%s\n", _ ("How the parts grow with the size n; of an event counts what is computed before it, too"));
  sizes_print_parts (model, show->limit);
  g_print ("\n");
  g_print (_ ("As wholes, the computing grows as %s and the span as %s.\n"), work, span);
  g_print ("\n%s\n", _ ("Predicted"));
  sizes_show_predicted (show, model, LC_FORMAT_TEXT, NULL);
  sizes_show_tried (show, model, LC_FORMAT_TEXT, NULL);
  lc_sizes_warn (model, show->targets, NULL);
}

void
lc_sizes_show (const LcSizesShow *show, LcFormat format)
{
  g_autoptr (LcSizesModel) model = lc_sizes_model_new (show->sizes, HUGE_VAL);

  if (format == LC_FORMAT_JSON)
    sizes_show_json (show, model);
  else if (format == LC_FORMAT_TEXT)
    sizes_show_text (show, model);
  else
    {
      sizes_show_predicted (show, model, format, NULL);
      lc_sizes_warn (model, show->targets, NULL);
    }
}
