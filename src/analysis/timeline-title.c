/* SPDX-License-Identifier: Apache-2.0 */
/* The titles of timelines: a what-if is called by what it asks, an approximation by its model. */
#include <glib/gi18n-lib.h>
#include <string.h>

#include "json-value.h"
#include "lightcone/laid-times.h"
#include "lightcone/what-if.h"
#include "trace/quantities.h"

#define UNNAMED "what-if" /* what commands and scripts call a what-if that is given no name */

static LcJsonValue *
timeline_title_parse (const LcHistoryTimeline *timeline)
{
  gsize offset;

  return timeline->parameters != NULL ? lc_json_value_parse (timeline->parameters, &offset) : NULL;
}

static const LcJsonValue *
timeline_title_get_scales (const LcJsonValue *parameters)
{
  const LcJsonValue *scales = parameters != NULL ? lc_json_value_get (parameters, "scales", LC_JSON_ARRAY) : NULL;

  return scales != NULL && scales->members->len > 0 ? scales : NULL;
}

/* Earlier versions did not keep the names of operations and objects. */
static char *
timeline_title_dup_subject (const LcJsonValue *scale)
{
  const char *text = lc_json_value_get_string (scale, "text"), *kind = lc_json_value_get_string (scale, "kind");
  const char *name = text[0] != '\0' ? text : lc_json_value_get_string (scale, "name");

  if (name[0] != '\0')
    return g_strdup (name);
  if (strcmp (kind, "communication") == 0)
    return g_strdup (kind);
  return g_strdup_printf ("%s %" G_GINT64_FORMAT, kind, lc_json_value_get_integer (scale, "id"));
}

static void
timeline_title_append (GString *list, const char *subject, const char *sign, double factor)
{
  char number[G_ASCII_DTOSTR_BUF_SIZE];

  g_ascii_formatd (number, sizeof number, "%.6g", factor);
  g_string_append_printf (list, "%s%s %s %s", list->len > 0 ? ", " : "", subject, sign, number);
}

char *
lc_what_if_dup_name (const LcScale *scales, gsize n_scales)
{
  GString *list = g_string_new (NULL);

  for (gsize i = 0; i < n_scales; i++)
    timeline_title_append (list, scales[i].name != NULL ? scales[i].name : "?", "x", scales[i].factor);
  return g_string_free (list, FALSE);
}

static char *
timeline_title_dup_list (const LcJsonValue *scales, const char *sign)
{
  GString *list = g_string_new (NULL);

  for (guint i = 0; i < scales->members->len; i++)
    {
      const LcJsonValue *scale = scales->members->pdata[i];
      const LcJsonValue *factor = lc_json_value_get (scale, "factor", LC_JSON_NUMBER);
      g_autofree char *subject = timeline_title_dup_subject (scale);

      timeline_title_append (list, subject, sign, factor != NULL ? g_ascii_strtod (factor->string, NULL) : 1);
    }
  return g_string_free (list, FALSE);
}

char *
lc_what_if_dup_question (const LcHistoryTimeline *timeline)
{
  g_autoptr (LcJsonValue) parameters = timeline_title_parse (timeline);
  const LcJsonValue *scales = timeline_title_get_scales (parameters);

  return scales != NULL ? timeline_title_dup_list (scales, "×") : NULL;
}

gboolean
lc_what_if_may_be_called (const GPtrArray *timelines, const char *name)
{
  if (strcmp (name, "measured") == 0)
    return FALSE;
  for (guint i = 0; i < timelines->len; i++)
    {
      const LcHistoryTimeline *timeline = timelines->pdata[i];
      g_autofree char *question = strcmp (timeline->name, name) == 0 ? lc_what_if_dup_question (timeline) : NULL;

      if (strcmp (timeline->name, name) == 0)
        return question != NULL;
    }
  return TRUE;
}

gboolean
lc_what_if_has_own_name (const LcHistoryTimeline *timeline, const char *question)
{
  g_auto (GStrv) parts = g_strsplit (question, "×", -1);
  g_autofree char *plain = g_strjoinv ("x", parts);

  return strcmp (timeline->name, UNNAMED) != 0 && strcmp (timeline->name, plain) != 0 &&
         strcmp (timeline->name, question) != 0;
}

char *
lc_timeline_dup_title (const LcHistoryTimeline *timeline)
{
  g_autofree char *question = NULL;

  if (timeline->id == LC_TIMELINE_MEASURED)
    return g_strdup (_ ("measured"));
  question = lc_what_if_dup_question (timeline);
  if (question == NULL)
    return g_strdup (timeline->name);
  if (!lc_what_if_has_own_name (timeline, question))
    return g_strdup_printf (_ ("what if: %s"), question);
  return g_strdup_printf (_ ("%s (what if: %s)"), timeline->name, question);
}

static gboolean
timeline_title_keeps_measurement (const LcHistoryTimeline *timeline)
{
  g_autoptr (LcJsonValue) parameters = timeline_title_parse (timeline);

  return parameters != NULL && lc_json_value_get (parameters, "keep_measurement", LC_JSON_TRUE) != NULL;
}

char *
lc_timeline_dup_label (const LcHistoryTimeline *timeline)
{
  g_autofree char *question = lc_what_if_dup_question (timeline), *title = lc_timeline_dup_title (timeline);
  g_autofree char *name = lc_format_text (title);

  if (timeline->model == NULL)
    return g_strdup (_ ("measured"));
  if (question != NULL)
    return timeline_title_keeps_measurement (timeline)
               ? g_strdup_printf (_ ("%s, %s model"), name, timeline->model)
               : g_strdup_printf (_ ("%s, %s model, without the measurement"), name, timeline->model);
  if (strcmp (timeline->model, LC_LAID_TIMES_MODEL) == 0)
    return g_strdup_printf (_ ("%s: times of the recorded run"), name);
  if (strcmp (timeline->name, timeline->model) == 0)
    return g_strdup_printf (_ ("approximated: %s model"), name);
  return g_strdup_printf (_ ("%s (approximated: %s model)"), name, timeline->model);
}
