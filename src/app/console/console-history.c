/* SPDX-License-Identifier: Apache-2.0 */
/* The lines that were typed before, in the console or as a query, kept in the user's state folder. */
#include "app/console/console-history.h"

#include <glib/gstdio.h>
#include <string.h>

#include "app/settings.h"

enum
{
  MOST_KEPT = 500,
};

struct _LcConsoleHistory
{
  char *path;
  GPtrArray *texts; /* oldest first */
  guint at;         /* the one that stands in the entry; texts->len: what is being typed */
  char *typed;
};

LcConsoleHistory *
lc_console_history_new (const char *name)
{
  LcConsoleHistory *history = g_new0 (LcConsoleHistory, 1);
  g_autofree char *all = NULL;

  history->path = g_build_filename (g_get_user_state_dir (), "lightcone", name, NULL);
  history->texts = g_ptr_array_new_with_free_func (g_free);
  if (g_file_get_contents (history->path, &all, NULL, NULL)) /* a file that cannot be read is written anew */
    {
      g_auto (GStrv) lines = g_strsplit (all, "\n", -1);

      for (gsize i = 0; lines[i] != NULL; i++)
        {
          g_autofree char *text = g_strcompress (lines[i]);

          if (text[0] != '\0' && g_utf8_validate (text, -1, NULL))
            g_ptr_array_add (history->texts, g_steal_pointer (&text));
        }
    }
  history->at = history->texts->len;
  return history;
}

void
lc_console_history_free (LcConsoleHistory *history)
{
  if (history == NULL)
    return;
  g_ptr_array_unref (history->texts);
  g_free (history->typed);
  g_free (history->path);
  g_free (history);
}

static void
console_history_save (const LcConsoleHistory *history)
{
  g_autofree char *folder = g_path_get_dirname (history->path);
  g_autoptr (GString) all = g_string_new (NULL);
  g_autoptr (GError) error = NULL;

  if (!lc_settings_get_boolean ("keep-state", TRUE))
    return;
  for (guint i = 0; i < history->texts->len; i++)
    {
      g_autofree char *line = g_strescape (history->texts->pdata[i], NULL);

      g_string_append_printf (all, "%s\n", line);
    }
  if (g_mkdir_with_parents (folder, 0700) != 0 ||
      !g_file_set_contents_full (history->path, all->str, (gssize)all->len, G_FILE_SET_CONTENTS_CONSISTENT, 0600,
                                 &error))
    g_message ("%s", error != NULL ? error->message : folder);
}

void
lc_console_history_add (LcConsoleHistory *history, const char *text)
{
  GPtrArray *texts = history->texts;

  if (texts->len == 0 || strcmp (texts->pdata[texts->len - 1], text) != 0)
    {
      if (texts->len >= MOST_KEPT)
        g_ptr_array_remove_range (texts, 0, texts->len - MOST_KEPT + 1);
      g_ptr_array_add (texts, g_strdup (text));
      console_history_save (history);
    }
  history->at = texts->len;
  g_clear_pointer (&history->typed, g_free);
}

const char *
lc_console_history_step (LcConsoleHistory *history, gboolean back, const char *typed)
{
  if (back ? history->at == 0 : history->at >= history->texts->len)
    return NULL;
  if (history->at == history->texts->len)
    {
      g_free (history->typed);
      history->typed = g_strdup (typed);
    }
  history->at += back ? -1U : 1U;
  return history->at < history->texts->len ? history->texts->pdata[history->at] : history->typed;
}
