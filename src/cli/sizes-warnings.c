/* SPDX-License-Identifier: Apache-2.0 */
/* Reasons why a prediction from runs of several sizes may be far off. */
#include "sizes-warnings.h"

#include <glib/gi18n.h>

#include "report/format.h"
#include "report/output.h"

/* Beyond these a prediction is told to be doubtful. */
enum
{
  FEW_SIZES = 4,
  NARROW = 2,    /* times the smallest size */
  FAR = 4,       /* times the largest size */
  AMBIGUOUS = 2, /* times the low end of the interval */
};

#define MUCH_UNKNOWN 0.01

/* Takes the text. */
static void
sizes_warn (LcJson *json, const char *kind, char *text)
{
  if (json != NULL)
    {
      lc_json_begin_object (json, NULL);
      lc_json_add_string (json, "kind", kind);
      lc_json_add_string (json, "text", text);
      lc_json_end_object (json);
    }
  else
    lc_complain ("%s", text);
  g_free (text);
}

static void
sizes_warn_of_runs (const LcSizesModel *model, LcJson *json)
{
  const GArray *runs = model->sizes->runs;
  gboolean is_same = TRUE;

  for (guint i = 1; i < runs->len; i++)
    is_same = is_same && g_array_index (runs, LcSizesRun, i).processes == g_array_index (runs, LcSizesRun, 0).processes;
  if (model->n_sizes < FEW_SIZES)
    sizes_warn (json, "few-sizes",
                g_strdup (_ ("predict: three sizes can hardly tell one law from another, and none is left to try them "
                             "out; record the program with a fourth size")));
  if (model->largest < NARROW * model->smallest)
    sizes_warn (json, "narrow-sizes",
                g_strdup (_ ("predict: the largest size is less than twice the smallest, so that laws look alike; "
                             "record the program with a smaller or larger one")));
  if (!is_same)
    sizes_warn (json, "processes",
                g_strdup (_ ("predict: the runs do not have equally many processes: what grows with those is taken to "
                             "grow with the size")));
  if (model->unknown > MUCH_UNKNOWN)
    sizes_warn (json, "unknown-parts",
                g_strdup_printf (_ ("predict: %.0f %% of the computing is in parts that occur at fewer than three "
                                    "sizes, and is taken for constant"),
                                 100 * model->unknown));
}

/* The widest interval of all numbers of processors. */
static double
sizes_get_width (const LcSizesModel *model, double size)
{
  const LcSized work = lc_sizes_model_work (model, size), span = lc_sizes_model_span (model, size);
  double width = 1;

  for (guint k = 0; k < model->sizes->processors->len; k++)
    {
      const LcSized time = lc_sizes_model_time (model, &work, &span, k);

      width = MAX (width, time.high / MAX (time.low, 1));
    }
  return width;
}

static void
sizes_warn_of_target (const LcSizesModel *model, guint64 target, LcJson *json)
{
  const double size = (double)target, width = sizes_get_width (model, size);
  g_autofree char *shown = lc_format_count (target);

  if (size > FAR * model->largest)
    sizes_warn (json, "far",
                g_strdup_printf (_ ("predict: size %s is more than four times the largest one that was run; what "
                                    "begins in between, as memory that no cache holds, is not known"),
                                 shown));
  if (size < model->smallest)
    sizes_warn (
        json, "below",
        g_strdup_printf (_ ("predict: size %s is below all that were run, where constant parts count most"), shown));
  if (width > AMBIGUOUS)
    sizes_warn (json, "ambiguous",
                g_strdup_printf (_ ("predict: at size %s, laws that fit about equally well differ up to %.1f times; "
                                    "record the program with more sizes, or larger ones"),
                                 shown, width));
}

void
lc_sizes_warn (const LcSizesModel *model, const GArray *targets, LcJson *json)
{
  sizes_warn_of_runs (model, json);
  for (guint i = 0; i < targets->len; i++)
    sizes_warn_of_target (model, g_array_index (targets, guint64, i), json);
}
