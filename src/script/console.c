/* SPDX-License-Identifier: Apache-2.0 */
/* The console of the browser: takes what it shows to Scheme, and brings back what Scheme displays. */
#include <string.h>

#include "script-private.h"

static struct
{
  LcScriptEmit emit;
  gpointer data;
} console;

static SCM
console_emit (SCM kind, SCM text)
{
  char *what = scm_to_utf8_stringn (kind, NULL);
  size_t length;
  char *bytes = scm_to_utf8_stringn (text, &length);

  console.emit (what, bytes, length, console.data);
  free (what);
  free (bytes);
  return SCM_UNSPECIFIED;
}

void
lc_script_console_tell (const char *kind)
{
  if (console.emit != NULL)
    console.emit (kind, "", 0, console.data);
}

void
lc_script_init_console (void)
{
  static const LcScriptProcedure procedures[] = {
      {"%console-emit", 2, 0, (scm_t_subr)console_emit},
  };

  lc_script_define (procedures, G_N_ELEMENTS (procedures));
}

void
lc_script_console_begin (LcScriptEmit emit, gpointer data)
{
  console.emit = emit;
  console.data = data;
  lc_script_load_code ("console");
}

void
lc_script_console_set_view (const LcScriptView *view)
{
  SCM processes = SCM_EOL;

  for (guint32 i = view->n_processes; i-- > 0;)
    processes = scm_cons (scm_from_uint32 (view->processes[i]), processes);
  scm_call_3 (scm_c_public_ref ("lightcone console", "set-view!"),
              view->process != LC_TRACE_NONE ? lc_script_from_event (view->process, view->ordinal) : SCM_BOOL_F,
              view->from < view->to ? scm_cons (scm_from_uint64 (view->from), scm_from_uint64 (view->to)) : SCM_BOOL_F,
              processes);
}
