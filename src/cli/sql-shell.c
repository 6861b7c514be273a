/* SPDX-License-Identifier: Apache-2.0 */
/* The shell of lightcone sql: lines from a terminal, and Ctrl-C. */
#include <errno.h>
#include <glib/gi18n.h>
#include <pthread.h>
#include <signal.h>
#include <string.h>
#include <unistd.h>

#include "line-editor.h"
#include "sql-session.h"
#include "trace/quantities.h"

/* Ctrl-C drops the line while one is being typed, and stops the query while one is running. */

static int wake[2] = {-1, -1};
static volatile guint told; /* how often the thread that stops queries was woken */
static guint heard;         /* how often that thread has reacted */

static void
sql_shell_interrupted (int number)
{
  int before = errno;

  if (!lc_line_editor_interrupt ())
    told += write (wake[1], "", 1) == 1;
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

/* A Ctrl-C that comes too late for a query must not stop the next one. */
static void
sql_shell_get_ready (gpointer session)
{
  while ((guint)g_atomic_int_get (&heard) != told)
    g_usleep (1000);
  lc_database_resume (((LcSqlSession *)session)->database);
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
sql_shell_get_prompt (gpointer session)
{
  return ((const LcSqlSession *)session)->text->len == 0 ? "sql> " : "...> ";
}

static void
sql_shell_drop (gpointer session)
{
  lc_sql_session_clear (session);
}

void
lc_sql_shell_run (LcSqlSession *session)
{
  g_autofree char *path = lc_format_text (lc_database_get_path (session->database));
  const LcLineEditorUse use = {.name = "sql-history",
                               .get_prompt = sql_shell_get_prompt,
                               .get_ready = sql_shell_get_ready,
                               .drop = sql_shell_drop,
                               .data = session};
  GThread *thread = catch_interrupts (session->database);
  LcLineEditor *editor;
  const char *text;

  g_print (_ ("%s\nSQL ends with ';'. .help explains, .quit leaves.\n"), path);
  editor = lc_line_editor_new (&use);
  while (!session->done && (text = lc_line_editor_read (editor)) != NULL)
    {
      g_autofree char *one = g_strndup (text, strcspn (text, "\n"));

      lc_sql_session_add_line (session, one);
    }
  if (!session->done)
    g_print ("\n");
  lc_line_editor_free (editor);
  ignore_interrupts (thread);
}
