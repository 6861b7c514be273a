/* SPDX-License-Identifier: Apache-2.0 */
/* The data of a sheet, checked: it comes from a script, or from another process. */
#include "lightcone/sheet.h"

#include <glib/gi18n-lib.h>
#include <math.h>

enum
{
  MOST_MARKS = 200000,
  MOST_PLACES = 1000000,
  MOST_SERIES = 1000,
  MOST_NAMES = 100000,
  MOST_NOTES = 20,
};

struct _LcSheet
{
  GVariant *data; /* texts point into it */
  const char *description;
  LcSheetAxis axes[2]; /* x, y */
  const char *ramp[3]; /* title, lowest, highest */
  const char **notes;
  GArray *series; /* LcSheetSeries */
  GArray *marks;  /* LcSheetMark */
  GArray *places; /* LcPlace */
};

static const struct
{
  const char *name;
  gsize least, most; /* places */
} shapes[LC_SHEET_SHAPES] = {
    [LC_SHEET_RECTANGLE] = {"rectangle", 2, 2},
    [LC_SHEET_LINE] = {"line", 2, MOST_PLACES},
    [LC_SHEET_POLYGON] = {"polygon", 3, MOST_PLACES},
    [LC_SHEET_POINT] = {"point", 1, 1},
    [LC_SHEET_TEXT] = {"text", 1, 2},
};

void
lc_sheet_free (LcSheet *sheet)
{
  if (sheet == NULL)
    return;
  g_clear_pointer (&sheet->series, g_array_unref);
  g_clear_pointer (&sheet->marks, g_array_unref);
  g_clear_pointer (&sheet->places, g_array_unref);
  g_free (sheet->axes[0].names);
  g_free (sheet->axes[1].names);
  g_free (sheet->notes);
  g_clear_pointer (&sheet->data, g_variant_unref);
  g_free (sheet);
}

G_GNUC_PRINTF (2, 3)
static gboolean
sheet_fail (GError **error, const char *format, ...)
{
  va_list arguments;

  va_start (arguments, format);
  g_propagate_error (error, g_error_new_valist (LC_PICTURE_ERROR, LC_PICTURE_ERROR_OPTION, format, arguments));
  va_end (arguments);
  return FALSE;
}

static gboolean
sheet_read_axis (LcSheet *sheet, guint which, GError **error)
{
  LcSheetAxis *axis = &sheet->axes[which];
  g_autoptr (GVariant) data = g_variant_get_child_value (sheet->data, 2 + which);
  g_autoptr (GVariant) names = g_variant_get_child_value (data, 4);
  gsize n_names;
  guint32 scale;

  g_variant_get_child (data, 0, "&s", &axis->title);
  g_variant_get_child (data, 1, "u", &scale);
  g_variant_get_child (data, 2, "d", &axis->from);
  g_variant_get_child (data, 3, "d", &axis->to);
  axis->names = g_variant_get_strv (names, &n_names);
  if (scale >= LC_SHEET_SCALES || n_names > MOST_NAMES || !isfinite (axis->from) || !isfinite (axis->to))
    return sheet_fail (error, _ ("the axis %s is none: its numbers are not finite, or it has too many names"),
                       which == 0 ? "x" : "y");
  if (scale == LC_SHEET_NAMES && n_names == 0)
    return sheet_fail (error, _ ("the axis %s has no names"), which == 0 ? "x" : "y");
  axis->scale = (LcSheetScale)scale;
  axis->n_names = (guint)n_names;
  return TRUE;
}

static gboolean
sheet_read_series (LcSheet *sheet, GError **error)
{
  g_autoptr (GVariant) data = g_variant_get_child_value (sheet->data, 6);

  if (g_variant_n_children (data) > MOST_SERIES)
    return sheet_fail (error, _ ("there are more than %d series: sum some of them up"), MOST_SERIES);
  for (gsize i = 0; i < g_variant_n_children (data); i++)
    {
      LcSheetSeries series;
      guint32 shape;

      g_variant_get_child (data, i, "(&su)", &series.name, &shape);
      if (shape >= LC_SHEET_SHAPES)
        return sheet_fail (error, _ ("series %u is of no shape"), (guint)i);
      series.shape = (LcSheetShape)shape;
      g_array_append_val (sheet->series, series);
    }
  return TRUE;
}

/* Checks one mark, and takes its places. */
static gboolean
sheet_add_mark (LcSheet *sheet, LcSheetMark *mark, guint32 shape, GVariant *coordinates, GError **error)
{
  gsize n_numbers;
  const double *numbers = g_variant_get_fixed_array (coordinates, &n_numbers, sizeof (double));
  guint number = sheet->marks->len;

  if (shape >= LC_SHEET_SHAPES)
    return sheet_fail (error, _ ("mark %u is of no shape"), number);
  mark->shape = (LcSheetShape)shape;
  mark->n_places = n_numbers / 2;
  mark->first = sheet->places->len;
  if (n_numbers % 2 != 0 || mark->n_places < shapes[shape].least || mark->n_places > shapes[shape].most)
    return sheet_fail (error, _ ("mark %u, a %s, has %u coordinates"), number, shapes[shape].name, (guint)n_numbers);
  if (mark->series != LC_SHEET_NO_SERIES && mark->series >= sheet->series->len)
    return sheet_fail (error, _ ("mark %u is of a series that is not there"), number);
  if (mark->n_places > MOST_PLACES - sheet->places->len)
    return sheet_fail (error, _ ("the marks have more than %d places: sum some of them up, for example by window"),
                       MOST_PLACES);
  for (gsize i = 0; i < n_numbers; i++)
    if (!isfinite (numbers[i]))
      return sheet_fail (error, _ ("mark %u, a %s, has a coordinate that is not finite"), number, shapes[shape].name);
  if (!isfinite (mark->amount))
    return sheet_fail (error, _ ("mark %u, a %s, has an amount that is not finite"), number, shapes[shape].name);
  for (gsize i = 0; i < mark->n_places; i++)
    g_array_append_val (sheet->places, ((LcPlace){numbers[2 * i], numbers[2 * i + 1]}));
  g_array_append_val (sheet->marks, *mark);
  return TRUE;
}

static gboolean
sheet_read_marks (LcSheet *sheet, GError **error)
{
  g_autoptr (GVariant) data = g_variant_get_child_value (sheet->data, 7);

  if (g_variant_n_children (data) > MOST_MARKS)
    return sheet_fail (error, _ ("there are more than %d marks: sum some of them up, for example by window"),
                       MOST_MARKS);
  for (gsize i = 0; i < g_variant_n_children (data); i++)
    {
      g_autoptr (GVariant) one = g_variant_get_child_value (data, i);
      g_autoptr (GVariant) coordinates = g_variant_get_child_value (one, 6);
      LcSheetMark mark = {.shape = LC_SHEET_RECTANGLE};
      guint32 shape;

      g_variant_get_child (one, 0, "u", &shape);
      g_variant_get_child (one, 1, "u", &mark.series);
      g_variant_get_child (one, 2, "d", &mark.amount);
      g_variant_get_child (one, 3, "&s", &mark.text);
      g_variant_get_child (one, 4, "u", &mark.process);
      g_variant_get_child (one, 5, "t", &mark.ordinal);
      if (!sheet_add_mark (sheet, &mark, shape, coordinates, error))
        return FALSE;
    }
  return TRUE;
}

static gboolean
sheet_read_texts (LcSheet *sheet, GError **error)
{
  g_autoptr (GVariant) ramp = g_variant_get_child_value (sheet->data, 4);
  g_autoptr (GVariant) notes = g_variant_get_child_value (sheet->data, 5);
  gsize n_notes;

  g_variant_get_child (sheet->data, 1, "&s", &sheet->description);
  for (gsize i = 0; i < G_N_ELEMENTS (sheet->ramp); i++)
    g_variant_get_child (ramp, i, "&s", &sheet->ramp[i]);
  sheet->notes = g_variant_get_strv (notes, &n_notes);
  return n_notes <= MOST_NOTES || sheet_fail (error, _ ("there are more than %d notes"), MOST_NOTES);
}

LcSheet *
lc_sheet_new (GVariant *data, GError **error)
{
  g_autoptr (LcSheet) sheet = g_new0 (LcSheet, 1);

  if (!g_variant_is_of_type (data, G_VARIANT_TYPE (LC_SHEET_TYPE)))
    {
      sheet_fail (error, _ ("this is no sheet"));
      return NULL;
    }
  /* A serialized copy keeps all texts where they are, as long as it is there. */
  g_variant_get_data (data);
  sheet->data = g_variant_ref_sink (data);
  sheet->series = g_array_new (FALSE, FALSE, sizeof (LcSheetSeries));
  sheet->marks = g_array_new (FALSE, FALSE, sizeof (LcSheetMark));
  sheet->places = g_array_new (FALSE, FALSE, sizeof (LcPlace));
  return sheet_read_axis (sheet, 0, error) && sheet_read_axis (sheet, 1, error) && sheet_read_texts (sheet, error) &&
                 sheet_read_series (sheet, error) && sheet_read_marks (sheet, error)
             ? g_steal_pointer (&sheet)
             : NULL;
}

const char *
lc_sheet_get_description (const LcSheet *sheet)
{
  return sheet->description;
}

const LcSheetAxis *
lc_sheet_get_axis (const LcSheet *sheet, gboolean upright)
{
  return &sheet->axes[upright ? 1 : 0];
}

gboolean
lc_sheet_get_ramp (const LcSheet *sheet, const char **title, const char **lowest, const char **highest)
{
  *title = sheet->ramp[0];
  *lowest = sheet->ramp[1];
  *highest = sheet->ramp[2];
  return (*title)[0] != '\0';
}

const char *const *
lc_sheet_get_notes (const LcSheet *sheet)
{
  return sheet->notes;
}

const LcSheetSeries *
lc_sheet_get_series (const LcSheet *sheet, guint *n_series)
{
  *n_series = sheet->series->len;
  return (const LcSheetSeries *)(void *)sheet->series->data;
}

const LcSheetMark *
lc_sheet_get_marks (const LcSheet *sheet, gsize *n_marks)
{
  *n_marks = sheet->marks->len;
  return (const LcSheetMark *)(void *)sheet->marks->data;
}

const LcPlace *
lc_sheet_get_places (const LcSheet *sheet, const LcSheetMark *mark)
{
  return &g_array_index (sheet->places, LcPlace, mark->first);
}
