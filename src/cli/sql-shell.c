/* SPDX-License-Identifier: Apache-2.0 */
/* Reads lines from a terminal, with editing and a history if libedit is available, and handles Ctrl-C. */
#include <errno.h>
#include <glib/gi18n.h>
#include <glib/gstdio.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#ifdef LC_HAVE_LIBEDIT
#include <histedit.h>
#include <setjmp.h>
#endif

#include "sql-session.h"
#include "trace/quantities.h"

/* Ctrl-C drops the line while one is being typed, and stops the query while one is running. */

static volatile sig_atomic_t typing;
static int wake[2] = {-1, -1};
static volatile guint told; /* how often the thread that stops queries was woken */
static guint heard;         /* how often that thread has reacted */

#ifdef LC_HAVE_LIBEDIT
static sigjmp_buf typed_anew;
#endif

static void
sql_shell_interrupted (int number)
{
  int before = errno;

  if (!typing)
    told += write (wake[1], "", 1) == 1;
#ifdef LC_HAVE_LIBEDIT
  else
    {
      typing = 0;
      siglongjmp (typed_anew, 1);
    }
#endif
  errno = before;
}

/* A signal handler cannot call the function that stops a query, so a thread does. */
static gpointer
stop_queries (gpointer database)
{
  char byte;

  while (read (wake[0], &byte, 1) == 1)
    {
      lc_database_interrupt (database);
      g_atomic_int_inc (&heard);
    }
  return NULL;
}

static GThread *
catch_interrupts (LcDatabase *database)
{
  struct sigaction action = {.sa_handler = sql_shell_interrupted};
  sigset_t signals, before;
  GThread *thread;

  if (pipe (wake) != 0)
    return NULL;
  sigemptyset (&signals);
  sigaddset (&signals, SIGINT);
  pthread_sigmask (SIG_BLOCK, &signals, &before);
  thread = g_thread_new ("interrupt", stop_queries, database);
  pthread_sigmask (SIG_SETMASK, &before, NULL);
  sigaction (SIGINT, &action, NULL);
  return thread;
}

/* Between end_typing and begin_typing there are queries to stop. A Ctrl-C that comes too late for a query must not stop
 * the next one. */
static void
end_typing (void)
{
  typing = 0;
}

static void
begin_typing (LcDatabase *database)
{
  sigset_t signals, before;

  sigemptyset (&signals);
  sigaddset (&signals, SIGINT);
  pthread_sigmask (SIG_BLOCK, &signals, &before);
  while ((guint)g_atomic_int_get (&heard) != told)
    g_usleep (1000);
  lc_database_resume (database);
  typing = 1;
  pthread_sigmask (SIG_SETMASK, &before, NULL);
}

static void
ignore_interrupts (GThread *thread)
{
  if (thread == NULL)
    return;
  signal (SIGINT, SIG_IGN);
  close (wake[1]);
  g_thread_join (thread);
  close (wake[0]);
}

static const char *
prompt_of (const LcSqlSession *session)
{
  return session->text->len == 0 ? "sql> " : "...> ";
}

#ifdef LC_HAVE_LIBEDIT

enum
{
  REMEMBERED = 1000, /* lines */
};

typedef struct
{
  EditLine *line;
  History *history;
  char *path; /* file of the history */
  LcSqlSession *session;
} Editor;

static char *
get_prompt (EditLine *line)
{
  void *editor = NULL;

  el_get (line, EL_CLIENTDATA, &editor);
  return (char *)prompt_of (((Editor *)editor)->session);
}

static void
begin_editing (Editor *editor, LcSqlSession *session)
{
  g_autofree char *folder = g_build_filename (g_get_user_state_dir (), "lightcone", NULL);
  HistEvent event;

  editor->session = session;
  editor->path = g_build_filename (folder, "sql-history", NULL);
  editor->line = el_init ("lightcone", stdin, stdout, stderr);
  editor->history = history_init ();
  history (editor->history, &event, H_SETSIZE, REMEMBERED);
  history (editor->history, &event, H_SETUNIQUE, 1);
  if (g_mkdir_with_parents (folder, 0700) == 0)
    history (editor->history, &event, H_LOAD, editor->path);
  el_set (editor->line, EL_CLIENTDATA, editor);
  el_set (editor->line, EL_PROMPT, get_prompt);
  el_set (editor->line, EL_EDITOR, "emacs");
  el_set (editor->line, EL_HIST, history, editor->history);
  el_set (editor->line, EL_BIND, "^R", "em-inc-search-prev", NULL);
  el_source (editor->line, NULL);
}

static void
sql_shell_end_editing (Editor *editor)
{
  HistEvent event;

  history (editor->history, &event, H_SAVE, editor->path);
  g_chmod (editor->path, 0600);
  history_end (editor->history);
  el_end (editor->line);
  g_free (editor->path);
}

/* Gives the next line with its newline; NULL: the end of the input. */
static const char *
read_line (Editor *editor)
{
  HistEvent event;
  const char *text;
  int length = 0;

  if (sigsetjmp (typed_anew, 1) != 0)
    {
      lc_sql_session_clear (editor->session);
      el_reset (editor->line);
      g_print ("^C\n");
    }
  begin_typing (editor->session->database);
  text = el_gets (editor->line, &length);
  end_typing ();
  if (text != NULL && text[strspn (text, " \t\n")] != '\0')
    history (editor->history, &event, H_ENTER, text);
  return text;
}

#else

typedef struct
{
  LcSqlSession *session;
  char *text;
  size_t room;
} Editor;

static void
begin_editing (Editor *editor, LcSqlSession *session)
{
  *editor = (Editor){session, NULL, 0};
}

static void
sql_shell_end_editing (Editor *editor)
{
  free (editor->text);
}

static const char *
read_line (Editor *editor)
{
  for (;;)
    {
      g_print ("%s", prompt_of (editor->session));
      errno = 0;
      begin_typing (editor->session->database);
      ssize_t length = getline (&editor->text, &editor->room, stdin);
      end_typing ();
      if (length >= 0)
        return editor->text;
      if (errno != EINTR)
        return NULL;
      clearerr (stdin);
      lc_sql_session_clear (editor->session);
      g_print ("\n");
    }
}

#endif

void
lc_sql_shell_run (LcSqlSession *session)
{
  g_autofree char *path = lc_format_text (lc_database_get_path (session->database));
  GThread *thread = catch_interrupts (session->database);
  const char *text;
  Editor editor;

  g_print (_ ("%s\nSQL ends with ';'. .help explains, .quit leaves.\n"), path);
  begin_editing (&editor, session);
  while (!session->done && (text = read_line (&editor)) != NULL)
    {
      g_autofree char *one = g_strndup (text, strcspn (text, "\n"));

      lc_sql_session_add_line (session, one);
    }
  if (!session->done)
    g_print ("\n");
  sql_shell_end_editing (&editor);
  ignore_interrupts (thread);
}
