/* SPDX-License-Identifier: Apache-2.0 */
/* What scripts define for the open trace: views, analyses, commands. Scripts run in processes of their own, lightcone
 * script and lightcone export, so that none can stop or crash the browser. */
#ifndef LC_APP_SCRIPT_LIST_H
#define LC_APP_SCRIPT_LIST_H

#include "app/session/session.h"

/*
 * Its signals
 *
 *   changed (LcScriptList *)    scripts define something else, or it has become known whether they are trusted
 *   outdated (LcScriptList *)   scripts have defined rules: the trace is to be merged again
 */
#define LC_TYPE_SCRIPT_LIST (lc_script_list_get_type ())
G_DECLARE_FINAL_TYPE (LcScriptList, lc_script_list, LC, SCRIPT_LIST, GObject)

typedef struct
{
  char *kind; /* "view", "analysis", "command", "rules" */
  char *name;
  char *key;   /* or "" */
  char *title; /* or "" */
  char *text;  /* or "" */
} LcScriptEntry;

/* Returns the list of a session, which owns it, and begins to fill it. Views of it are views of lc_views_get, too. */
LcScriptList *lc_script_list_of (LcSession *session);

/* LcScriptEntry, until the next change. */
const GPtrArray *lc_script_list_get_entries (LcScriptList *list);

/* Whether the trace has scripts that are not loaded, as nobody has said that they may be. */
gboolean lc_script_list_is_untrusted (LcScriptList *list);

/* Says that they may be, now and as long as they stay as they are. */
void lc_script_list_trust (LcScriptList *list);

#endif
