/* SPDX-License-Identifier: Apache-2.0 */
/* Lines that are typed at a terminal: with editing, a history and completion if libedit is available. */
#include "line-editor.h"

#include <errno.h>
#include <glib/gstdio.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#ifdef LC_HAVE_LIBEDIT
#include <histedit.h>
#include <setjmp.h>
#endif

static volatile sig_atomic_t typing;

static void
editor_begin_typing (const LcLineEditorUse *use)
{
  sigset_t signals, before;

  sigemptyset (&signals);
  sigaddset (&signals, SIGINT);
  pthread_sigmask (SIG_BLOCK, &signals, &before);
  if (use->get_ready != NULL)
    use->get_ready (use->data);
  typing = 1;
  pthread_sigmask (SIG_SETMASK, &before, NULL);
}

#ifdef LC_HAVE_LIBEDIT

enum
{
  REMEMBERED = 1000, /* lines */
};

struct _LcLineEditor
{
  const LcLineEditorUse *use;
  EditLine *line;
  History *history;
  char *path; /* file of the history */
};

static sigjmp_buf typed_anew;

static const LcLineEditorUse *
editor_get_use (EditLine *line)
{
  void *editor = NULL;

  el_get (line, EL_CLIENTDATA, &editor);
  return ((LcLineEditor *)editor)->use;
}

static char *
editor_get_prompt (EditLine *line)
{
  const LcLineEditorUse *use = editor_get_use (line);

  return (char *)use->get_prompt (use->data);
}

/* How much more than `length` letters all names have in common. */
static gsize
editor_find_common (char **names, gsize length)
{
  gsize common = strlen (names[0]);

  for (gsize i = 1; names[i] != NULL; i++)
    for (gsize k = length; k < common; k++)
      if (names[i][k] != names[0][k])
        common = k;
  return common - length;
}

static void
editor_list_names (char **names)
{
  g_print ("\n");
  for (gsize i = 0; names[i] != NULL; i++)
    g_print ("%s%s", names[i], names[i + 1] != NULL ? "  " : "\n");
}

/* Adds what all names that begin with the word at the cursor have in common, or lists them. */
static unsigned char
editor_complete (EditLine *line, int key)
{
  const LcLineEditorUse *use = editor_get_use (line);
  const LineInfo *info = el_line (line);
  const char *begin = info->cursor;
  unsigned char answer = CC_ERROR;

  while (begin > info->buffer && use->is_part (begin[-1]))
    begin--;
  g_autofree char *word = g_strndup (begin, (gsize)(info->cursor - begin));
  g_auto (GStrv) names = use->complete (word);

  if (names == NULL || names[0] == NULL)
    return CC_ERROR;
  g_autofree char *more = g_strndup (names[0] + strlen (word), editor_find_common (names, strlen (word)));

  if (more[0] != '\0' && el_insertstr (line, more) == 0)
    answer = CC_REFRESH;
  else if (names[1] != NULL)
    {
      editor_list_names (names);
      answer = CC_REDISPLAY;
    }
  return answer;
}

LcLineEditor *
lc_line_editor_new (const LcLineEditorUse *use)
{
  LcLineEditor *editor = g_new0 (LcLineEditor, 1);
  g_autofree char *folder = g_build_filename (g_get_user_state_dir (), "lightcone", NULL);
  HistEvent event;

  editor->use = use;
  editor->path = g_build_filename (folder, use->name, NULL);
  editor->line = el_init ("lightcone", stdin, stdout, stderr);
  editor->history = history_init ();
  history (editor->history, &event, H_SETSIZE, REMEMBERED);
  history (editor->history, &event, H_SETUNIQUE, 1);
  if (g_mkdir_with_parents (folder, 0700) == 0)
    history (editor->history, &event, H_LOAD, editor->path);
  el_set (editor->line, EL_CLIENTDATA, editor);
  el_set (editor->line, EL_PROMPT, editor_get_prompt);
  el_set (editor->line, EL_EDITOR, "emacs");
  el_set (editor->line, EL_HIST, history, editor->history);
  /* A Ctrl-D that was typed before this listened arrives as a zero, which libedit would have quote the next key. */
  el_set (editor->line, EL_BIND, "^@", "ed-ignore", NULL);
  el_set (editor->line, EL_BIND, "^R", "em-inc-search-prev", NULL);
  if (use->complete != NULL)
    {
      el_set (editor->line, EL_ADDFN, "lc-complete", "Complete the name", editor_complete);
      el_set (editor->line, EL_BIND, "^I", "lc-complete", NULL);
    }
  el_source (editor->line, NULL);
  return editor;
}

void
lc_line_editor_free (LcLineEditor *editor)
{
  HistEvent event;

  history (editor->history, &event, H_SAVE, editor->path);
  g_chmod (editor->path, 0600);
  history_end (editor->history);
  el_end (editor->line);
  g_free (editor->path);
  g_free (editor);
}

const char *
lc_line_editor_read (LcLineEditor *editor)
{
  HistEvent event;
  const char *text;
  int length = 0;

  if (sigsetjmp (typed_anew, 1) != 0)
    {
      editor->use->drop (editor->use->data);
      el_reset (editor->line);
      g_print ("^C\n");
    }
  editor_begin_typing (editor->use);
  text = el_gets (editor->line, &length);
  typing = 0;
  if (text != NULL && text[strspn (text, " \t\n")] != '\0')
    history (editor->history, &event, H_ENTER, text);
  return text;
}

gboolean
lc_line_editor_interrupt (void)
{
  if (!typing)
    return FALSE;
  typing = 0;
  siglongjmp (typed_anew, 1);
}

#else

struct _LcLineEditor
{
  const LcLineEditorUse *use;
  char *text;
  size_t room;
};

LcLineEditor *
lc_line_editor_new (const LcLineEditorUse *use)
{
  LcLineEditor *editor = g_new0 (LcLineEditor, 1);

  editor->use = use;
  return editor;
}

void
lc_line_editor_free (LcLineEditor *editor)
{
  free (editor->text);
  g_free (editor);
}

const char *
lc_line_editor_read (LcLineEditor *editor)
{
  for (;;)
    {
      ssize_t length;

      g_print ("%s", editor->use->get_prompt (editor->use->data));
      errno = 0;
      editor_begin_typing (editor->use);
      length = getline (&editor->text, &editor->room, stdin);
      typing = 0;
      if (length >= 0)
        return editor->text;
      if (errno != EINTR)
        return NULL;
      clearerr (stdin);
      editor->use->drop (editor->use->data);
      g_print ("\n");
    }
}

gboolean
lc_line_editor_interrupt (void)
{
  return typing;
}

#endif
