/* SPDX-License-Identifier: Apache-2.0 */
/* What scripts define besides views and analyses: commands; and the list of all of it. */
#include "script-private.h"

LcScriptResult
lc_script_run_command (const char *name, const LcScriptCommandRequest *request, char **line)
{
  gboolean selected = request->process != LC_TRACE_NONE;
  SCM answer;
  LcScriptResult result;

  lc_script_guard_begin ();
  lc_script_go_on ();
  answer =
      scm_call_6 (lc_script_get_runner ("run-command"), scm_from_utf8_string (name),
                  scm_from_utf8_string (request->timeline), selected ? scm_from_uint32 (request->process) : SCM_BOOL_F,
                  scm_from_uint64 (request->ordinal), scm_from_uint64 (request->from), scm_from_uint64 (request->to));
  lc_script_guard_end ();
  result = lc_script_read_result (answer);
  *line = NULL;
  if (result.end == LC_SCRIPT_GOOD && scm_is_string (scm_cdr (answer)))
    {
      size_t length;
      char *bytes = scm_to_utf8_stringn (scm_cdr (answer), &length);

      *line = g_utf8_make_valid (bytes, (gssize)length);
      free (bytes);
    }
  return result;
}

void
lc_script_list_definitions (void (*visit) (const LcScriptDefinition *definition, gpointer data), gpointer data)
{
  g_auto (GStrv) texts = lc_script_read_texts (scm_call_0 (scm_c_private_ref ("lightcone", "definitions")));

  for (gsize i = 0; texts[i] != NULL; i += 5)
    {
      const LcScriptDefinition definition = {texts[i], texts[i + 1], texts[i + 2], texts[i + 3], texts[i + 4]};

      visit (&definition, data);
    }
}
