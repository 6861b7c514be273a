/* SPDX-License-Identifier: Apache-2.0 */
/* The output of `lightcone validate`. Its keys and columns must never change. */
#include "validation.h"

#include <glib/gi18n.h>
#include <math.h>

#include "report/format.h"
#include "report/output.h"
#include "report/rows.h"
#include "spread.h"

enum
{
  FEWEST = 3,   /* undisturbed rounds: if there are fewer, all count */
  MEASURED = 0, /* the first timeline; then those of the models */
};

/* Of one process, or of the part, in all rounds. */
typedef struct
{
  char *path; /* NULL: the part */
  char *name;
  guint64 reference;  /* of the present round */
  GArray *references; /* double, ns; one for each round, NAN where it had no such process */
  GArray **ratios;    /* double, by timeline: the approximated time over the reference's */
  GArray **lengths;   /* double, ns, by timeline */
} Lengths;

/* The length that the whole run would have had, as a model says: GArrays of doubles, by round. */
typedef struct
{
  GArray *lows, *highs; /* over the reference's */
  GArray *held;         /* 1: the reference's run was as long as the interval says; 0: it was not */
} Interval;

/* All warnings of one kind. */
typedef struct
{
  char *kind;
  char *text; /* of the last round that had it, by the first model that did */
  guint rounds;
  guint last; /* the last round that had it, from 1 on */
} Warning;

struct _LcValidation
{
  LcValidationPlan plan;
  guint n_timelines;
  LcPart part;
  guint64 events;    /* of the last recorded run */
  GArray *disturbed; /* gboolean, by round */
  GArray *walls[LC_TURN_KINDS];
  GArray *wall_ratios[LC_TURN_KINDS]; /* to the bare run of the round */
  guint64 run;                        /* of the present round's reference, ns */
  GArray *runs;                       /* double: those of all rounds */
  Interval *intervals;                /* by model */
  Lengths whole;
  GPtrArray *processes; /* Lengths, in the order in which they were seen first */
  GHashTable *by_path;
  GPtrArray *warnings; /* Warning, each kind once */
};

/* --- Rounds ----------------------------------------------------------------------------------------------------- */

static void
lengths_init (Lengths *lengths, guint n_timelines)
{
  lengths->references = g_array_new (FALSE, FALSE, sizeof (double));
  lengths->ratios = g_new0 (GArray *, n_timelines);
  lengths->lengths = g_new0 (GArray *, n_timelines);
  for (guint i = 0; i < n_timelines; i++)
    {
      lengths->ratios[i] = g_array_new (FALSE, FALSE, sizeof (double));
      lengths->lengths[i] = g_array_new (FALSE, FALSE, sizeof (double));
    }
}

static void
lengths_clear (Lengths *lengths, guint n_timelines)
{
  for (guint i = 0; i < n_timelines; i++)
    {
      g_array_unref (lengths->ratios[i]);
      g_array_unref (lengths->lengths[i]);
    }
  g_array_unref (lengths->references);
  g_free (lengths->ratios);
  g_free (lengths->lengths);
  g_free (lengths->path);
  g_free (lengths->name);
}

static void
validation_free_warning (gpointer data)
{
  Warning *warning = data;

  g_free (warning->kind);
  g_free (warning->text);
  g_free (warning);
}

LcValidation *
lc_validation_new (const LcValidationPlan *plan)
{
  LcValidation *validation = g_new0 (LcValidation, 1);

  validation->plan = *plan;
  validation->n_timelines = 1 + plan->n_models;
  validation->disturbed = g_array_new (FALSE, FALSE, sizeof (gboolean));
  for (guint i = 0; i < LC_TURN_KINDS; i++)
    {
      validation->walls[i] = g_array_new (FALSE, FALSE, sizeof (double));
      validation->wall_ratios[i] = g_array_new (FALSE, FALSE, sizeof (double));
    }
  validation->runs = g_array_new (FALSE, FALSE, sizeof (double));
  validation->intervals = g_new0 (Interval, plan->n_models);
  for (guint i = 0; i < plan->n_models; i++)
    validation->intervals[i] =
        (Interval){g_array_new (FALSE, FALSE, sizeof (double)), g_array_new (FALSE, FALSE, sizeof (double)),
                   g_array_new (FALSE, FALSE, sizeof (double))};
  lengths_init (&validation->whole, validation->n_timelines);
  validation->processes = g_ptr_array_new ();
  validation->by_path = g_hash_table_new (g_str_hash, g_str_equal);
  validation->warnings = g_ptr_array_new_with_free_func (validation_free_warning);
  return validation;
}

void
lc_validation_free (LcValidation *validation)
{
  if (validation == NULL)
    return;
  for (guint i = 0; i < validation->processes->len; i++)
    {
      Lengths *lengths = g_ptr_array_index (validation->processes, i);

      lengths_clear (lengths, validation->n_timelines);
      g_free (lengths);
    }
  for (guint i = 0; i < LC_TURN_KINDS; i++)
    {
      g_array_unref (validation->walls[i]);
      g_array_unref (validation->wall_ratios[i]);
    }
  for (guint i = 0; i < validation->plan.n_models; i++)
    {
      g_array_unref (validation->intervals[i].lows);
      g_array_unref (validation->intervals[i].highs);
      g_array_unref (validation->intervals[i].held);
    }
  g_free (validation->intervals);
  g_array_unref (validation->runs);
  lengths_clear (&validation->whole, validation->n_timelines);
  g_hash_table_unref (validation->by_path);
  g_ptr_array_unref (validation->processes);
  g_ptr_array_unref (validation->warnings);
  g_array_unref (validation->disturbed);
  g_free (validation);
}

/* The value belongs to the present round, which is the last one of the array from now on. */
static void
validation_note (const LcValidation *validation, GArray *values, double value)
{
  const double nothing = NAN;

  while (values->len + 1 < validation->disturbed->len)
    g_array_append_val (values, nothing);
  if (values->len < validation->disturbed->len)
    g_array_append_val (values, value);
}

void
lc_validation_begin_round (LcValidation *validation, const LcTurn turns[LC_TURN_KINDS])
{
  gboolean disturbed = FALSE;

  for (guint i = 0; i < LC_TURN_KINDS; i++)
    disturbed |= turns[i].disturbed;
  g_array_append_val (validation->disturbed, disturbed);
  for (guint i = 0; i < LC_TURN_KINDS; i++)
    {
      validation_note (validation, validation->walls[i], (double)turns[i].wall);
      validation_note (validation, validation->wall_ratios[i],
                       (double)turns[i].wall / (double)MAX (turns[LC_TURN_BARE].wall, 1));
    }
  validation->whole.reference = 0;
  for (guint i = 0; i < validation->processes->len; i++)
    ((Lengths *)g_ptr_array_index (validation->processes, i))->reference = 0;
}

/* A process of a recorded run that no reference had is not compared. */
static Lengths *
validation_find_process (LcValidation *validation, const LcProcessLength *process, gboolean make)
{
  Lengths *lengths = g_hash_table_lookup (validation->by_path, process->path);

  if (lengths != NULL || !make)
    return lengths;
  lengths = g_new0 (Lengths, 1);
  lengths->path = g_strdup (process->path);
  lengths->name = g_strdup (process->name);
  lengths_init (lengths, validation->n_timelines);
  g_hash_table_insert (validation->by_path, lengths->path, lengths);
  g_ptr_array_add (validation->processes, lengths);
  return lengths;
}

static void
validation_note_reference (const LcValidation *validation, Lengths *lengths, guint64 length)
{
  lengths->reference = length;
  validation_note (validation, lengths->references, (double)length);
}

void
lc_validation_take_reference (LcValidation *validation, const LcLengths *lengths, guint64 run)
{
  validation->run = run;
  validation_note (validation, validation->runs, (double)run);
  validation->part = lengths->part;
  validation_note_reference (validation, &validation->whole, lengths->end - lengths->begin);
  for (guint i = 0; i < lengths->processes->len; i++)
    {
      const LcProcessLength *process = &g_array_index (lengths->processes, LcProcessLength, i);

      validation_note_reference (validation, validation_find_process (validation, process, TRUE), process->length);
    }
}

static void
validation_note_length (const LcValidation *validation, Lengths *lengths, guint timeline, guint64 length)
{
  if (lengths->reference == 0)
    return;
  validation_note (validation, lengths->lengths[timeline], (double)length);
  validation_note (validation, lengths->ratios[timeline], (double)length / (double)lengths->reference);
}

static void
validation_take (LcValidation *validation, guint timeline, const LcLengths *lengths)
{
  validation_note_length (validation, &validation->whole, timeline, lengths->end - lengths->begin);
  for (guint i = 0; i < lengths->processes->len; i++)
    {
      const LcProcessLength *process = &g_array_index (lengths->processes, LcProcessLength, i);
      Lengths *found = validation_find_process (validation, process, FALSE);

      if (found != NULL)
        validation_note_length (validation, found, timeline, process->length);
    }
}

void
lc_validation_take_measured (LcValidation *validation, const LcLengths *lengths, guint64 events)
{
  validation->events = events;
  validation_take (validation, MEASURED, lengths);
}

static Warning *
validation_find_warning (LcValidation *validation, const char *kind)
{
  Warning *warning;

  for (guint i = 0; i < validation->warnings->len; i++)
    {
      warning = g_ptr_array_index (validation->warnings, i);
      if (g_str_equal (warning->kind, kind))
        return warning;
    }
  warning = g_new0 (Warning, 1);
  warning->kind = g_strdup (kind);
  g_ptr_array_add (validation->warnings, warning);
  return warning;
}

/* Warnings of one kind differ from round to round in their figures; a round may have one of each model. */
static void
validation_take_warning (LcValidation *validation, const char *kind, const char *text)
{
  Warning *warning = validation_find_warning (validation, kind);

  if (warning->last == validation->disturbed->len)
    return;
  g_free (warning->text);
  warning->text = g_strdup (text);
  warning->rounds++;
  warning->last = validation->disturbed->len;
}

static void
validation_take_interval (const LcValidation *validation, const Interval *interval, guint64 low, guint64 high)
{
  const double run = (double)validation->run;

  if (low == LC_TRACE_UNKNOWN || high == LC_TRACE_UNKNOWN || validation->run == 0)
    return;
  validation_note (validation, interval->lows, (double)low / run);
  validation_note (validation, interval->highs, (double)high / run);
  validation_note (validation, interval->held, low <= validation->run && validation->run <= high ? 1 : 0);
}

void
lc_validation_take_approximated (LcValidation *validation, guint model, const LcLengths *lengths,
                                 const LcApproximation *approximation)
{
  validation_take (validation, 1 + model, lengths);
  validation_take_interval (validation, &validation->intervals[model], approximation->low, approximation->high);
  for (guint i = 0; i < approximation->warnings->len; i++)
    validation_take_warning (validation, g_ptr_array_index (approximation->warning_kinds, i),
                             g_ptr_array_index (approximation->warnings, i));
}

guint
lc_validation_count_undisturbed (const LcValidation *validation)
{
  guint count = 0;

  for (guint i = 0; i < validation->disturbed->len; i++)
    count += !g_array_index (validation->disturbed, gboolean, i);
  return count;
}

/* --- Figures ---------------------------------------------------------------------------------------------------- */

typedef struct
{
  LcSpread spread;
  double low, high; /* of the median */
  double confidence;
} Figure;

/* Of the rounds that count, those that have a value. */
static GArray *
validation_count_values (const LcValidation *validation, const GArray *values)
{
  const gboolean all = lc_validation_count_undisturbed (validation) < FEWEST;
  GArray *counted = g_array_new (FALSE, FALSE, sizeof (double));

  for (guint i = 0; i < values->len; i++)
    {
      double value = g_array_index (values, double, i);

      if (!isnan (value) && (all || !g_array_index (validation->disturbed, gboolean, i)))
        g_array_append_val (counted, value);
    }
  return counted;
}

static Figure
validation_find_figure (const LcValidation *validation, const GArray *values)
{
  g_autoptr (GArray) counted = validation_count_values (validation, values);
  Figure figure;

  figure.confidence = lc_spread_interval (counted, &figure.low, &figure.high);
  figure.spread = lc_spread_of (counted);
  return figure;
}

double
lc_validation_get_error (LcValidation *validation)
{
  return fabs (validation_find_figure (validation, validation->whole.ratios[1]).spread.median - 1);
}

static void
validation_add_time (LcRows *rows, const Figure *figure)
{
  if (figure->spread.count > 0)
    lc_rows_add_count (rows, (guint64)llround (figure->spread.median));
  else
    lc_rows_add_nothing (rows);
}

static void
validation_add_real (LcRows *rows, const Figure *figure, double value)
{
  lc_rows_add_real (rows, figure->spread.count > 0 ? value : NAN);
}

static void
validation_add_ratio (LcRows *rows, const Figure *ratio)
{
  validation_add_real (rows, ratio, ratio->spread.median);
  validation_add_real (rows, ratio, ratio->low);
  validation_add_real (rows, ratio, ratio->high);
}

/* Instead of a ratio. */
static void
validation_add_nothing (LcRows *rows)
{
  for (guint i = 0; i < 3; i++)
    lc_rows_add_nothing (rows);
}

/* --- Tables ----------------------------------------------------------------------------------------------------- */

static const char *const run_names[LC_TURN_KINDS] = {"bare", "reference", "recorded"};

static const LcRowsColumn run_columns[] = {
    {"run", N_ ("Whole run"), LC_CELL_TEXT},  {"time", N_ ("Time"), LC_CELL_TIME},
    {"ratio", N_ ("To bare"), LC_CELL_RATIO}, {"low", N_ ("From"), LC_CELL_RATIO},
    {"high", N_ ("To"), LC_CELL_RATIO},
};

static const LcRowsColumn timeline_columns[] = {
    {"timeline", N_ ("Part"), LC_CELL_TEXT},
    {"time", N_ ("Time"), LC_CELL_TIME},
    {"ratio", N_ ("To reference"), LC_CELL_RATIO},
    {"low", N_ ("From"), LC_CELL_RATIO},
    {"high", N_ ("To"), LC_CELL_RATIO},
};

static const LcRowsColumn interval_columns[] = {
    {"model", N_ ("Interval"), LC_CELL_TEXT},    {"low", N_ ("Low end"), LC_CELL_RATIO},
    {"high", N_ ("High end"), LC_CELL_RATIO},    {"held", N_ ("Held it in"), LC_CELL_COUNT},
    {"rounds", N_ ("Of rounds"), LC_CELL_COUNT},
};

static const LcRowsColumn process_columns[] = {
    {"path", NULL, LC_CELL_TEXT},
    {"name", N_ ("Process"), LC_CELL_TEXT},
    {"reference", N_ ("Reference"), LC_CELL_TIME},
    {"measured", N_ ("Measured"), LC_CELL_TIME},
    {"measured_ratio", N_ ("To reference"), LC_CELL_RATIO},
    {"approximated", N_ ("Approximated"), LC_CELL_TIME},
    {"ratio", N_ ("To reference"), LC_CELL_RATIO},
    {"low", N_ ("From"), LC_CELL_RATIO},
    {"high", N_ ("To"), LC_CELL_RATIO},
};

static const char *
validation_get_timeline (const LcValidation *validation, guint timeline)
{
  return timeline == MEASURED ? "measured" : lc_model_get_name (validation->plan.models[timeline - 1]);
}

static void
validation_show_runs (const LcValidation *validation, LcFormat format, LcJson *json)
{
  LcRows *rows = lc_rows_begin (format, run_columns, G_N_ELEMENTS (run_columns), json, "run");

  for (guint i = 0; i < LC_TURN_KINDS; i++)
    {
      const Figure wall = validation_find_figure (validation, validation->walls[i]);
      const Figure ratio = validation_find_figure (validation, validation->wall_ratios[i]);

      lc_rows_add_text (rows, run_names[i]);
      validation_add_time (rows, &wall);
      if (i != LC_TURN_BARE)
        validation_add_ratio (rows, &ratio);
      else
        validation_add_nothing (rows);
    }
  lc_rows_end (rows, 0);
}

static void
validation_show_timelines (const LcValidation *validation, LcFormat format, LcJson *json)
{
  const Figure reference = validation_find_figure (validation, validation->whole.references);
  LcRows *rows = lc_rows_begin (format, timeline_columns, G_N_ELEMENTS (timeline_columns), json, "timeline");

  lc_rows_add_text (rows, "reference");
  validation_add_time (rows, &reference);
  validation_add_nothing (rows);
  for (guint i = 0; i < validation->n_timelines; i++)
    {
      const Figure time = validation_find_figure (validation, validation->whole.lengths[i]);
      const Figure ratio = validation_find_figure (validation, validation->whole.ratios[i]);

      lc_rows_add_text (rows, validation_get_timeline (validation, i));
      validation_add_time (rows, &time);
      validation_add_ratio (rows, &ratio);
    }
  lc_rows_end (rows, 0);
}

/* Models that have told no interval are not there. */
static void
validation_show_intervals (const LcValidation *validation, LcFormat format, LcJson *json)
{
  LcRows *rows = lc_rows_begin (format, interval_columns, G_N_ELEMENTS (interval_columns), json, "interval");

  for (guint i = 0; i < validation->plan.n_models; i++)
    {
      const Interval *interval = &validation->intervals[i];
      g_autoptr (GArray) held = validation_count_values (validation, interval->held);
      guint64 count = 0;

      if (held->len == 0)
        continue;
      for (guint k = 0; k < held->len; k++)
        count += g_array_index (held, double, k) > 0;
      lc_rows_add_text (rows, lc_model_get_name (validation->plan.models[i]));
      lc_rows_add_real (rows, validation_find_figure (validation, interval->lows).spread.median);
      lc_rows_add_real (rows, validation_find_figure (validation, interval->highs).spread.median);
      lc_rows_add_count (rows, count);
      lc_rows_add_count (rows, held->len);
    }
  lc_rows_end (rows, 0);
}

static void
validation_show_processes (const LcValidation *validation, gsize limit, LcFormat format, LcJson *json)
{
  const guint shown = (guint)MIN (validation->processes->len, limit);
  LcRows *rows = lc_rows_begin (format, process_columns, G_N_ELEMENTS (process_columns), json, "process");

  for (guint i = 0; i < shown; i++)
    {
      const Lengths *process = g_ptr_array_index (validation->processes, i);
      const Figure reference = validation_find_figure (validation, process->references);
      const Figure measured = validation_find_figure (validation, process->lengths[MEASURED]);
      const Figure measured_ratio = validation_find_figure (validation, process->ratios[MEASURED]);
      const Figure time = validation_find_figure (validation, process->lengths[1]);
      const Figure ratio = validation_find_figure (validation, process->ratios[1]);

      lc_rows_add_text (rows, process->path);
      lc_rows_add_text (rows, process->name);
      validation_add_time (rows, &reference);
      validation_add_time (rows, &measured);
      validation_add_real (rows, &measured_ratio, measured_ratio.spread.median);
      validation_add_time (rows, &time);
      validation_add_ratio (rows, &ratio);
    }
  lc_rows_end (rows, validation->processes->len - shown);
}

/* --- The whole output ------------------------------------------------------------------------------------------- */

static const char *const part_names[] = {"run", "threads", "region"}; /* in the order of LcPart */

static void
validation_add_number (LcJson *json, const char *key, double number)
{
  char text[G_ASCII_DTOSTR_BUF_SIZE];

  lc_json_add_number (json, key, g_ascii_formatd (text, sizeof text, "%.4f", number));
}

/* Gives "The order of events matters: ... (in 5 of 7 rounds; this is from the last of them)". */
static char *
validation_dup_warning (const LcValidation *validation, guint number)
{
  const Warning *warning = g_ptr_array_index (validation->warnings, number);
  const guint rounds = validation->disturbed->len;

  if (rounds == 1)
    return g_strdup (warning->text);
  if (warning->rounds == 1)
    return g_strdup_printf (_ ("%s (in 1 of %u rounds)"), warning->text, rounds);
  return g_strdup_printf (_ ("%s (in %u of %u rounds; this is from the last of them)"), warning->text, warning->rounds,
                          rounds);
}

static void
validation_show_json (const LcValidation *validation, gsize limit)
{
  const Figure figure = validation_find_figure (validation, validation->whole.ratios[1]);
  LcJson json = LC_JSON_INIT ();
  g_autofree char *text = NULL;

  lc_json_begin_object (&json, NULL);
  lc_json_begin_array (&json, "command");
  for (char **word = validation->plan.command; *word != NULL; word++)
    lc_json_add_string (&json, NULL, *word);
  lc_json_end_array (&json);
  lc_json_add_string (&json, "part", part_names[validation->part]);
  lc_json_add_string (&json, "region", validation->part == LC_PART_REGION ? validation->plan.part : NULL);
  lc_json_add_count (&json, "rounds", validation->disturbed->len);
  lc_json_add_count (&json, "undisturbed", lc_validation_count_undisturbed (validation));
  lc_json_add_count (&json, "counted", figure.spread.count);
  validation_add_number (&json, "confidence", figure.confidence);
  lc_json_add_count (&json, "events", validation->events);
  validation_show_runs (validation, LC_FORMAT_JSON, &json);
  validation_show_timelines (validation, LC_FORMAT_JSON, &json);
  validation_show_intervals (validation, LC_FORMAT_JSON, &json);
  validation_show_processes (validation, limit, LC_FORMAT_JSON, &json);
  lc_json_begin_array (&json, "warnings");
  for (guint i = 0; i < validation->warnings->len; i++)
    {
      g_autofree char *warning = validation_dup_warning (validation, i);

      lc_json_add_string (&json, NULL, warning);
    }
  lc_json_end_array (&json);
  lc_json_end_object (&json);
  text = lc_json_finish (&json);
  lc_output_write (text, -1);
}

static void
validation_print_head (const LcValidation *validation)
{
  const guint rounds = validation->disturbed->len, good = lc_validation_count_undisturbed (validation);
  const Figure figure = validation_find_figure (validation, validation->whole.ratios[1]);
  g_autofree char *joined = g_strjoinv (" ", validation->plan.command), *command = lc_format_text (joined);
  g_autofree char *events = lc_format_count (validation->events);

  g_print ("%s\n\n", command);
  g_print (ngettext ("%u round of a bare, a reference and a recorded run; ",
                     "%u rounds of a bare, a reference and a recorded run; ", rounds),
           rounds);
  if (good == rounds)
    g_print (_ ("nothing disturbed them\n"));
  else if (good < FEWEST)
    g_print (_ ("%u were disturbed by other programs, and count all the same\n"), rounds - good);
  else
    g_print (_ ("%u were disturbed by other programs, and left out\n"), rounds - good);
  g_print (_ ("Medians, and where they are with a probability of %.0f %%; %s events\n"), 100 * figure.confidence,
           events);
}

static void
validation_print_part (const LcValidation *validation)
{
  g_autofree char *region = validation->plan.part != NULL ? lc_format_text (validation->plan.part) : NULL;

  if (validation->part == LC_PART_REGION)
    g_print (_ ("\nThe part: region %s\n"), region);
  else if (validation->part == LC_PART_THREADS)
    g_print (_ ("\nThe part: from the making of the first thread to the last join\n"));
  else
    g_print (_ ("\nThe part: the run\n"));
}

/* Told as shares of the reference, like all that is compared; the whole run is longer than the part. */
static void
validation_print_intervals (const LcValidation *validation)
{
  const Figure run = validation_find_figure (validation, validation->runs);
  g_autofree char *length = NULL;

  if (run.spread.count == 0)
    return;
  length = lc_format_duration ((guint64)llround (run.spread.median));
  g_print (_ ("\nThe interval for the whole run that each approximation tells, over the reference's run of the same "
              "round (%s from its begin on)\n"),
           length);
  validation_show_intervals (validation, LC_FORMAT_TEXT, NULL);
}

void
lc_validation_show (LcValidation *validation, gsize limit, gboolean json)
{
  if (json)
    {
      validation_show_json (validation, limit);
      return;
    }
  validation_print_head (validation);
  validation_show_runs (validation, LC_FORMAT_TEXT, NULL);
  validation_print_part (validation);
  validation_show_timelines (validation, LC_FORMAT_TEXT, NULL);
  validation_print_intervals (validation);
  validation_show_processes (validation, limit, LC_FORMAT_TEXT, NULL);
  for (guint i = 0; i < validation->warnings->len; i++)
    {
      g_autofree char *text = validation_dup_warning (validation, i), *warning = lc_format_text (text);

      g_print ("%s", i == 0 ? "\n" : "");
      g_print (_ ("Warning: %s\n"), warning);
    }
}
