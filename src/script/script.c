/* SPDX-License-Identifier: Apache-2.0 */
/* Starts Guile with the module (lightcone), and runs texts and files in it. */
#include "script.h"

#include <string.h>

#include "script-private.h"
#include "script-resources.h"

#define OWN_SCRIPTS "/lightcone/scripts/"

/* In the order in which they are defined; tests/cli/stats.py compares it with that. */
const char *const lc_script_own_analyses[] = {"communication-share",   "parallelism-average", "average-parallelism",
                                              "parallelism-histogram", "parallelism-trace",   "phase-communication",
                                              "phase-waits",           "logical-rounds",      "startup",
                                              "transfer-map",          "transfer-contours",   NULL};

LcScriptState lc_script;

typedef struct
{
  const LcScriptOptions *options;
  void (*body) (gpointer data);
  gpointer data;
} ScriptStart;

void
lc_script_result_clear (LcScriptResult *result)
{
  g_free (result->message);
  result->message = NULL;
}

/* Compiled code is in the program itself, so that it can neither be missing nor be another's. */
static SCM
script_get_code (const char *path)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (GBytes) code =
      g_resource_lookup_data (lc_script_code_get_resource (), path, G_RESOURCE_LOOKUP_FLAGS_NONE, &error);
  SCM bytes;

  if (code == NULL)
    g_error ("%s", error->message); /* it is part of the program */
  bytes = scm_c_make_bytevector (g_bytes_get_size (code));
  memcpy (SCM_BYTEVECTOR_CONTENTS (bytes), g_bytes_get_data (code, NULL), g_bytes_get_size (code));
  return bytes;
}

void
lc_script_load_code (const char *name)
{
  g_autofree char *path = g_strdup_printf ("/lightcone/script/%s.go", name);

  scm_call_0 (scm_call_1 (scm_c_public_ref ("system vm loader", "load-thunk-from-memory"), script_get_code (path)));
}

static void
script_define_module (void *unused)
{
  lc_script_init_guard ();
  lc_script_init_values ();
  lc_script_init_histories ();
  lc_script_init_events ();
  lc_script_init_folds ();
  lc_script_init_queries ();
  lc_script_init_analyses ();
  lc_script_init_reports ();
  lc_script_init_explanations ();
  lc_script_init_approximations ();
  lc_script_init_marks ();
  lc_script_init_console ();
  lc_script_init_views ();
  lc_script_init_rules ();
}

static SCM
script_from_arguments (const char *const *arguments)
{
  SCM list = SCM_EOL;

  for (gsize i = g_strv_length ((char **)arguments); i-- > 0;)
    list = scm_cons (scm_from_locale_string (arguments[i]), list);
  return list;
}

static void *
script_start (void *data)
{
  ScriptStart *start = data;

  lc_script.thread = pthread_self ();
  lc_script.cancellable = g_cancellable_new ();
  lc_script.rules = start->options->rules;
  lc_script.histories = g_ptr_array_new ();
  scm_set_program_arguments_scm (script_from_arguments (start->options->arguments));
  scm_c_define_module ("lightcone", script_define_module, NULL);
  lc_script_guard_start (start->options);
  lc_script_load_code ("lightcone");
  lc_script_load_code ("documentation");
  lc_script_load_code ("runner");
  lc_script.current = lc_script_add_history (start->options->history, start->options->directory);
  start->body (start->data);
  lc_script_guard_finish ();
  return NULL;
}

void
lc_script_run (const LcScriptOptions *options, void (*body) (gpointer data), gpointer data)
{
  ScriptStart start = {options, body, data};

  scm_with_guile (script_start, &start);
}

SCM
lc_script_get_runner (const char *name)
{
  return scm_c_public_ref ("lightcone runner", name);
}

/* Takes apart what the runner says: (good), (failed MESSAGE), (stopped MESSAGE) or (exited STATUS). */
LcScriptResult
lc_script_read_result (SCM answer)
{
  LcScriptResult result = {.end = LC_SCRIPT_GOOD};
  SCM word = scm_car (answer);

  if (scm_is_eq (word, scm_from_utf8_symbol ("good")))
    return result;
  if (scm_is_eq (word, scm_from_utf8_symbol ("exited")))
    {
      result.end = LC_SCRIPT_EXITED;
      result.status = scm_to_int (scm_cadr (answer));
      return result;
    }
  result.end = scm_is_eq (word, scm_from_utf8_symbol ("failed")) ? LC_SCRIPT_FAILED : LC_SCRIPT_STOPPED;
  result.message = scm_to_utf8_stringn (scm_cadr (answer), NULL);
  return result;
}

LcScriptResult
lc_script_load (const char *path)
{
  SCM answer;

  lc_script_guard_begin ();
  lc_script_go_on ();
  answer = scm_call_1 (lc_script_get_runner ("run-file"), scm_from_locale_string (path));
  lc_script_guard_end ();
  return lc_script_read_result (answer);
}

LcScriptResult
lc_script_evaluate (const char *text, const char *name, gboolean print)
{
  SCM answer;

  lc_script_guard_begin ();
  lc_script_go_on ();
  answer = scm_call_3 (lc_script_get_runner ("run-text"), scm_from_utf8_string (text), scm_from_utf8_string (name),
                       scm_from_bool (print));
  lc_script_guard_end ();
  return lc_script_read_result (answer);
}

LcScriptResult
lc_script_load_own (void)
{
  g_autoptr (GError) error = NULL;
  g_auto (GStrv) names =
      g_resource_enumerate_children (lc_script_code_get_resource (), OWN_SCRIPTS, G_RESOURCE_LOOKUP_FLAGS_NONE, &error);
  LcScriptResult result = {.end = LC_SCRIPT_GOOD};

  for (gsize i = 0; names != NULL && names[i] != NULL && result.end == LC_SCRIPT_GOOD; i++)
    {
      g_autofree char *path = g_strconcat (OWN_SCRIPTS, names[i], NULL);
      SCM code = script_get_code (path), answer;

      lc_script_guard_begin ();
      answer = scm_call_1 (lc_script_get_runner ("run-code"), code);
      lc_script_guard_end ();
      result = lc_script_read_result (answer);
    }
  if (error != NULL)
    g_error ("%s", error->message); /* they are part of the program */
  return result;
}

gboolean
lc_script_is_complete (const char *text)
{
  return scm_is_true (scm_call_1 (lc_script_get_runner ("complete?"), scm_from_utf8_string (text)));
}

/* Takes a list of texts over. */
char **
lc_script_read_texts (SCM list)
{
  GPtrArray *texts = g_ptr_array_new ();

  for (; scm_is_pair (list); list = scm_cdr (list))
    {
      SCM text = scm_car (list);

      g_ptr_array_add (texts, scm_to_utf8_stringn (scm_is_symbol (text) ? scm_symbol_to_string (text) : text, NULL));
    }
  g_ptr_array_add (texts, NULL);
  return (char **)g_ptr_array_free (texts, FALSE);
}

char **
lc_script_complete (const char *prefix)
{
  return lc_script_read_texts (scm_call_1 (lc_script_get_runner ("completions"), scm_from_utf8_string (prefix)));
}

char **
lc_script_list_analyses (void)
{
  return lc_script_read_texts (scm_call_0 (scm_c_public_ref ("lightcone", "analysis-names")));
}

void
lc_script_table_free (LcScriptTable *table)
{
  if (table == NULL)
    return;
  for (gsize i = 0; i < (gsize)table->n_rows * table->n_columns; i++)
    g_free (table->cells[i].text);
  g_free (table->cells);
  g_strfreev (table->names);
  g_free (table);
}

static LcScriptCell
script_read_cell (SCM value)
{
  LcScriptCell cell = {.kind = LC_SCRIPT_NOTHING};

  if (scm_is_string (value))
    {
      cell.kind = LC_SCRIPT_TEXT;
      cell.text = scm_to_utf8_stringn (value, NULL);
    }
  else if (scm_is_exact_integer (value))
    {
      cell.kind = LC_SCRIPT_INTEGER;
      cell.integer = scm_to_int64 (value);
    }
  else if (scm_is_real (value))
    {
      cell.kind = LC_SCRIPT_REAL;
      cell.real = scm_to_double (value);
    }
  return cell;
}

/* Reads (NAMES . ROWS), whose rows the runner has made as long as the names. */
static LcScriptTable *
script_read_table (SCM found)
{
  LcScriptTable *table = g_new0 (LcScriptTable, 1);
  SCM rows = scm_cdr (found);
  gsize n = 0;

  table->names = lc_script_read_texts (scm_car (found));
  table->n_columns = g_strv_length (table->names);
  table->n_rows = scm_to_uint (scm_length (rows));
  table->cells = g_new0 (LcScriptCell, (gsize)table->n_rows * table->n_columns);
  for (; scm_is_pair (rows); rows = scm_cdr (rows))
    for (SCM row = scm_car (rows); scm_is_pair (row); row = scm_cdr (row))
      table->cells[n++] = script_read_cell (scm_car (row));
  return table;
}

LcScriptResult
lc_script_analyse (const char *name, const char *timeline, LcScriptTable **table)
{
  SCM answer;

  lc_script_guard_begin ();
  lc_script_go_on ();
  answer =
      scm_call_2 (lc_script_get_runner ("run-analysis"), scm_from_utf8_string (name), scm_from_utf8_string (timeline));
  lc_script_guard_end ();
  if (scm_is_eq (scm_car (answer), scm_from_utf8_symbol ("good")) && scm_is_pair (scm_cdr (answer)))
    *table = script_read_table (scm_cdr (answer));
  return lc_script_read_result (answer);
}
