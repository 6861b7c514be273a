/* SPDX-License-Identifier: Apache-2.0 */
/* Histories in Scheme, and what there is few of in them: processes, objects, operations, sites, timelines, phases. */
#include <glib/gi18n.h>
#include <string.h>

#include "lightcone/merge.h"
#include "lightcone/phases.h"
#include "lightcone/statistics.h"
#include "script-private.h"

static LcHistory *
histories_merge (const char *directory, GError **error)
{
  const LcMergeOptions options = {.rules = lc_script.rules, .cancellable = lc_script.cancellable};
  LcHistory *history = lc_merge_open (directory, &options, error);

  if (history != NULL)
    lc_history_stay (history);
  return history;
}

/* Puts a history that the present rules have made in the place of the current one. That stays open, as a fold may be
 * going over it. */
static void
histories_renew (void)
{
  LcScriptHistory *old = lc_script.current;
  GError *error = NULL;
  LcHistory *history = histories_merge (old->directory, &error);
  guint number;

  if (history == NULL)
    lc_script_throw (error);
  lc_script.current = lc_script_add_history (history, old->directory);
  g_ptr_array_set_size (lc_script.histories, (int)lc_script.histories->len - 1);
  if (g_ptr_array_find (lc_script.histories, old, &number))
    lc_script.histories->pdata[number] = lc_script.current;
  lc_script.has_event = FALSE;
}

LcScriptHistory *
lc_script_get (void)
{
  if (!pthread_equal (pthread_self (), lc_script.thread))
    lc_script_fail (_ ("only the thread that runs the script can ask a history"), SCM_EOL);
  if (lc_script.current->is_old)
    histories_renew ();
  return lc_script.current;
}

/* --- Histories ---------------------------------------------------------------------------------------------------- */

static SCM
histories_list_operations (LcHistory *history)
{
  guint32 n = lc_history_get_n_operations (history);
  SCM symbols = scm_c_make_vector (n, SCM_BOOL_F);

  for (guint32 i = 0; i < n; i++)
    {
      const LcHistoryOperation *operation = lc_history_get_operation (history, i);

      if (operation != NULL)
        scm_c_vector_set_x (symbols, i, scm_from_utf8_symbol (operation->name));
    }
  return symbols;
}

LcScriptHistory *
lc_script_add_history (LcHistory *history, const char *directory)
{
  LcScriptHistory *added = g_new0 (LcScriptHistory, 1);

  added->history = history;
  added->directory = g_strdup (directory);
  added->operations = scm_gc_protect_object (histories_list_operations (history));
  added->walks = g_ptr_array_new ();
  g_ptr_array_add (lc_script.histories, added);
  return added;
}

void
lc_script_forget (LcScriptHistory *history)
{
  for (guint i = 0; i < history->walks->len; i++)
    lc_history_walk_free (history->walks->pdata[i]);
  g_ptr_array_set_size (history->walks, 0);
  g_clear_pointer (&history->database, lc_database_close);
  lc_script.has_event = FALSE;
}

void
lc_script_go_on (void)
{
  for (guint i = 0; i < lc_script.histories->len; i++)
    {
      LcScriptHistory *history = lc_script.histories->pdata[i];

      if (lc_history_go_on (history->history))
        lc_script_forget (history);
    }
}

/* Histories are known to Scheme by their number. */
static SCM
histories_open (SCM directory)
{
  char *path = scm_to_locale_string (directory);
  GError *error = NULL;
  LcHistory *history = histories_merge (path, &error);

  if (history != NULL)
    lc_script_add_history (history, path);
  free (path);
  if (history == NULL)
    lc_script_throw (error);
  return scm_from_uint (lc_script.histories->len - 1);
}

static SCM
histories_switch (SCM number)
{
  lc_script.current = lc_script.histories->pdata[scm_to_unsigned_integer (number, 0, lc_script.histories->len - 1)];
  lc_script.has_event = FALSE;
  return SCM_UNSPECIFIED;
}

static SCM
histories_get_current (void)
{
  guint number = 0;

  g_ptr_array_find (lc_script.histories, lc_script.current, &number);
  return scm_from_uint (number);
}

static SCM
histories_get_directory (void)
{
  return lc_script_from_text (lc_script_get ()->directory);
}

static SCM
histories_get_path (void)
{
  return lc_script_from_text (lc_history_get_path (lc_script_get ()->history));
}

static SCM
histories_count_events (void)
{
  return scm_from_uint64 (lc_history_get_n_events (lc_script_get ()->history));
}

static SCM
histories_count_arcs (void)
{
  return scm_from_uint64 (lc_history_get_n_arcs (lc_script_get ()->history));
}

static SCM
histories_count_layers (void)
{
  return scm_from_uint64 (lc_history_get_n_layers (lc_script_get ()->history));
}

static SCM
histories_get_lost (void)
{
  LcTraceLost lost;

  lc_history_get_lost (lc_script_get ()->history, &lost);
  return scm_from_uint64 (lost.n);
}

static SCM
histories_get_span (void)
{
  LcScriptHistory *history = lc_script_get ();
  guint64 begin, end;
  GError *error = NULL;

  if (!lc_statistics_span (history->history, lc_script.timeline, &begin, &end, &error))
    lc_script_throw (error);
  return scm_cons (scm_from_uint64 (begin), scm_from_uint64 (end));
}

static SCM
histories_get_total (void)
{
  guint64 total;
  GError *error = NULL;

  if (!lc_statistics_total (lc_script_get ()->history, lc_script.timeline, &total, &error))
    lc_script_throw (error);
  return scm_from_uint64 (total);
}

/* --- Timelines ---------------------------------------------------------------------------------------------------- */

static SCM
histories_list_timelines (void)
{
  static const LcScriptField fields[] = {
      {"id", offsetof (LcHistoryTimeline, id), LC_FIELD_U32},
      {"name", offsetof (LcHistoryTimeline, name), LC_FIELD_TEXT},
      {"model", offsetof (LcHistoryTimeline, model), LC_FIELD_TEXT},
      {"parameters", offsetof (LcHistoryTimeline, parameters), LC_FIELD_TEXT},
  };
  GError *error = NULL;
  GPtrArray *timelines = lc_history_list_timelines (lc_script_get ()->history, &error);
  SCM list = SCM_EOL;

  if (timelines == NULL)
    lc_script_throw (error);
  for (guint i = timelines->len; i-- > 0;)
    list = scm_cons (lc_script_from_struct (timelines->pdata[i], fields, G_N_ELEMENTS (fields)), list);
  g_ptr_array_unref (timelines);
  return list;
}

static SCM
histories_set_timeline (SCM number)
{
  lc_script.timeline = lc_script_to_u32 (number);
  lc_script.has_event = FALSE;
  return SCM_UNSPECIFIED;
}

static SCM
histories_get_timeline (void)
{
  return scm_from_uint32 (lc_script.timeline);
}

/* --- Rows --------------------------------------------------------------------------------------------------------- */

static const LcScriptField process_fields[] = {
    {"id", offsetof (LcHistoryProcess, id), LC_FIELD_U32},
    {"name", offsetof (LcHistoryProcess, name), LC_FIELD_TEXT},
    {"host", offsetof (LcHistoryProcess, host), LC_FIELD_TEXT},
    {"parent", offsetof (LcHistoryProcess, parent), LC_FIELD_ID},
    {"pid", offsetof (LcHistoryProcess, pid), LC_FIELD_U32},
    {"thread", offsetof (LcHistoryProcess, thread), LC_FIELD_U32},
    {"rank", offsetof (LcHistoryProcess, rank), LC_FIELD_ID},
    {"lost", offsetof (LcHistoryProcess, lost), LC_FIELD_U64},
    {"unseen", offsetof (LcHistoryProcess, unseen), LC_FIELD_KNOWN},
    {"scheduled", offsetof (LcHistoryProcess, is_scheduled), LC_FIELD_BOOLEAN},
};

/* How many events a process has, and its span, are those of the timeline. */
static SCM
histories_get_process (LcScriptHistory *history, guint32 process)
{
  guint64 events, begin, end;
  GError *error = NULL;

  if (!lc_history_count_events (history->history, lc_script.timeline, process, &events, &error) ||
      !lc_history_get_process_span (history->history, lc_script.timeline, process, &begin, &end, &error))
    lc_script_throw (error);
  return scm_append (
      scm_list_2 (lc_script_from_struct (lc_history_get_process (history->history, process), process_fields,
                                         G_N_ELEMENTS (process_fields)),
                  scm_list_3 (scm_from_uint64 (events), scm_from_uint64 (begin), scm_from_uint64 (end))));
}

static SCM
histories_get_one_process (SCM number)
{
  return histories_get_process (lc_script_get (), lc_script_to_u32 (number));
}

static SCM
histories_list_processes (void)
{
  LcScriptHistory *history = lc_script_get ();
  SCM list = SCM_EOL;

  for (guint32 i = lc_history_get_n_processes (history->history); i-- > 0;)
    list = scm_cons (histories_get_process (history, i), list);
  return list;
}

static SCM
histories_list_operation_rows (void)
{
  LcHistory *history = lc_script_get ()->history;
  SCM list = SCM_EOL;

  for (guint32 i = lc_history_get_n_operations (history); i-- > 0;)
    {
      const LcHistoryOperation *operation = lc_history_get_operation (history, i);

      if (operation != NULL)
        list = scm_cons (scm_list_3 (scm_from_uint32 (i), scm_from_utf8_symbol (operation->name),
                                     scm_from_utf8_symbol (operation->class_name)),
                         list);
    }
  return list;
}

static SCM
histories_get_object (SCM number)
{
  static const LcScriptField fields[] = {
      {"id", offsetof (LcHistoryObject, id), LC_FIELD_U32},
      {"name", offsetof (LcHistoryObject, name), LC_FIELD_TEXT},
      {"class", offsetof (LcHistoryObject, class_name), LC_FIELD_TEXT},
      {"process", offsetof (LcHistoryObject, process), LC_FIELD_ID},
      {"value", offsetof (LcHistoryObject, value), LC_FIELD_U64},
      {"events", offsetof (LcHistoryObject, events), LC_FIELD_U64},
      {"waited", offsetof (LcHistoryObject, waited), LC_FIELD_U64},
      {"held", offsetof (LcHistoryObject, held), LC_FIELD_U64},
  };
  LcHistoryObject object;
  GError *error = NULL;
  SCM values;

  if (!lc_history_get_object (lc_script_get ()->history, lc_script_to_u32 (number), &object, &error))
    lc_script_throw (error);
  values = lc_script_from_struct (&object, fields, G_N_ELEMENTS (fields));
  lc_history_object_clear (&object);
  return values;
}

static SCM
histories_count_objects (void)
{
  return scm_from_uint32 (lc_history_get_n_objects (lc_script_get ()->history));
}

static SCM
histories_get_site (SCM number)
{
  static const LcScriptField fields[] = {
      {"id", offsetof (LcHistorySite, id), LC_FIELD_U32},
      {"function", offsetof (LcHistorySite, function), LC_FIELD_TEXT},
      {"file", offsetof (LcHistorySite, file), LC_FIELD_TEXT},
      {"line", offsetof (LcHistorySite, line), LC_FIELD_U32},
      {"module", offsetof (LcHistorySite, module), LC_FIELD_TEXT},
      {"offset", offsetof (LcHistorySite, offset), LC_FIELD_U64},
  };
  LcHistory *history = lc_script_get ()->history;
  const LcHistorySite *site = lc_history_get_site (history, lc_script_to_u32 (number));
  SCM values, text;
  char *shown;

  if (site == NULL)
    lc_script_fail (_ ("~A: there is no site ~A, of ~A"),
                    scm_list_3 (lc_script_from_text (lc_history_get_path (history)), number,
                                scm_from_uint32 (lc_history_get_n_sites (history))));
  shown = lc_history_dup_site_text (site);
  text = lc_script_from_text (shown);
  g_free (shown);
  values = lc_script_from_struct (site, fields, G_N_ELEMENTS (fields));
  return scm_append (scm_list_2 (values, scm_list_1 (text)));
}

static SCM
histories_count_sites (void)
{
  LcHistory *history = lc_script_get ()->history;
  GError *error = NULL;

  if (!lc_history_read_places (history, &error))
    lc_script_throw (error);
  return scm_from_uint32 (lc_history_get_n_sites (history));
}

/* --- Phases ------------------------------------------------------------------------------------------------------- */

static const LcScriptField phase_fields[] = {
    {"name", offsetof (LcPhase, name), LC_FIELD_TEXT},
    {"begin", offsetof (LcPhase, begin), LC_FIELD_U64},
    {"end", offsetof (LcPhase, end), LC_FIELD_U64},
    {"events", offsetof (LcPhase, events), LC_FIELD_U64},
    {"first-layer", offsetof (LcPhase, first_layer), LC_FIELD_U64},
    {"last-layer", offsetof (LcPhase, last_layer), LC_FIELD_U64},
};

/* Each phase is a list of its number, its fields, and the ordinal at which it begins on each process. */
static SCM
histories_list_phases (SCM definition)
{
  LcScriptHistory *history = lc_script_get ();
  char *text = scm_to_utf8_stringn (definition, NULL);
  guint32 n_processes = lc_history_get_n_processes (history->history);
  GError *error = NULL;
  LcPhases *phases = lc_phases_find (history->history, lc_script.timeline, text, lc_script.cancellable, &error);
  SCM list = SCM_EOL;

  free (text);
  if (phases == NULL)
    lc_script_throw (error);
  for (guint32 i = lc_phases_get_n (phases); i-- > 0;)
    {
      SCM firsts = SCM_EOL,
          values = lc_script_from_struct (lc_phases_get (phases, i), phase_fields, G_N_ELEMENTS (phase_fields));

      for (guint32 process = n_processes; process-- > 0;)
        firsts = scm_cons (scm_from_uint64 (lc_phases_get_first (phases, process, i)), firsts);
      values = scm_append (scm_list_2 (values, scm_list_1 (scm_vector (firsts))));
      list = scm_cons (scm_cons (scm_from_uint32 (i), values), list);
    }
  lc_phases_free (phases);
  return list;
}

void
lc_script_init_histories (void)
{
  static const LcScriptProcedure procedures[] = {
      {"%open-history", 1, 0, (scm_t_subr)histories_open},
      {"%switch-history!", 1, 0, (scm_t_subr)histories_switch},
      {"%current-history", 0, 0, (scm_t_subr)histories_get_current},
      {"%history-directory", 0, 0, (scm_t_subr)histories_get_directory},
      {"%history-path", 0, 0, (scm_t_subr)histories_get_path},
      {"%history-events", 0, 0, (scm_t_subr)histories_count_events},
      {"%history-arcs", 0, 0, (scm_t_subr)histories_count_arcs},
      {"%history-layers", 0, 0, (scm_t_subr)histories_count_layers},
      {"%history-lost", 0, 0, (scm_t_subr)histories_get_lost},
      {"%history-span", 0, 0, (scm_t_subr)histories_get_span},
      {"%history-total", 0, 0, (scm_t_subr)histories_get_total},
      {"%timelines", 0, 0, (scm_t_subr)histories_list_timelines},
      {"%set-timeline!", 1, 0, (scm_t_subr)histories_set_timeline},
      {"%timeline", 0, 0, (scm_t_subr)histories_get_timeline},
      {"%process", 1, 0, (scm_t_subr)histories_get_one_process},
      {"%processes", 0, 0, (scm_t_subr)histories_list_processes},
      {"%operations", 0, 0, (scm_t_subr)histories_list_operation_rows},
      {"%object", 1, 0, (scm_t_subr)histories_get_object},
      {"%count-objects", 0, 0, (scm_t_subr)histories_count_objects},
      {"%site", 1, 0, (scm_t_subr)histories_get_site},
      {"%count-sites", 0, 0, (scm_t_subr)histories_count_sites},
      {"%phases", 1, 0, (scm_t_subr)histories_list_phases},
  };

  lc_script_define (procedures, G_N_ELEMENTS (procedures));
}
