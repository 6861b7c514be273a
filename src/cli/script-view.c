/* SPDX-License-Identifier: Apache-2.0 */
/* Views that scripts define, for lightcone export. */
#include "script-view.h"

#include <glib/gi18n.h>
#include <stdio.h>
#include <string.h>

#include "command.h"
#include "lightcone/sheet.h"
#include "script-folders.h"
#include "script-session.h"

typedef struct
{
  const LcScriptViews *views;
  int (*body) (gpointer data);
  gpointer data;
  int status;
} Viewing;

/* Becomes an error, which tells the place in the script. */
static void
script_view_set_error (const char *name, const LcScriptResult *result, GError **error)
{
  if (result->end == LC_SCRIPT_FAILED)
    g_set_error_literal (error, LC_PICTURE_ERROR, LC_PICTURE_ERROR_SHEET, result->message);
  else if (result->end == LC_SCRIPT_STOPPED)
    g_set_error (error, LC_PICTURE_ERROR, LC_PICTURE_ERROR_SHEET, _ ("view %s: %s"), name, result->message);
  else if (result->end == LC_SCRIPT_EXITED)
    g_set_error (error, LC_PICTURE_ERROR, LC_PICTURE_ERROR_SHEET, _ ("view %s: it has called (exit)"), name);
  else
    g_set_error (error, LC_PICTURE_ERROR, LC_PICTURE_ERROR_SHEET, _ ("view %s: no script defines it any more"), name);
}

static GVariant *
script_view_make (const LcSheetRequest *request, gpointer data, GCancellable *cancellable, GError **error)
{
  const LcScriptViewRequest asked = {request->timeline, request->from, request->to, request->processes,
                                     request->n_processes};
  GVariant *sheet;
  LcScriptResult result = lc_script_make_view (request->name, &asked, &sheet);

  if (sheet == NULL)
    script_view_set_error (request->name, &result, error);
  lc_script_result_clear (&result);
  return sheet;
}

static void
script_view_add (const LcScriptDefinition *definition, gpointer data)
{
  if (strcmp (definition->kind, "view") == 0 &&
      !lc_sheets_add_view (definition->name, definition->title, definition->text))
    lc_complain (_ ("script: the view %s has the name of one of Lightcone's own: choose another one"),
                 definition->name);
}

static void
script_view_body (gpointer data)
{
  Viewing *viewing = data;
  LcScriptResult result = lc_script_folders_load (viewing->views->options.directory, viewing->views->trusts);

  if (result.end == LC_SCRIPT_GOOD)
    {
      lc_script_list_definitions (script_view_add, NULL);
      lc_sheets_set_maker (script_view_make, NULL);
      viewing->status = viewing->body (viewing->data);
      if (viewing->views->wanted != NULL && lc_views_find (viewing->views->wanted) == NULL)
        lc_script_folders_tell_untrusted (viewing->views->options.directory);
    }
  else if (result.end == LC_SCRIPT_EXITED)
    viewing->status = result.status;
  else
    lc_complain (_ ("script: %s"), result.message);
  lc_script_result_clear (&result);
}

int
lc_script_views_run (const LcScriptViews *views, int (*body) (gpointer data), gpointer data)
{
  Viewing viewing = {.views = views, .body = body, .data = data, .status = LC_EXIT_UNUSABLE};

  fflush (stdout);
  lc_script_session_catch_interrupts ();
  lc_script_run (&views->options, script_view_body, &viewing);
  return viewing.status;
}
