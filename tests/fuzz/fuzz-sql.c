/* SPDX-License-Identifier: Apache-2.0 */
/* Any text as what is typed into the shell of lightcone sql; what takes long is interrupted. */
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

#include "cli/sql-session.h"
#include "fuzz.h"
#include "merged.h"

#define PATIENCE (50 * G_TIME_SPAN_MILLISECOND)

typedef struct
{
  GMutex mutex;
  GCond changed;
  LcDatabase *database; /* NULL: nothing is to be interrupted */
  gint64 since;
} Watch;

static Watch watch;

static gpointer
watch_queries (gpointer data G_GNUC_UNUSED)
{
  g_mutex_lock (&watch.mutex);
  for (;;)
    {
      while (watch.database == NULL)
        g_cond_wait (&watch.changed, &watch.mutex);
      if (!g_cond_wait_until (&watch.changed, &watch.mutex, watch.since + PATIENCE) && watch.database != NULL)
        {
          lc_database_interrupt (watch.database);
          watch.since = g_get_monotonic_time ();
        }
    }
  return NULL;
}

static void
set_watched (LcDatabase *database)
{
  g_mutex_lock (&watch.mutex);
  watch.database = database;
  watch.since = g_get_monotonic_time ();
  g_cond_signal (&watch.changed);
  g_mutex_unlock (&watch.mutex);
}

static void
print_nothing (const char *text G_GNUC_UNUSED)
{
}

/* A query may name files: they are those of a folder of ours. */
static void
begin (void)
{
  int nothing = open ("/dev/null", O_WRONLY | O_CLOEXEC);

  g_assert_cmpint (chdir (merged_get_directory ()), ==, 0);
  dup2 (nothing, STDOUT_FILENO);
  close (nothing);
  g_set_print_handler (print_nothing);
  g_set_printerr_handler (print_nothing);
  g_thread_unref (g_thread_new ("watch", watch_queries, NULL));
}

int
LLVMFuzzerTestOneInput (const uint8_t *bytes, size_t size)
{
  static gboolean begun;
  g_autofree char *text = g_strndup ((const char *)bytes, size);
  g_auto (GStrv) lines = g_strsplit (text, "\n", 50);
  LcSqlSession session;

  if (!begun)
    begin ();
  begun = TRUE;
  g_assert_true (lc_sql_session_open (&session, "history.lightcone", LC_FORMAT_TEXT, TRUE));
  set_watched (session.database);
  for (char **line = lines; *line != NULL && !session.done; line++)
    {
      lc_sql_session_add_line (&session, *line);
      lc_database_resume (session.database);
    }
  lc_sql_session_end (&session);
  set_watched (NULL);
  lc_sql_session_close (&session);
  return 0;
}

gboolean
fuzz_seed (guint number, GByteArray *bytes)
{
  static const char *const seeds[] = {
      "SELECT process, ordinal, waited FROM event ORDER BY waited DESC LIMIT 5;",
      "SELECT * FROM arc WHERE to_process = 1 AND to_ordinal BETWEEN 3 AND 9;\n.mode csv\nSELECT * FROM span LIMIT 3;",
      ".tables\n.schema event\n.mode json\n.help\n.quit",
      "WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 10) SELECT i, name FROM n, process;",
      "SELECT o.name, count(*), sum(e.\"end\" - e.begin) FROM event e JOIN object o ON o.id = e.object GROUP BY 1;\n",
      "INSERT INTO meta VALUES ('a', 1); ATTACH 'other' AS o; PRAGMA page_count; SELECT load_extension('x');",
  };

  if (number >= G_N_ELEMENTS (seeds))
    return FALSE;
  g_byte_array_append (bytes, (const guint8 *)seeds[number], (guint)strlen (seeds[number]));
  return TRUE;
}
