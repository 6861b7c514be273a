/* SPDX-License-Identifier: Apache-2.0 */
/* Approximations and what-ifs: they add a timeline to the history and give what they found. */
#include <glib/gi18n.h>
#include <string.h>

#include "lightcone/approximate.h"
#include "script-private.h"

#define FIELD(type, member, kind) \
  { \
#member, offsetof(type, member), kind \
  }

static const LcScriptField approximation_fields[] = {
    FIELD (LcApproximation, timeline, LC_FIELD_U32),       FIELD (LcApproximation, name, LC_FIELD_TEXT),
    FIELD (LcApproximation, measured_total, LC_FIELD_U64), FIELD (LcApproximation, approximated_total, LC_FIELD_U64),
    FIELD (LcApproximation, events, LC_FIELD_U64),         FIELD (LcApproximation, moved, LC_FIELD_U64),
    FIELD (LcApproximation, gained, LC_FIELD_U64),         FIELD (LcApproximation, lost, LC_FIELD_U64),
    FIELD (LcApproximation, reordered, LC_FIELD_U64),      FIELD (LcApproximation, clamped, LC_FIELD_U64),
    FIELD (LcApproximation, removed, LC_FIELD_U64),
};

static const LcScriptField process_fields[] = {
    FIELD (LcApproximatedProcess, process, LC_FIELD_U32),
    FIELD (LcApproximatedProcess, measured_begin, LC_FIELD_U64),
    FIELD (LcApproximatedProcess, measured_end, LC_FIELD_U64),
    FIELD (LcApproximatedProcess, measured_waiting, LC_FIELD_U64),
    FIELD (LcApproximatedProcess, begin, LC_FIELD_U64),
    FIELD (LcApproximatedProcess, end, LC_FIELD_U64),
    FIELD (LcApproximatedProcess, waiting, LC_FIELD_U64),
    FIELD (LcApproximatedProcess, removed, LC_FIELD_U64),
    FIELD (LcApproximatedProcess, events, LC_FIELD_U64),
    FIELD (LcApproximatedProcess, moved, LC_FIELD_U64),
};

static SCM
approximations_take (LcApproximation *approximation)
{
  SCM values, warnings = SCM_EOL;

  for (guint i = approximation->warnings->len; i-- > 0;)
    warnings = scm_cons (lc_script_from_text (approximation->warnings->pdata[i]), warnings);
  values = lc_script_from_named (approximation, approximation_fields, G_N_ELEMENTS (approximation_fields));
  values = scm_append (scm_list_2 (
      values,
      scm_list_3 (
          scm_cons (scm_from_utf8_symbol ("model"), scm_from_utf8_symbol (lc_model_get_name (approximation->model))),
          scm_cons (scm_from_utf8_symbol ("processes"),
                    lc_script_from_array (approximation->processes, process_fields, G_N_ELEMENTS (process_fields))),
          scm_cons (scm_from_utf8_symbol ("warnings"), warnings))));
  lc_approximation_free (approximation);
  return values;
}

/* A list of texts, which is the caller's. */
static char **
approximations_read_texts (SCM list)
{
  GPtrArray *texts = g_ptr_array_new ();

  for (; scm_is_pair (list); list = scm_cdr (list))
    g_ptr_array_add (texts, scm_to_utf8_stringn (scm_car (list), NULL));
  g_ptr_array_add (texts, NULL);
  return (char **)g_ptr_array_free (texts, FALSE);
}

static void
approximations_clear_scale (gpointer scale)
{
  lc_scale_clear (scale);
}

static GArray *
approximations_parse_scales (LcScriptHistory *history, char **texts, GError **error)
{
  g_autoptr (GArray) scales = g_array_new (FALSE, FALSE, sizeof (LcScale));
  g_autoptr (LcTrace) trace = lc_trace_open (history->directory, error);

  g_array_set_clear_func (scales, approximations_clear_scale);
  if (trace == NULL || !lc_history_name_trace (history->history, trace, error))
    return NULL;
  for (gsize i = 0; texts[i] != NULL; i++)
    {
      LcScale scale;

      if (!lc_scale_parse (trace, history->history, texts[i], &scale, error))
        return NULL;
      g_array_append_val (scales, scale);
    }
  return g_steal_pointer (&scales);
}

/* Approximates, with scales if there are any. */
static LcApproximation *
approximations_make (LcScriptHistory *history, LcApproximateOptions options, char **scale_texts, GError **error)
{
  g_autoptr (GArray) scales = NULL;

  if (scale_texts[0] != NULL)
    {
      scales = approximations_parse_scales (history, scale_texts, error);
      if (scales == NULL)
        return NULL;
      options.scales = (const LcScale *)(void *)scales->data;
      options.n_scales = scales->len;
    }
  return lc_approximate (history->directory, &options, error);
}

/* Model, policy for blind receives (0, 1, 2), name or #f, settings, scales ("NAME=FACTOR"), whether to keep what the
 * measurement took. Arguments have been checked, so that nothing is thrown between here and the end. */
static SCM
approximations_approximate (SCM model, SCM blind, SCM name, SCM settings, SCM scales, SCM keep)
{
  LcScriptHistory *history = lc_script_get ();
  char *model_name = scm_to_utf8_stringn (model, NULL), *timeline = NULL;
  LcApproximateOptions options = {.blind = (LcBlindPolicy)scm_to_unsigned_integer (blind, 0, LC_BLIND_LIFO),
                                  .keep_measurement = scm_is_true (keep),
                                  .cancellable = lc_script.cancellable};
  gboolean is_model = lc_model_parse (model_name, &options.model);
  LcApproximation *approximation;
  GError *error = NULL;
  char **setting_texts, **scale_texts;

  free (model_name);
  if (!is_model)
    lc_script_fail (_ ("~S is no model (auto, time, event, liberal, optimistic, pessimistic)"), scm_list_1 (model));
  if (scm_is_true (name))
    timeline = scm_to_utf8_stringn (name, NULL);
  setting_texts = approximations_read_texts (settings);
  scale_texts = approximations_read_texts (scales);
  options.name = timeline;
  options.settings = (const char *const *)setting_texts;
  options.rules = lc_script.rules;
  lc_script_forget (history);
  approximation = approximations_make (history, options, scale_texts, &error);
  free (timeline);
  g_strfreev (setting_texts);
  g_strfreev (scale_texts);
  if (approximation == NULL)
    lc_script_throw (error);
  lc_script_go_on ();
  return approximations_take (approximation);
}

void
lc_script_init_approximations (void)
{
  static const LcScriptProcedure procedures[] = {
      {"%approximate", 6, 0, (scm_t_subr)approximations_approximate},
  };

  lc_script_define (procedures, G_N_ELEMENTS (procedures));
}
