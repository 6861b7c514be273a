/* SPDX-License-Identifier: Apache-2.0 */
/* What scripts define for the open trace: views, analyses, commands. */
#include "app/scripts/script-list.h"

#include <gio/gio.h>
#include <string.h>

#include "app/scripts/script-process.h"
#include "lightcone/sheet.h"

struct _LcScriptList
{
  GObject parent;

  LcSession *session; /* owns the list */
  LcJob *job;         /* the process that lists */
  GPtrArray *entries; /* LcScriptEntry */
  gboolean untrusted;
  gboolean outdated;
  gboolean has_told; /* that it was, the last time: scripts that define other rules each time do not go round */
};

enum
{
  CHANGED,
  OUTDATED,
  SIGNALS,
};

static guint signals[SIGNALS];

G_DEFINE_FINAL_TYPE (LcScriptList, lc_script_list, G_TYPE_OBJECT)

static void
script_list_free_entry (gpointer data)
{
  LcScriptEntry *entry = data;

  g_free (entry->kind);
  g_free (entry->name);
  g_free (entry->key);
  g_free (entry->title);
  g_free (entry->text);
  g_free (entry);
}

static void
script_list_clear (LcScriptList *list)
{
  g_ptr_array_set_size (list->entries, 0);
  list->untrusted = list->outdated = FALSE;
}

/* Takes a line: kind, name, key, title and text, with tabs between them. */
static void
script_list_take_line (LcScriptList *list, const char *line)
{
  g_auto (GStrv) parts = g_strsplit (line, "\t", 5);
  LcScriptEntry *entry;

  if (g_strv_length (parts) < 5)
    return;
  if (strcmp (parts[0], "untrusted") == 0)
    list->untrusted = TRUE;
  if (strcmp (parts[0], "outdated") == 0)
    list->outdated = TRUE;
  if (parts[1][0] == '\0' || (strcmp (parts[0], "view") == 0 && !lc_sheets_add_view (parts[1], parts[3], parts[4])))
    return;
  entry = g_new0 (LcScriptEntry, 1);
  *entry = (LcScriptEntry){g_strdup (parts[0]), g_strdup (parts[1]), g_strdup (parts[2]), g_strdup (parts[3]),
                           g_strdup (parts[4])};
  g_ptr_array_add (list->entries, entry);
}

static void
script_list_on_listed (gpointer owner, gpointer result, const GError *error)
{
  LcScriptList *list = owner;
  g_autoptr (LcScriptSaid) said = result;
  g_auto (GStrv) lines = NULL;

  script_list_clear (list);
  lines = g_strsplit (said != NULL ? said->output : "", "\n", -1);
  for (gsize i = 0; lines[i] != NULL; i++)
    script_list_take_line (list, lines[i]);
  if (error != NULL || said->complaint[0] != '\0')
    lc_session_tell (list->session, error != NULL ? error->message : said->complaint);
  g_signal_emit (list, signals[CHANGED], 0);
  list->has_told = list->outdated && !list->has_told;
  if (list->has_told)
    g_signal_emit (list, signals[OUTDATED], 0);
}

static void
script_list_ask (LcScriptList *list, gboolean trusts)
{
  LcOpened *opened = lc_session_get_opened (list->session);
  const char *arguments[] = {"script", opened->directory, "--list", trusts ? "--trust-scripts" : NULL, NULL};

  lc_job_start (list->job, lc_script_process_work, g_strdupv ((char **)arguments), (GDestroyNotify)g_strfreev);
}

/* A temporary history will be followed by another one, and scripts read that of the trace. */
static void
script_list_on_changed (LcSession *session, guint what, LcScriptList *list)
{
  LcOpened *opened = lc_session_get_opened (session);

  if ((what & LC_CHANGED_HISTORY) == 0)
    return;
  lc_job_stop (list->job);
  if (opened != NULL && opened->temporary == NULL && lc_script_process_is_possible ())
    {
      script_list_ask (list, FALSE);
      return;
    }
  script_list_clear (list);
  g_signal_emit (list, signals[CHANGED], 0);
}

static void
lc_script_list_finalize (GObject *object)
{
  LcScriptList *list = LC_SCRIPT_LIST (object);

  lc_job_free (list->job);
  g_ptr_array_unref (list->entries);
  G_OBJECT_CLASS (lc_script_list_parent_class)->finalize (object);
}

static void
lc_script_list_class_init (LcScriptListClass *class)
{
  G_OBJECT_CLASS (class)->finalize = lc_script_list_finalize;
  signals[CHANGED] =
      g_signal_new ("changed", G_TYPE_FROM_CLASS (class), G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 0);
  signals[OUTDATED] =
      g_signal_new ("outdated", G_TYPE_FROM_CLASS (class), G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 0);
}

static void
lc_script_list_init (LcScriptList *list)
{
  list->entries = g_ptr_array_new_with_free_func (script_list_free_entry);
  list->job = lc_job_new (list, script_list_on_listed, NULL, (GDestroyNotify)lc_script_said_free);
}

/* The session goes: what still runs must not reach it. */
static void
script_list_leave (gpointer data)
{
  LcScriptList *list = data;

  lc_job_stop (list->job);
  list->session = NULL;
  g_object_unref (list);
}

LcScriptList *
lc_script_list_of (LcSession *session)
{
  LcScriptList *list = g_object_get_data (G_OBJECT (session), "lc-script-list");

  if (list != NULL)
    return list;
  list = g_object_new (LC_TYPE_SCRIPT_LIST, NULL);
  list->session = session;
  g_object_set_data_full (G_OBJECT (session), "lc-script-list", list, script_list_leave);
  g_signal_connect_object (session, "changed", G_CALLBACK (script_list_on_changed), list, 0);
  script_list_on_changed (session, LC_CHANGED_HISTORY, list);
  return list;
}

const GPtrArray *
lc_script_list_get_entries (LcScriptList *list)
{
  return list->entries;
}

gboolean
lc_script_list_is_untrusted (LcScriptList *list)
{
  return list->untrusted;
}

void
lc_script_list_trust (LcScriptList *list)
{
  if (lc_session_get_opened (list->session) != NULL)
    script_list_ask (list, TRUE);
}
