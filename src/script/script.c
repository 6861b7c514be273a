/* SPDX-License-Identifier: Apache-2.0 */
/* Starts Guile with the module (lightcone), and runs texts and files in it. */
#include "script.h"

#include <string.h>

#include "script-private.h"
#include "script-resources.h"

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

/* The compiled code of a module is in the program itself, so that it can neither be missing nor be another's. */
static void
script_load_code (const char *name)
{
  g_autofree char *path = g_strconcat ("/lightcone/script/", name, ".go", NULL);
  g_autoptr (GError) error = NULL;
  g_autoptr (GBytes) code =
      g_resource_lookup_data (lc_script_code_get_resource (), path, G_RESOURCE_LOOKUP_FLAGS_NONE, &error);
  SCM bytes;

  if (code == NULL)
    g_error ("%s", error->message); /* it is part of the program */
  bytes = scm_c_make_bytevector (g_bytes_get_size (code));
  memcpy (SCM_BYTEVECTOR_CONTENTS (bytes), g_bytes_get_data (code, NULL), g_bytes_get_size (code));
  scm_call_0 (scm_call_1 (scm_c_public_ref ("system vm loader", "load-thunk-from-memory"), bytes));
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
  lc_script_init_approximations ();
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
  script_load_code ("lightcone");
  script_load_code ("runner");
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

static SCM
script_get_runner (const char *name)
{
  return scm_c_public_ref ("lightcone runner", name);
}

/* Takes apart what the runner says: (good), (failed MESSAGE), (stopped MESSAGE) or (exited STATUS). */
static LcScriptResult
script_read_result (SCM answer)
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
  answer = scm_call_1 (script_get_runner ("run-file"), scm_from_locale_string (path));
  lc_script_guard_end ();
  return script_read_result (answer);
}

LcScriptResult
lc_script_evaluate (const char *text, const char *name, gboolean print)
{
  SCM answer;

  lc_script_guard_begin ();
  answer = scm_call_3 (script_get_runner ("run-text"), scm_from_utf8_string (text), scm_from_utf8_string (name),
                       scm_from_bool (print));
  lc_script_guard_end ();
  return script_read_result (answer);
}

gboolean
lc_script_is_complete (const char *text)
{
  return scm_is_true (scm_call_1 (script_get_runner ("complete?"), scm_from_utf8_string (text)));
}

char **
lc_script_complete (const char *prefix)
{
  SCM names = scm_call_1 (script_get_runner ("completions"), scm_from_utf8_string (prefix));
  GPtrArray *list = g_ptr_array_new ();

  for (; scm_is_pair (names); names = scm_cdr (names))
    {
      char *name = scm_to_utf8_stringn (scm_car (names), NULL);

      g_ptr_array_add (list, g_strdup (name));
      free (name);
    }
  g_ptr_array_add (list, NULL);
  return (char **)g_ptr_array_free (list, FALSE);
}
